import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/builders.ts'
import { askForLink, postToken, SESSION_PATH, startSecondNode, useCookie } from '../../support/console.ts'
import { addMember } from '../../support/members.ts'
import { readToken, startMailServer } from '../../support/network/mail-server.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const mail = await startMailServer()
const service = await startTestService({
  environment: {
    SMTP_URL: mail.url,
    MAIL_FROM: 'vis@example.org',
    PUBLIC_URL: 'http://127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
  },
})
const { api, given, database, logLines } = service
const owner = account('business')
await given(owner)
let count = 0

/** Adds a member who has joined and returns the e-mail. */
async function createMember(role = 'viewer'): Promise<{ email: string; id: string }> {
  count += 1
  const email = `person${count}@example.org`
  return { email, id: await addMember(database.url, { accountId: owner.id, email, role }) }
}

const PING = '/console/api/v1/ping'
/** Another network: each may request 30 links an hour. */
const ELSEWHERE = { 'X-Forwarded-For': '198.51.100.7' }

describe('Sign-in with a link sent by e-mail', () => {
  it('sends a link that opens a session for the member', async () => {
    const { email, id } = await createMember('admin')

    const asked = await askForLink(api, ` ${email.toUpperCase()} `)
    const token = readToken(await mail.receive(email))
    const { status, json, headers } = await postToken(api, token)

    expect([asked.status, asked.json.data]).toEqual([202, { sent: true }])
    expect(status).toBe(201)
    expect(json.data).toMatchObject({
      session: {
        account: { name: 'a business account' },
        role: 'admin',
        member: { id, email },
        signed_in_with: { method: 'link' },
      },
      sign_in: { link: true, mail: 'normal', oidc: null, sign_up: 'closed' },
    })
    const session = useCookie(api, (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '')
    expect((await session.get(PING)).status).toBe(200)
    const logged = logLines.join('')
    for (const secret of [token, email]) expect(logged).not.toContain(secret)
  })

  it('accepts a link once, even if two browsers use it at the same moment on two nodes', async () => {
    const { email } = await createMember()
    const otherNode = await startSecondNode(service)
    await askForLink(api, email)
    const token = readToken(await mail.receive(email))

    // The member's row is locked until all requests wait for it, so that they really run at the same moment.
    const blocker = new Client({ connectionString: database.url })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select from accounts.member where email = $1 for update', [email])
    const sent = [api, otherNode, api, otherNode].map((node) => postToken(node, token))
    const waiting =
      "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await expect.poll(async () => (await readRows(database.url, waiting))[0]?.n, { timeout: 10_000 }).toBeGreaterThan(1)
    await blocker.query('commit')
    await blocker.end()
    const answers = await Promise.all(sent)

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401])
    const refused = answers.find(({ status }) => status === 401)
    expect(refused?.json.error).toMatchObject({ details: { reason: 'used' } })
    expect(refused?.json.error.message).toContain('Ask for a new one')
  })

  it('gives the same response for known and unknown e-mail addresses, and sends nothing to unknown ones', async () => {
    const { email } = await createMember()

    const [known, unknown] = [await askForLink(api, email), await askForLink(api, 'stranger@example.org')]
    await mail.receive(email)

    expect(unknown.status).toBe(known.status)
    expect(unknown.json.data).toEqual(known.json.data)
    expect(mail.received.map(({ to }) => to)).not.toContain('stranger@example.org')
  })

  it('sends an invited person an invitation that names the account', async () => {
    const email = 'invited@example.org'
    await addMember(database.url, { accountId: owner.id, email, role: 'admin', isInvited: true })
    await askForLink(api, email, ELSEWHERE)
    const received = await mail.receive(email)

    expect(received.source).toContain('a business account')
    expect((await postToken(api, readToken(received))).json.data.session.role).toBe('admin')
  })

  it('sends nothing to a member whose role follows groups, because only the provider knows the groups', async () => {
    const { email } = await createMember()
    await readRows(database.url, 'update accounts.member set has_group_role = true where email = $1', [email])
    await askForLink(api, email, ELSEWHERE)

    const waiting = 'select from accounts.mail where email = $1'
    await expect.poll(() => readRows(database.url, waiting, [email])).toEqual([])
    expect(await readRows(database.url, 'select from accounts.sign_in_token where email = $1', [email])).toEqual([])
  })

  it('refuses a token that was never sent, and text that is not a token', async () => {
    for (const token of ['A'.repeat(43), 'password']) {
      const { status, json } = await postToken(api, token)
      expect([status, json.error.details]).toEqual([401, { reason: 'unknown' }])
    }
  })

  it('stores neither the token nor the link', async () => {
    const { email } = await createMember()
    await askForLink(api, email)
    const token = readToken(await mail.receive(email))

    const rows = await readRows(
      database.url,
      `select t::text as row from accounts.sign_in_token t
        union all select m::text from accounts.mail m union all select w::text from accounts.sign_in_window w`,
    )

    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it("ends the browser's previous session", async () => {
    const { email } = await createMember()
    await askForLink(api, email)
    const first = await postToken(api, readToken(await mail.receive(email)))
    const cookie = (first.headers['set-cookie'] ?? '').split(';', 1)[0] ?? ''
    await askForLink(api, email)

    const second = await postToken(api, readToken(await mail.receive(email)), { Cookie: cookie })

    expect(second.status).toBe(201)
    expect(second.headers['set-cookie']).not.toContain(cookie)
    expect((await useCookie(api, cookie).get(PING)).json.error.details).toEqual({ reason: 'ended' })
  })

  it('changes nothing with a GET, which programs that check links in e-mails send', async () => {
    const { email } = await createMember()
    await askForLink(api, email)
    const token = readToken(await mail.receive(email))

    expect((await api.get('/console/api/sign-in/token', { key: null })).status).toBe(405)
    expect((await postToken(api, token)).status).toBe(201)
  })

  it.each([
    '',
    'ada',
    'ada@',
    'ada@example.org\r\nBcc: eve@example.org',
    'a@b,c@d',
    '"a b"@example.org',
    'ädä@example.org',
  ])('answers 400 for the e-mail address %j', async (email) => {
    expect((await askForLink(api, email)).status).toBe(400)
  })

  it('allows 5 links for an e-mail address in 15 minutes, even for unknown addresses', async () => {
    const { email } = await createMember()
    for (const each of [email, 'nowhere@example.net']) {
      const statuses: number[] = []
      for (let sent = 0; sent < 6; sent += 1) statuses.push((await askForLink(api, each)).status)
      expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    }
  })
})

describe("A member's sessions", () => {
  async function signIn(email: string) {
    await askForLink(api, email)
    const { headers } = await postToken(api, readToken(await mail.receive(email)))
    return useCookie(api, (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '')
  }

  it('are listed, and end one by one or all at once', async () => {
    const { email } = await createMember()
    const [first, second, third] = [await signIn(email), await signIn(email), await signIn(email)]
    const { json } = await first.get('/console/api/sessions')
    const sessions: readonly { id: string; is_current: boolean; method: string }[] = json.data.sessions
    expect(sessions.map(({ is_current, method }) => [is_current, method])).toEqual([
      [false, 'link'],
      [false, 'link'],
      [true, 'link'],
    ])

    expect((await first.send('DELETE', `/console/api/sessions/${sessions[0]?.id}`)).status).toBe(204)
    expect((await third.get(PING)).status).toBe(401)
    expect((await second.get(PING)).status).toBe(200)
    expect((await first.send('DELETE', '/console/api/sessions/0123456789abcdef')).status).toBe(404)
    expect((await first.send('DELETE', '/console/api/sessions')).json.data).toEqual({ ended_sessions: 2 })
    expect((await second.get(PING)).status).toBe(401)
  })

  it('cannot be ended by another member of the account', async () => {
    const [own, other] = [await createMember(), await createMember('admin')]
    const [session, stranger] = [await signIn(own.email), await signIn(other.email)]
    const { json } = await session.get('/console/api/sessions')

    expect((await stranger.send('DELETE', `/console/api/sessions/${json.data.sessions[0].id}`)).status).toBe(404)
    expect((await session.get(PING)).status).toBe(200)
  })

  it("appear in the account's usage under key 0", async () => {
    const session = await signIn((await createMember()).email)
    await session.get('/console/api/v1/cves?limit=1')

    const rows = await readRows(
      database.url,
      'select key_id, endpoint from accounts.usage_daily where account_id = $1',
      [owner.id],
    )
    expect(rows).toContainEqual({ key_id: '0', endpoint: 'console' })
  })

  it('describe the member at GET /console/api/session', async () => {
    const { email, id } = await createMember('viewer')
    const session = await signIn(email)

    const { json } = await session.get(SESSION_PATH)

    expect(json.data.session).toMatchObject({ member: { id, email }, signed_in_with: { method: 'link' } })
  })
})
