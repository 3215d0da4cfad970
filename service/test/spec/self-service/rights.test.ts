// Every endpoint that needs the scope manage, with every type of credential and with ids from another account.
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import type { ApiAnswer } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { type SignedIn, signIn } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ environment: { CONSOLE_KEY_SIGN_IN: 'on' } })
const { api, database, given } = service

const managed = endpoints.filter(({ scope }) => scope === 'manage')

/** An id of a key that no account has. */
const ABSENT_ID = '999999999999'
const ABSENT_ORIGIN = 'https://absent.example'
const FOREIGN_ORIGIN = 'https://foreign.example'
const FOREIGN_NAME = 'name of a foreign key'
const FOREIGN_EMAIL = 'ada@foreign.example'

const [reader, manager] = [createTestKey(), createTestKey()]
const own = account('pro')
  .withKey(reader, { name: 'reader' })
  .withKey(manager, { name: 'manager', scopes: ['read', 'manage'] })
const foreign = account('pro')
  .withKey(createTestKey(), { name: FOREIGN_NAME, scopes: ['manage'] })
  .withKey(createTestKey(), { name: FOREIGN_NAME, revoked: true })
  .withKey(createTestKey(), { name: FOREIGN_NAME, expired: true })
  .withOrigins(FOREIGN_ORIGIN)
await given(own, foreign)
const foreignKeys = await readRows(database.url, 'select id, last_four from accounts.api_key where account_id = $1', [
  foreign.id,
])
const foreignMembers = await readRows(
  database.url,
  `insert into accounts.member (account_id, email, role, joined_at)
   values ($1, $2, 'owner', now()), ($1, 'bob@foreign.example', 'viewer', now())
   returning id`,
  [foreign.id, FOREIGN_EMAIL],
)

interface Sent {
  readonly endpoint: (typeof managed)[number]
  /** Id of a key or of a member, for an endpoint with such an id in its path. */
  readonly id: string
  readonly origin: string
}

interface Credential {
  send(method: string, path: string, body: string): Promise<ApiAnswer>
}

const withKey = (key: string): Credential => ({
  send: (method, path, body) =>
    api.send(method, path, {
      key,
      ...(method === 'POST' && { headers: { 'Content-Type': 'application/json' }, body }),
    }),
})

const withSession = (session: SignedIn): Credential => ({
  send: (method, path, body) =>
    method === 'POST' ? session.send(method, `/console${path}`, body) : session.get(`/console${path}`),
})

/** Values for the body fields of all endpoints. Each endpoint gets the ones that it accepts. */
const VALUES = { name: 'new', scopes: ['read'], overlap_hours: 1, email: 'new@own.example', role: 'viewer' }

function send(credential: Credential, { endpoint, id, origin }: Sent): Promise<ApiAnswer> {
  // Any account may add any origin, so adding a foreign one would prove nothing.
  const values = { ...VALUES, origin: endpoint.name === 'add-origin' ? 'https://own.example' : origin }
  const body = Object.fromEntries(Object.entries(values).filter(([name]) => endpoint.body && name in endpoint.body))
  return credential.send(endpoint.method, endpoint.path.replace(/\{(?:key|member)-id\}/, id), JSON.stringify(body))
}

/** Returns the error without the id or origin that the request named. */
function hideNames({ json }: ApiAnswer, id: string): string {
  return JSON.stringify(json.error)
    .replaceAll(`key ${id}`, 'key')
    .replaceAll(`member ${id}`, 'member')
    .replaceAll(ABSENT_ORIGIN, 'origin')
    .replaceAll(FOREIGN_ORIGIN, 'origin')
}

/** Compares the answer for another account's id and origin with the answer for ids that do not exist. */
function expectNothingForeign(endpoint: Sent['endpoint'], id: string, absent: ApiAnswer, answer: ApiAnswer): void {
  for (const secret of [FOREIGN_NAME, FOREIGN_EMAIL, ...foreignKeys.map(({ last_four }) => `"${last_four}"`)])
    expect(answer.text).not.toContain(secret)
  if (endpoint.name !== 'remove-origin') expect(answer.text).not.toContain(FOREIGN_ORIGIN)
  if (endpoint.errors.includes('NOT_FOUND'))
    expect([answer.status, hideNames(answer, id)]).toEqual([404, hideNames(absent, ABSENT_ID)])
}

/** Everything that the database stores about an account, except the last use of its keys. */
async function readState(accountId: string): Promise<string> {
  const [row] = await readRows(
    database.url,
    `select jsonb_build_object(
       'keys', (select jsonb_agg(to_jsonb(key) order by key.id) from accounts.api_key key where key.account_id = $1),
       'members', (select jsonb_agg(to_jsonb(member) order by member.id) from accounts.member member where member.account_id = $1),
       'origins', (select jsonb_agg(to_jsonb(origin) order by origin) from accounts.account_origin origin where origin.account_id = $1),
       'audit', (select jsonb_agg(to_jsonb(entry) order by entry.id) from accounts.audit entry where entry.account_id = $1)
     )::text as state`,
    [accountId],
  )
  return row.state
}

describe('Account management endpoints', () => {
  it('are exactly the listed ones', () => {
    expect(managed.map(({ name }) => name)).toEqual([
      'list-keys',
      'create-key',
      'rotate-key',
      'revoke-key',
      'list-origins',
      'add-origin',
      'remove-origin',
      'list-audit',
      'export-audit',
      'list-members',
      'invite-member',
      'change-member-role',
      'remove-member',
    ])
    for (const { name, credits, consumesRate, cacheControl, console: rule } of managed)
      expect([name, credits, consumesRate, cacheControl, rule?.minRole]).toEqual([name, 0, true, 'no-store', 'admin'])
  })

  it("change nothing and show nothing with a read-only key or with a viewer's session", async () => {
    const viewer = withSession(await signIn(api, manager.key))
    const before = await Promise.all([readState(own.id), readState(foreign.id)])
    for (const endpoint of managed) {
      const sent = { endpoint, id: foreignKeys[0].id, origin: 'https://new.example' }
      const [byKey, bySession] = [await send(withKey(reader.key), sent), await send(viewer, sent)]
      expect([endpoint.name, byKey.status, byKey.json.error.details]).toEqual([
        endpoint.name,
        403,
        { required_scope: 'manage' },
      ])
      expect([endpoint.name, bySession.status, bySession.json.error.message]).toEqual([
        endpoint.name,
        403,
        'The role viewer may not call this endpoint. Ask an owner of the account.',
      ])
    }
    expect(await Promise.all([readState(own.id), readState(foreign.id)])).toEqual(before)
  })

  it("answer for another account's id exactly as for an id that does not exist", async () => {
    const session = await signIn(api, manager.key)
    await readRows(database.url, "update accounts.session set role = 'admin' where account_id = $1", [own.id])
    const before = await readState(foreign.id)
    for (const caller of [withKey(manager.key), withSession(session)]) {
      for (const endpoint of managed) {
        const absent = await send(caller, { endpoint, id: ABSENT_ID, origin: ABSENT_ORIGIN })
        for (const { id } of endpoint.path.includes('{member-id}') ? foreignMembers : foreignKeys)
          expectNothingForeign(endpoint, id, absent, await send(caller, { endpoint, id, origin: FOREIGN_ORIGIN }))
      }
    }
    expect(await readState(foreign.id)).toBe(before)
  })

  it("accept an admin's session as the credential", async () => {
    const session = withSession(await signIn(api, manager.key))
    await readRows(database.url, "update accounts.session set role = 'admin' where account_id = $1", [own.id])

    await expect
      .poll(
        async () =>
          (await session.send('POST', '/api/v1/keys', '{"name":"console","scopes":["read","manage"]}')).status,
      )
      .toBe(200)
    expect((await session.send('GET', '/api/v1/usage/breakdown?by=endpoint', '')).json.data.rows).toContainEqual(
      expect.objectContaining({ endpoint: 'console', credits: 0 }),
    )
  })
})
