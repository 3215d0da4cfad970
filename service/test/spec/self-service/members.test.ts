import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../../support/api.ts'
import { postToken, type SignedIn, startSecondNode, useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { readRows } from '../../support/run-statements.ts'
import { createManager, post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { PUBLIC_URL: 'http://127.0.0.1' }, hasIdentity: true })
const { api, database } = service
const { url } = database
const PING = '/console/api/v1/ping'
const MEMBERS = '/api/v1/members'
let count = 0

function createEmail(): string {
  count += 1
  return `person${count}@example.org`
}

/** Adds a member who has joined, with a session. */
async function createMember(accountId: string, role: string): Promise<SignedIn & { id: string; email: string }> {
  const email = createEmail()
  const id = await addMember(url, { accountId, email, role })
  return { ...useCookie(api, await openMemberSession(url, id)), id, email }
}

const invite = (key: string, email: string, role: string) => post(api, key, MEMBERS, { email, role })
const readLinkToken = ({ json }: ApiAnswer) => String(json.data.link).split('#')[1] ?? ''
const inConsole = (session: SignedIn, path: string, body: object = {}) =>
  session.send('POST', `/console${path}`, JSON.stringify(body))

describe('POST /api/v1/members', () => {
  it('returns a link for the person to join with if no e-mail is sent', async () => {
    const { key } = await createManager(service)
    const email = createEmail()

    const invited = await invite(key, email.toUpperCase(), 'admin')
    const joined = await postToken(api, readLinkToken(invited))
    const list = await api.get(MEMBERS, { key })

    expect(invited.status).toBe(200)
    expect(invited.json.data).toMatchObject({
      member: { email, role: 'admin', state: 'invited', last_sign_in_day: null },
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1\/console\/enter#[\w-]{43}$/),
    })
    expect(joined.status).toBe(201)
    expect(list.json.data.members).toEqual([
      { ...invited.json.data.member, state: 'active', last_sign_in_day: new Date().toISOString().slice(0, 10) },
    ])
  })

  it('replaces the link of an earlier invitation', async () => {
    const { key } = await createManager(service)
    const email = createEmail()
    const [first, second] = [await invite(key, email, 'viewer'), await invite(key, email, 'admin')]

    expect((await postToken(api, readLinkToken(first))).json.error.details).toEqual({ reason: 'unknown' })
    const { json } = await postToken(api, readLinkToken(second))
    expect(json.data.session.role).toBe('admin')
    expect((await invite(key, email, 'viewer')).status).toBe(409)
  })

  it('does not reveal that the person is a member of another account; the returned link confirms no e-mail address', async () => {
    const [first, second] = [await createManager(service), await createManager(service)]
    const { email } = await createMember(first.accountId, 'viewer')

    const known = await invite(second.key, email, 'viewer')
    const unknown = await invite(second.key, createEmail(), 'viewer')
    const joined = await postToken(api, readLinkToken(known))

    expect(known.status).toBe(unknown.status)
    expect(Object.keys(known.json.data)).toEqual(Object.keys(unknown.json.data))
    expect(joined.status).toBe(201)
    const confirmed = 'select account_id from accounts.member where email = $1 and email_confirmed_at is not null'
    expect(await readRows(url, confirmed, [email])).toEqual([{ account_id: first.accountId }])
  })

  it.each([
    ['an admin', 'admin', 403],
    ['an owner', 'owner', 200],
    ['a viewer', 'viewer', 403],
  ])('lets %s invite an owner: %s', async (_name, role, status) => {
    const { accountId } = await createManager(service)
    const session = await createMember(accountId, role)

    expect((await inConsole(session, MEMBERS, { email: createEmail(), role: 'owner' })).status).toBe(status)
  })
})

describe('A key with a list of addresses', () => {
  it('neither invites nor promotes members, who could sign in from anywhere', async () => {
    const { key, accountId } = await createManager(service)
    const member = await createMember(accountId, 'viewer')
    await readRows(url, "update accounts.api_key set allowed_ips = '{127.0.0.0/8}' where account_id = $1", [accountId])

    expect((await invite(key, createEmail(), 'viewer')).json.error.details).toEqual({ reason: 'allowed_ips' })
    expect((await post(api, key, `${MEMBERS}/${member.id}/role`, { role: 'admin' })).status).toBe(403)
    expect((await post(api, key, `${MEMBERS}/${member.id}/remove`)).status).toBe(200)
  })
})

describe('POST /api/v1/members/{member-id}/remove', () => {
  it("ends the member's sessions on every node within 2 s", async () => {
    const { key, accountId } = await createManager(service)
    const member = await createMember(accountId, 'viewer')
    const elsewhere = useCookie(await startSecondNode(service), member.cookie)
    expect([(await member.get(PING)).status, (await elsewhere.get(PING)).status]).toEqual([200, 200])

    const { status } = await post(api, key, `${MEMBERS}/${member.id}/remove`)

    expect(status).toBe(200)
    const started = performance.now()
    for (const each of [member, elsewhere]) {
      while ((await each.get(PING)).status === 200 && performance.now() - started < 10_000) await sleep(20)
      expect((await each.get(PING)).json.error.details).toEqual({ reason: 'ended' })
    }
    expect(performance.now() - started).toBeLessThan(2000)
    expect((await post(api, key, `${MEMBERS}/${member.id}/remove`)).status).toBe(404)
  })

  it('keeps the last owner, even if two owners remove each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { accountId } = await createManager(service)
      const [first, second] = [await createMember(accountId, 'owner'), await createMember(accountId, 'owner')]

      const answers = await Promise.all([
        inConsole(first, `${MEMBERS}/${second.id}/remove`),
        inConsole(second, `${MEMBERS}/${first.id}/remove`),
        inConsole(first, `${MEMBERS}/${first.id}/role`, { role: 'viewer' }),
      ])

      const owners = await readRows(
        url,
        "select id from accounts.member where account_id = $1 and role = 'owner' and removed_at is null",
        [accountId],
      )
      expect(owners, JSON.stringify(answers.map(({ status }) => status))).toHaveLength(1)
    }
  })

  it('answers 409 for the last owner and says what to do', async () => {
    const { accountId } = await createManager(service)
    const owner = await createMember(accountId, 'owner')

    const { status, json } = await inConsole(owner, `${MEMBERS}/${owner.id}/remove`)

    expect([status, json.error.code]).toEqual([409, 'CONFLICT'])
    expect(json.error.message).toContain('Make another member an owner first')
  })

  it('does not let an admin or a key remove or change an owner, and reveals no members of other accounts', async () => {
    const [own, other] = [await createManager(service), await createManager(service)]
    const owner = await createMember(own.accountId, 'owner')
    const admin = await createMember(own.accountId, 'admin')

    expect((await inConsole(admin, `${MEMBERS}/${owner.id}/remove`)).status).toBe(403)
    expect((await inConsole(admin, `${MEMBERS}/${owner.id}/role`, { role: 'viewer' })).status).toBe(403)
    expect((await inConsole(admin, `${MEMBERS}/${admin.id}/role`, { role: 'owner' })).status).toBe(403)
    expect((await post(api, own.key, `${MEMBERS}/${owner.id}/remove`)).status).toBe(403)
    expect((await post(api, other.key, `${MEMBERS}/${owner.id}/remove`)).status).toBe(404)
  })

  it("keeps a removed member's keys valid, names the member in the audit log, and lets others revoke the keys", async () => {
    const { key, accountId } = await createManager(service)
    const session = await createMember(accountId, 'admin')
    const memberId = session.id
    const created = await inConsole(session, '/api/v1/keys', { name: 'mine', scopes: ['read'] })
    const { key: made, secret } = created.json.data

    expect((await post(api, key, `/api/v1/members/${memberId}/remove`)).status).toBe(200)

    await expect.poll(async () => (await session.get('/console/api/v1/ping')).status, { timeout: 10_000 }).toBe(401)
    expect((await api.get('/api/v1/ping-lite', { key: secret })).status).toBe(200)
    const { json } = await api.get('/api/v1/audit', { key })
    expect(json.data.audit).toContainEqual(
      expect.objectContaining({ actor: `member:${memberId}`, action: 'key.issue', key_id: made.id }),
    )
    expect((await post(api, key, `/api/v1/keys/${made.id}/revoke`)).status).toBe(200)
    await expect.poll(async () => (await api.get('/api/v1/ping-lite', { key: secret })).status).toBe(401)
  })
})

describe('POST /api/v1/members/{member-id}/role', () => {
  it('gives open sessions the new role at once, and names the member as actor in the audit log', async () => {
    const { accountId } = await createManager(service)
    const [owner, member] = [await createMember(accountId, 'owner'), await createMember(accountId, 'admin')]
    expect((await member.get(`/console${MEMBERS}`)).status).toBe(200)

    const { json } = await inConsole(owner, `${MEMBERS}/${member.id}/role`, { role: 'viewer' })

    expect(json.data.member).toMatchObject({ id: member.id, role: 'viewer' })
    const started = performance.now()
    while ((await member.get(`/console${MEMBERS}`)).status === 200 && performance.now() - started < 10_000)
      await sleep(20)
    expect(performance.now() - started).toBeLessThan(2000)
    const audit = await owner.get('/console/api/v1/audit')
    expect(audit.json.data.audit[0]).toMatchObject({
      actor: `member:${owner.id}`,
      action: 'member.role',
      member_id: member.id,
      details: { role: 'viewer', role_before: 'admin' },
    })
    expect(audit.text).not.toContain(member.email)
  })
})
