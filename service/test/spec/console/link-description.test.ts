// The page of a one-time link asks who would be signed in before the link is used.
import { describe, expect, it } from 'vitest'
import { account } from '../../support/builders.ts'
import { askForLink, describeToken, postToken } from '../../support/console.ts'
import { addMember } from '../../support/members.ts'
import { readToken, startMailServer } from '../../support/network/mail-server.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const mail = await startMailServer()
const environment = {
  SMTP_URL: mail.url,
  MAIL_FROM: 'vis@example.org',
  PUBLIC_URL: 'http://127.0.0.1',
  TRUST_PROXY: '127.0.0.1',
}
const service = await startTestService({ environment: { ...environment, SIGN_UP: 'open' } })
const { api, given, database, logLines } = service
const { url } = database
let count = 0

/** Sends a link to a member of a new account. */
async function sendLink(): Promise<{ readonly email: string; readonly token: string; readonly accountId: string }> {
  const owner = account('business')
  await given(owner)
  count += 1
  const email = `person${count}@example.org`
  await addMember(url, { accountId: owner.id, email, role: 'viewer' })
  return { email, token: await receiveToken(email), accountId: owner.id }
}

async function receiveToken(email: string): Promise<string> {
  expect((await askForLink(api, email)).status).toBe(202)
  return readToken(await mail.receive(email))
}

describe('The description of a one-time link', () => {
  it('names the e-mail address and account each time it is requested, and does not use up the link', async () => {
    const { email, token } = await sendLink()
    const sessions = 'select count(*)::integer as n from accounts.session'
    const before = await readRows(url, sessions)

    // Programs that scan mail may run the page's script, which asks as well.
    for (let asked = 0; asked < 25; asked += 1) {
      const { status, json, headers } = await describeToken(api, token)
      expect([status, json.data]).toEqual([200, { email, account: { name: 'a business account' } }])
      expect([headers['set-cookie'], headers['cache-control']]).toEqual([undefined, 'no-store'])
    }

    expect(await readRows(url, sessions)).toEqual(before)
    expect((await postToken(api, token)).json.data.session.member.email).toBe(email)
    const logged = logLines.join('')
    for (const secret of [token, email]) expect(logged).not.toContain(secret)
  })

  it.each([
    ['used', 'update accounts.sign_in_token set used_at = now() where email = $1'],
    ['expired', 'update accounts.sign_in_token set expires_at = now() where email = $1'],
    ['removed', 'update accounts.member set removed_at = now() where email = $1'],
    ['removed', 'update accounts.member set has_group_role = true where email = $1'],
    [
      'suspended',
      'update accounts.account set suspended_at = now() where id = (select account_id from accounts.member where email = $1)',
    ],
  ])('reveals only the reason if the link is refused: %s', async (reason, statement) => {
    const { email, token } = await sendLink()
    await readRows(url, statement, [email])

    const [described, used] = [await describeToken(api, token), await postToken(api, token)]

    expect([described.status, described.json.error.details]).toEqual([401, { reason }])
    expect(described.json.error).toEqual(used.json.error)
    for (const secret of [email, 'a business account']) expect(described.text).not.toContain(secret)
  })

  it('refuses an invitation for a person who belongs to another account, just as using the link would', async () => {
    const { accountId } = await sendLink()
    const invited = 'invited@example.org'
    await addMember(url, { accountId, email: invited, role: 'viewer', isInvited: true })
    const [member] = await readRows(url, 'select id from accounts.member where email = $1', [invited])
    await readRows(url, 'select accounts.send_invitation($1, null)', [member.id])
    const other = account('pro')
    await given(other)
    await addMember(url, { accountId: other.id, email: invited, role: 'viewer' })
    await askForLink(api, (await sendLink()).email)
    const token = readToken(await mail.receive(invited))

    expect((await describeToken(api, token)).json.error.details).toEqual({ reason: 'elsewhere' })
    expect((await postToken(api, token)).json.error.details).toEqual({ reason: 'elsewhere' })
  })

  it('says that a sign-up creates an account, and names the account afterwards', async () => {
    const email = 'new@example.net'
    const [first, second] = [await receiveToken(email), await receiveToken(email)]

    expect((await describeToken(api, first)).json.data).toEqual({ email, account: null })
    expect((await postToken(api, first)).status).toBe(201)
    expect((await describeToken(api, second)).json.data.account.name).toMatch(/^Sign-up of /)
  })

  it('counts guessed tokens together with those from sign-ins, but not tokens that exist', async () => {
    const client = { 'X-Forwarded-For': '198.51.100.77' }
    const { token } = await sendLink()
    for (let guesses = 0; guesses < 10; guesses += 1) {
      expect((await describeToken(api, 'A'.repeat(43), client)).json.error.details).toEqual({ reason: 'unknown' })
      expect((await describeToken(api, token, client)).status).toBe(200)
      expect((await postToken(api, 'no token', client)).status).toBe(401)
    }

    for (const refused of [await describeToken(api, token, client), await postToken(api, token, client)])
      expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    expect((await describeToken(api, token)).status).toBe(200)
  })

  it('is refused after 60 requests from one network in a minute, but the link still signs in', async () => {
    const client = { 'X-Forwarded-For': '198.51.100.78' }
    const { email, token } = await sendLink()
    for (let looks = 0; looks < 60; looks += 1) expect((await describeToken(api, token, client)).status).toBe(200)

    const refused = await describeToken(api, token, client)

    expect([refused.status, refused.json.error.message]).toEqual([429, expect.stringContaining('The link stays valid')])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await describeToken(api, token)).status, 'another network').toBe(200)
    expect((await postToken(api, token, client)).json.data.session.member.email).toBe(email)
  })

  it('requires a POST', async () => {
    expect((await api.get('/console/api/sign-in/token/description', { key: null })).status).toBe(405)
  })
})
