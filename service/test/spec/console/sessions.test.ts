import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { postKey, SESSION_PATH, type SignedIn, signIn, startSecondNode, useCookie } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { CONSOLE_KEY_SIGN_IN: 'on' } })
const { api, given, database } = service
const otherNode = await startSecondNode(service)

const PING = '/console/api/v1/ping'
/** A session must be refused everywhere within this time. */
const MAX_DELAY_MS = 2000

async function createSession(): Promise<SignedIn & { readonly keyDigest: Buffer; readonly key: string }> {
  const key = createTestKey()
  await given(account('pro').withKey(key))
  return { ...(await signIn(api, key.key)), key: key.key, keyDigest: key.digest }
}

/** Uses the session on both nodes, so that both have it in their caches. */
async function useOnBothNodes({ cookie, get }: SignedIn): Promise<SignedIn> {
  const elsewhere = useCookie(otherNode, cookie)
  expect((await get(PING)).status).toBe(200)
  expect((await elsewhere.get(PING)).status).toBe(200)
  return elsewhere
}

/** Repeats a call until it is refused, and returns the reason. */
async function waitForRefusal({ get }: SignedIn): Promise<{ reason: string; ms: number }> {
  const started = performance.now()
  for (;;) {
    const { status, json } = await get(PING)
    const ms = performance.now() - started
    if (status === 401) return { reason: json.error.details.reason, ms }
    if (ms > 10_000) return { reason: 'never', ms }
    await sleep(20)
  }
}

/** Repeats a call until it is refused for the given reason. An earlier refusal may be cached for 2 s. */
async function waitForReason(session: SignedIn, reason: string): Promise<{ reason: string }> {
  for (const started = performance.now(); ; await sleep(50)) {
    const refusal = await waitForRefusal(session)
    if (refusal.reason === reason || performance.now() - started > 5000) return refusal
  }
}

const change = (statement: string, values: readonly unknown[] = []) => readRows(database.url, statement, values)

describe('A console session', () => {
  it('admits API calls below /console/api/v1', async () => {
    const session = await createSession()

    expect((await session.get('/console/api/v1/usage')).json.data.usage).toMatchObject({ plan: 'pro' })
  })

  it('is not accepted under /api/v1', async () => {
    const session = await createSession()

    const { status, json } = await session.get('/api/v1/ping')

    expect(status).toBe(401)
    expect(json.error.details).toEqual({ reason: 'missing' })
  })

  it('ends with DELETE /console/api/session, on every node within 2 s', async () => {
    const session = await createSession()
    const elsewhere = await useOnBothNodes(session)

    const { status, headers } = await session.send('DELETE', SESSION_PATH)

    expect(status).toBe(204)
    expect(headers['set-cookie']).toMatch(/^vis=; Path=\/; Max-Age=0; /)
    expect((await session.get(PING)).json.error.details).toEqual({ reason: 'ended' })
    const refusal = await waitForRefusal(elsewhere)
    expect(refusal.reason).toBe('ended')
    expect(refusal.ms).toBeLessThan(MAX_DELAY_MS)
  })

  it('can be ended by signing out while its account is suspended', async () => {
    const session = await createSession()
    const suspend = (time: string) =>
      change(
        `update accounts.account set suspended_at = ${time} where id = (select account_id from accounts.api_key where digest = $1)`,
        [session.keyDigest],
      )
    await suspend('now()')
    await waitForRefusal(session)

    expect((await session.send('DELETE', SESSION_PATH)).status).toBe(204)
    await suspend('null')
    expect((await waitForReason(session, 'ended')).reason).toBe('ended')
  })

  it('ends with a sign-out whose cookie names two sessions', async () => {
    const [first, second] = [await createSession(), await createSession()]

    const { status } = await useCookie(api, `${first.cookie}; ${second.cookie}`).send('DELETE', SESSION_PATH)

    expect(status).toBe(204)
    for (const session of [first, second])
      expect((await session.get(PING)).json.error.details).toEqual({ reason: 'ended' })
  })

  it('answers 204 to a second sign-out', async () => {
    const session = await createSession()
    await session.send('DELETE', SESSION_PATH)

    expect((await session.send('DELETE', SESSION_PATH)).status).toBe(204)
  })

  it('ends with DELETE /console/api/sessions together with all sessions of the same key', async () => {
    const first = await createSession()
    const second = await signIn(api, first.key)
    const ofAnotherAccount = await createSession()

    const { status, json } = await first.send('DELETE', '/console/api/sessions')

    expect(status).toBe(200)
    expect(json.data).toEqual({ ended_sessions: 2 })
    expect((await second.get(PING)).status).toBe(401)
    expect((await ofAnotherAccount.get(PING)).status).toBe(200)
  })

  it('cannot end other sessions once it has ended itself', async () => {
    const first = await createSession()
    const second = await signIn(api, first.key)
    await first.send('DELETE', SESSION_PATH)

    expect((await first.send('DELETE', '/console/api/sessions')).status).toBe(401)
    expect((await second.get(PING)).status).toBe(200)
  })

  it.each([
    ['revoked', 'its key is revoked', 'update accounts.api_key set revoked_at = now() where digest = $1'],
    ['expired', 'its key expires', 'update accounts.api_key set expires_at = now() where digest = $1'],
    [
      'suspended',
      'its account is suspended',
      'update accounts.account set suspended_at = now() where id = (select account_id from accounts.api_key where digest = $1)',
    ],
  ])('is refused as %s on every node within 2 s after %s', async (reason, _event, statement) => {
    const session = await createSession()
    const elsewhere = await useOnBothNodes(session)

    await change(statement, [session.keyDigest])

    for (const each of [session, elsewhere]) {
      const refusal = await waitForRefusal(each)
      expect(refusal.reason).toBe(reason)
      expect(refusal.ms).toBeLessThan(MAX_DELAY_MS)
    }
  })

  it.each([
    ['12 hours without use', "last_used_at = now() - interval '12 hours'"],
    ['7 days', "created_at = now() - interval '7 days', expires_at = now()"],
  ])('expires after %s', async (_name, assignment) => {
    const session = await createSession()
    await change(
      `update accounts.session set ${assignment} where key_id = (select id from accounts.api_key where digest = $1)`,
      [session.keyDigest],
    )

    expect((await session.get(PING)).json.error.details).toEqual({ reason: 'expired' })
    expect((await session.get(SESSION_PATH)).json.data).toMatchObject({ session: null, reason: 'expired' })
  })

  it('expires 12 hours after its last use, and at the latest 7 days after the sign-in', async () => {
    const session = await createSession()
    const ofKey = 'where key_id = (select id from accounts.api_key where digest = $1)'
    await change(`update accounts.session set last_used_at = now() - interval '11 hours' ${ofKey}`, [session.keyDigest])

    await session.get(PING)

    const [row] = await change(
      `select now() - last_used_at < interval '1 minute' as is_used,
              expires_at - created_at = interval '7 days' as is_bounded
         from accounts.session ${ofKey}`,
      [session.keyDigest],
    )
    expect(row).toEqual({ is_used: true, is_bounded: true })
  })

  it('records its last use at most once a minute', async () => {
    const session = await createSession()
    const read = () =>
      change(
        'select xmin::text from accounts.session where key_id = (select id from accounts.api_key where digest = $1)',
        [session.keyDigest],
      )
    const before = await read()

    await session.get(PING)
    await useCookie(otherNode, session.cookie).get(PING)

    expect(await read()).toEqual(before)
  })

  it.each([
    ['two different cookies', (cookie: string) => `${cookie}; vis=${'B'.repeat(43)}`],
    ['the same cookie twice', (cookie: string) => `${cookie}; ${cookie}`],
    ['a cookie that is too short', () => 'vis=abc'],
    ['a cookie with other characters', () => `vis=${'%'.repeat(43)}`],
    ['a cookie of 15 kB', () => `vis=${'C'.repeat(15_000)}`],
    ['an unknown session id', () => `vis=${'D'.repeat(43)}`],
  ])('is not found in a request with %s', async (_name, makeCookie) => {
    const session = await createSession()

    const { status, json } = await useCookie(api, makeCookie(session.cookie)).get(PING)

    expect(status).toBe(401)
    expect(json.error.details).toEqual({ reason: 'invalid' })
  })

  it.each(['\u00A0', '\u0085', '\u00AD'])('is not found in a cookie whose name begins with %j', async (character) => {
    const session = await createSession()
    const planted = `${character}${session.cookie}`

    expect((await useCookie(api, planted).get(PING)).json.error.details).toEqual({ reason: 'missing' })
    expect((await useCookie(api, `${planted}; ${session.cookie}`).get(PING)).status).toBe(200)
  })

  it('is found among other cookies', async () => {
    const session = await createSession()

    expect((await useCookie(api, `theme=dark; ${session.cookie}; visitor=1`).get(PING)).status).toBe(200)
  })

  it('is required: a call without a cookie gets 401 with the reason "missing"', async () => {
    const { status, json, headers } = await api.get(PING, { key: null })

    expect(status).toBe(401)
    expect(json.error.details).toEqual({ reason: 'missing' })
    expect(headers['www-authenticate']).toBe('Session')
  })

  it('cannot be replaced with an API key', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))

    expect((await api.get(PING, { key: key.key })).status).toBe(401)
  })
})

/** Stores sessions of a key that were created some time ago. */
const addSessions = (keyDigest: Buffer, sessions: number, age: string) =>
  change(
    `insert into accounts.session (digest, account_id, key_id, role, created_at)
     select sha256(convert_to(id || ' ' || n, 'UTF8')), account_id, id, 'viewer', now() - $3::interval
       from accounts.api_key, generate_series(1, $2::integer) n
      where digest = $1`,
    [keyDigest, sessions, age],
  )

describe('Sign-in limits', () => {
  it('are 30 a minute for one key, and say when to try again', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))
    await addSessions(key.digest, 29, '1 second')

    const [allowed, refused] = [await postKey(api, key.key), await postKey(api, key.key)]

    expect(allowed.status).toBe(201)
    expect(refused.status).toBe(429)
    expect(refused.json.error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(refused.headers['retry-after']).toBe('60')
  })

  it('let simultaneous sign-ins with one key succeed', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))

    const answers = await Promise.all(Array.from({ length: 8 }, () => postKey(api, key.key)))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  })

  it('keep 20 open sessions per key: the oldest one ends', async () => {
    const first = await createSession()
    await addSessions(first.keyDigest, 40, '1 hour')
    await signIn(api, first.key)

    const [row] = await change(
      'select count(*)::integer as open from accounts.session where ended_at is null and key_id = (select id from accounts.api_key where digest = $1)',
      [first.keyDigest],
    )
    expect(row).toEqual({ open: 20 })
  })
})

describe('Old sessions', () => {
  it('are deleted a day after their end, and others are kept', async () => {
    const session = await createSession()
    await addSessions(session.keyDigest, 5, '1 hour')
    const ofKey = 'key_id = (select id from accounts.api_key where digest = $1)'
    const end = (assignment: string) =>
      change(
        `update accounts.session set ${assignment}
          where digest = (select digest from accounts.session where ${ofKey} and ended_at is null and last_used_at > now() - interval '1 hour'
                            and expires_at > now() order by created_at limit 1)`,
        [session.keyDigest],
      )
    await end("ended_at = now() - interval '25 hours'")
    await end("ended_at = now() - interval '23 hours'")
    await end("last_used_at = now() - interval '37 hours'")
    await end("expires_at = now() - interval '25 hours'")

    const [row] = await change('select accounts.delete_old_sessions() as deleted')

    expect(row).toEqual({ deleted: 3 })
    expect((await session.get(PING)).status).toBe(200)
  })
})

describe('The list of sessions', () => {
  it('names the browser in words of the service and a range of addresses, and nothing that the browser sent', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key))
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0 <b>me</b>'
    const { headers } = await postKey(api, key.key, { 'User-Agent': agent })
    const session = useCookie(api, (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '')
    const { json, text } = await session.get('/console/api/sessions', { 'User-Agent': 'curl/8' })
    expect(json.data.sessions).toMatchObject([{ browser: 'Firefox on Linux', network: '127.0.0.0/24' }])
    expect(text).not.toContain('142')
  })
})
