// The process that decides on sign-ins: what happens without it, and what a node may tell it.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTokenWithDigest } from '../../../src/accounts/keys/token.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Api } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { askForLink, postKey, postToken, SESSION_PATH } from '../../support/console.ts'
import { startTestIdentity, storeRules } from '../../support/identity.ts'
import { addMember, createLinkToken } from '../../support/members.ts'
import { readToken, startMailServer } from '../../support/network/mail-server.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const mail = await startMailServer()
const SETTINGS = { SMTP_URL: mail.url, MAIL_FROM: 'vis@example.org', PUBLIC_URL: 'http://127.0.0.1', SIGN_UP: 'open' }

const readWays = async (api: Api) => (await api.get(SESSION_PATH, { key: null })).json.data.sign_in

describe('A node without a sign-in process', async () => {
  const key = createTestKey()
  const owner = account('pro').withKey(key)
  const service = await startTestService({
    environment: { ...SETTINGS, CONSOLE_KEY_SIGN_IN: 'on' },
    hasIdentity: false,
  })
  const { api, database } = service
  await service.given(owner)

  it('says that members cannot sign in, and refuses them with 503 at once', async () => {
    const member = await addMember(database.url, { accountId: owner.id, email: 'ada@example.org', role: 'owner' })
    const token = await createLinkToken(database.url, member)
    const startedMs = performance.now()

    const answers = [
      await askForLink(api, 'ada@example.org'),
      await postToken(api, token),
      await api.get('/console/api/sign-in/oidc', { key: null }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(answers[0]?.json.error.message).toContain('Sign-in of members is switched off right now')
    expect(performance.now() - startedMs).toBeLessThan(2000)
    expect(await readWays(api)).toMatchObject({ members: 'off', link: false, mail: null, oidc: null, api_key: true })
    expect(await readRows(database.url, 'select from accounts.identity_request')).toEqual([])
  })

  it('still exchanges API keys for sessions, and answers calls with a key', async () => {
    expect((await postKey(api, key.key)).status).toBe(201)
    expect((await api.get('/api/v1/ping', { key: key.key })).status).toBe(200)
  })
})

describe('A node whose sign-in process has stopped', () => {
  it('says so when the last report is 15 s old', async () => {
    const { api, database, identity } = await startTestService({ environment: SETTINGS })
    expect(await readWays(api)).toMatchObject({ members: 'on', link: true, sign_up: 'open' })

    await identity?.stop()
    await readRows(database.url, "update accounts.identity_status set reported_at = now() - interval '16 seconds'")

    await expect.poll(() => readWays(api), { timeout: 10_000 }).toMatchObject({ members: 'off', link: false })
    expect((await askForLink(api, 'ada@example.org')).status).toBe(503)
  })
})

describe('A request that a node forwards', async () => {
  const service = await startTestService({ environment: SETTINGS })
  const { api, database } = service
  const owner = account('pro')
  await service.given(owner)

  it('is answered within two seconds and leaves no row', async () => {
    const member = await addMember(database.url, { accountId: owner.id, email: 'bob@example.org', role: 'viewer' })
    const token = await createLinkToken(database.url, member)
    const startedMs = performance.now()

    const { status } = await postToken(api, token)

    expect([status, performance.now() - startedMs < 2000]).toEqual([201, true])
    expect(await readRows(database.url, 'select from accounts.identity_request')).toEqual([])
  })

  it.each([
    ['token', { tokenDigest: 'x', sessionDigest: 'y', network: '192.0.2.1' }],
    ['token', {}],
    ['link', { email: 'a@example.org\r\nBcc: b@example.org', network: '192.0.2.1' }],
    ['oidc-start', { returnPath: '/console/' }],
  ])('fails if the node sends nonsense (%s, %j)', async (kind, parameters) => {
    const id = randomUUID()
    await readRows(database.url, 'select accounts.ask_identity($1, $2, $3, 5)', [id, kind, JSON.stringify(parameters)])
    const readAnswer = async () => {
      const [row] = await readRows(database.url, 'select accounts.take_identity_answer($1) as answer', [id])
      return row?.answer
    }
    await expect.poll(readAnswer, { timeout: 5000 }).toEqual({ failed: true })
  })

  it('is forgotten with its parameters if no node is waiting for it any longer', async () => {
    const id = randomUUID()
    await readRows(database.url, "select accounts.ask_identity($1, 'description', $2, 1)", [
      id,
      JSON.stringify({ tokenDigest: createTokenWithDigest().digest }),
    ])
    const readRequest = () => readRows(database.url, 'select parameters from accounts.identity_request')
    await expect.poll(readRequest, { timeout: 1000 }).toEqual([{ parameters: {} }])
    await expect.poll(readRequest, { timeout: 5000 }).toEqual([])
  })

  it('is refused while a thousand others wait', async () => {
    const { database: full } = await startTestService()
    const ask = () =>
      readRows(
        full.url,
        "select accounts.ask_identity(gen_random_uuid(), 'description', '{}', 30) from generate_series(1, 1000)",
      )
    await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'VI005' })
  })
})

describe('The sign-in rules', () => {
  it('are those in the database, not the settings of the process, which are compared with them', async () => {
    const logLines: string[] = []
    const { api, database, environment } = await startTestService({ environment: SETTINGS, hasIdentity: false })
    const identity = await startTestIdentity(environment)
    await askForLink(api, 'early@example.org')
    const token = readToken(await mail.receive('early@example.org'))
    await identity.stop()
    await storeRules(loadConfig({ ...environment, SIGN_UP: 'closed' }))
    await readRows(database.url, 'delete from accounts.identity_status')

    // A second process with SIGN_UP=open, as before; the owner of the database has since closed sign-ups.
    const second = await startTestIdentity(environment, { logLines, storesRules: false })
    const { status, json } = await postToken(api, token)

    expect([status, json.error.details.reason]).toEqual([401, 'unknown'])
    await expect.poll(() => logLines.join(''), { timeout: 5000 }).toContain('differ from the rules in the database')
    await second.stop()
  })

  it('are recorded in the audit log when they change', async () => {
    const { database, environment } = await startTestService()
    await storeRules(loadConfig({ ...environment, SIGN_UP: 'open', SMTP_URL: mail.url, MAIL_FROM: 'a@example.org' }))
    await storeRules(loadConfig({ ...environment, SIGN_UP: 'open', SMTP_URL: mail.url, MAIL_FROM: 'a@example.org' }))

    const rows = await readRows(database.url, "select details from accounts.audit where action = 'sign-in.rules'")
    expect(rows).toMatchObject([{ details: { allowsSignUp: true, freeLimitHalf: 2000 } }])
  })
})
