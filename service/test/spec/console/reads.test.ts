import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { SESSION_PATH, type SignedIn, signIn } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const LIMITS = { CONSOLE_READS_PER_MINUTE: '30', CONSOLE_READS_PER_DAY: '50' }
const { api, given, database } = await startTestService({ environment: { ...LIMITS, CONSOLE_KEY_SIGN_IN: 'on' } })

const SEARCH = '/console/api/v1/cves?limit=1'

async function createSession(plan: 'free' | 'pro' = 'pro'): Promise<SignedIn & { accountId: string }> {
  const key = createTestKey()
  const owner = account(plan).withKey(key)
  await given(owner)
  return { ...(await signIn(api, key.key)), accountId: owner.id }
}

const count = async (statement: string, accountId: string): Promise<number> => {
  const [row] = await readRows(database.url, statement, [accountId])
  return Number(row?.count ?? 0)
}

/** Sets the reads of an account in the current minute and on the current day. */
const setReads = (accountId: string, minute: number, day: number) =>
  readRows(
    database.url,
    `insert into accounts.console_window (account_id, minute, minute_reads, day, day_reads)
     values ($1, date_trunc('minute', now() at time zone 'utc') at time zone 'utc', $2, (now() at time zone 'utc')::date, $3)
         on conflict (account_id) do update set minute = excluded.minute, minute_reads = excluded.minute_reads,
            day = excluded.day, day_reads = excluded.day_reads`,
    [accountId, minute, day],
  )

describe('Console reads', () => {
  it('return the same response as calls with a key and cost nothing', async () => {
    const session = await createSession()

    const { status, json } = await session.get(SEARCH)

    expect(status).toBe(200)
    expect(json.data.cves).toEqual([])
    expect(await count('select count(*) from accounts.ledger where account_id = $1', session.accountId)).toBe(0)
    expect((await session.get('/console/api/v1/usage')).json.data.usage.credits_used).toBe(0)
  })

  it("are recorded in the account's usage as endpoint console with 0 credits", async () => {
    const session = await createSession()
    await session.get(SEARCH)
    await session.get('/console/api/v1/kev')

    const rows = await readRows(
      database.url,
      'select endpoint, calls::integer, cost_half::integer from accounts.usage_between($1)',
      [session.accountId],
    )
    expect(rows).toEqual([{ endpoint: 'console', calls: 2, cost_half: 0 }])
  })

  it('may be stored by a browser, but not shown again without checking whether the session is still valid', async () => {
    const session = await createSession()

    const first = await session.get(SEARCH)
    const repeat = () => session.get(SEARCH, { 'If-None-Match': String(first.headers['etag']) })
    const second = await repeat()
    await session.send('DELETE', SESSION_PATH)
    const third = await repeat()

    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect([second.status, second.headers['cache-control']]).toEqual([304, 'private, no-cache'])
    expect([third.status, third.headers['cache-control']]).toEqual([401, 'no-store'])
    expect((await session.get('/console/api/v1/usage')).headers['cache-control']).toBe('no-store')
  })

  it('show how many are left in their headers and in the session', async () => {
    const session = await createSession()

    const { headers } = await session.get(SEARCH)
    const { json } = await session.get(SESSION_PATH)

    expect(headers['x-rate-limit-remaining']).toBe('29')
    expect(Number(headers['x-rate-limit-reset'])).toBeGreaterThan(Date.now() / 1000 - 1)
    expect(json.data.session.reads).toMatchObject({
      minute: { limit: 30, used: 1, remaining: 29 },
      day: { limit: 50, used: 1, remaining: 49 },
    })
  })

  it.each(['/console/api/v1/usage', '/console/api/v1/ping', '/console/api/v1/ping-lite', SESSION_PATH])(
    'do not count calls to %s, which are free for everyone',
    async (path) => {
      const session = await createSession()
      await session.get(path)

      expect(await count('select count(*) from accounts.console_window where account_id = $1', session.accountId)).toBe(
        0,
      )
    },
  )

  it('do not count towards the rate limit of the free plan', async () => {
    const session = await createSession('free')
    const results = await Promise.all(Array.from({ length: 30 }, () => session.get(SEARCH)))

    expect(results.map(({ status }) => status)).toEqual(results.map(() => 200))
  })

  it.each([
    ['minute', 30, 30, 60],
    ['day', 0, 50, 86_400],
  ])('beyond the limit per %s get 429 with Retry-After', async (window, minute, day, windowSeconds) => {
    const session = await createSession()
    const readBeyondLimit = async () => {
      await setReads(session.accountId, minute, day)
      return session.get(SEARCH)
    }
    const first = await readBeyondLimit()

    // The minute may end between the two statements, but not twice in a row.
    const { status, json, headers } = first.status === 200 ? await readBeyondLimit() : first
    expect(status).toBe(429)
    expect(json.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { window_seconds: windowSeconds, limit: window === 'day' ? 50 : 30 },
    })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(windowSeconds)
    expect(headers['x-rate-limit-remaining']).toBe('0')
  })

  it('are limited by account, not by session', async () => {
    const key = createTestKey()
    const owner = account('pro').withKey(key)
    await given(owner)
    const [first, second] = [await signIn(api, key.key), await signIn(api, key.key)]
    await setReads(owner.id, 0, 49)

    expect((await first.get(SEARCH)).status).toBe(200)
    expect((await second.get(SEARCH)).status).toBe(429)
  })

  it('are free even for an account whose credits are used up', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key).withCreditsLeft(0))
    const session = await signIn(api, key.key)

    expect((await session.get(SEARCH)).status).toBe(200)
  })
})

describe('POST /console/api/v1/cve/batch', () => {
  const send = (session: SignedIn, ids: number) => {
    const cveIds = Array.from({ length: ids }, (_, index) => `CVE-2024-${1000 + index}`)
    return session.send('POST', '/console/api/v1/cve/batch', JSON.stringify({ cve_ids: cveIds }))
  }
  const countReads = (accountId: string) =>
    count('select day_reads as count from accounts.console_window where account_id = $1', accountId)

  it.each([
    [1, 1],
    [10, 1],
    [11, 2],
    [50, 5],
  ])('with %i ids costs no credits, says so, and counts as %i reads', async (ids, reads) => {
    const session = await createSession()

    const { status, json } = await send(session, ids)

    expect(status).toBe(200)
    expect(json.data.credits_charged).toBe(0)
    expect(await count('select count(*) from accounts.ledger where account_id = $1', session.accountId)).toBe(0)
    expect(await countReads(session.accountId)).toBe(reads)
  })

  it('gets 429 and counts nothing if it needs more reads than are left, while a smaller call is served', async () => {
    const session = await createSession()
    await setReads(session.accountId, 0, 47)

    const refused = await send(session, 50)

    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await countReads(session.accountId)).toBe(47)
    expect((await send(session, 30)).status).toBe(200)
    expect(await countReads(session.accountId)).toBe(50)
  })
})

describe('Reads of one page of the console', () => {
  const countReads = (accountId: string) =>
    count('select day_reads as count from accounts.console_window where account_id = $1', accountId)
  const page = (id: string) => ({ 'X-Page-Id': id })

  it('count once, also if they are sent at the same time', async () => {
    const session = await createSession()
    const answers = await Promise.all(Array.from({ length: 12 }, () => session.get(SEARCH, page('a'.repeat(16)))))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await countReads(session.accountId)).toBe(1)
    await session.get(SEARCH, page('b'.repeat(16)))
    expect(await countReads(session.accountId)).toBe(2)
  })

  it('count again after 24 reads, so that an id that is reused gains a bounded factor', async () => {
    const session = await createSession()
    for (let read = 0; read < 25; read += 1) await session.get(SEARCH, page('c'.repeat(16)))
    expect(await countReads(session.accountId)).toBe(2)
  })

  it('count alone with an id of another session, and with one that no page would send', async () => {
    const session = await createSession()
    const other = await createSession()
    await session.get(SEARCH, page('d'.repeat(16)))
    await other.get(SEARCH, page('d'.repeat(16)))
    expect([await countReads(session.accountId), await countReads(other.accountId)]).toEqual([1, 1])
    for (const id of ['short', 'x'.repeat(65), '']) await session.get(SEARCH, page(id))
    expect(await countReads(session.accountId)).toBe(4)
  })

  it('open no page while the limit is reached', async () => {
    const session = await createSession()
    await setReads(session.accountId, 0, 50)
    for (let read = 0; read < 3; read += 1) expect((await session.get(SEARCH, page('e'.repeat(16)))).status).toBe(429)
  })
})
