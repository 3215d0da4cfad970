// Every triage endpoint with every type of credential, and with what another account has stored.
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import type { ApiAnswer } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { type SignedIn, signIn } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'
import { createTriager, openSession, set } from './triage-setup.ts'

const service = await startTestService({ environment: { CONSOLE_KEY_SIGN_IN: 'on' } })
const { api, database, given } = service

const triage = endpoints.filter(({ scope }) => scope === 'triage')
const SECRET = 'a note of another account'
const FOREIGN_CVE = 'CVE-2024-7777'
const ABSENT_CVE = 'CVE-2024-8888'

const foreign = await createTriager(service)
await set(api, foreign, { cve_id: FOREIGN_CVE, scope: 'pkg:npm/foreign', state: 'fixed', note: SECRET })

const [reader, manager, keyed] = [createTestKey(), createTestKey(), createTestKey()]
const own = account('pro')
  .withKey(reader)
  .withKey(manager, { scopes: ['read', 'manage'] })
  .withKey(keyed, { scopes: ['read', 'triage'] })
await given(own)
const sessions = {
  viewer: (await openSession(service, own.id, 'viewer')).session,
  admin: (await openSession(service, own.id, 'admin')).session,
  owner: (await openSession(service, own.id, 'owner')).session,
}

type Send = (method: string, path: string, body: object | undefined) => Promise<ApiAnswer>

const withKey =
  (key: string): Send =>
  (method, path, body) =>
    api.send(method, path, {
      key,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })

const withSession =
  (session: SignedIn): Send =>
  (method, path, body) =>
    method === 'GET'
      ? session.get(`/console${path}`)
      : session.send(method, `/console${path}`, JSON.stringify(body ?? {}))

const entry = (cve: string) => ({ cve_id: cve, scope: 'pkg:npm/foreign' })
const document = (cve: string) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  statements: [{ vulnerability: { name: cve }, products: [{ '@id': 'pkg:npm/foreign' }], status: 'fixed' }],
})

/** A body that each endpoint accepts. */
const BODIES: Readonly<Record<string, (cve: string) => object>> = {
  'set-triage': (cve) => ({ ...entry(cve), state: 'fixed' }),
  'bulk-triage': (cve) => ({ remove: [{ ...entry(cve), revision: 1 }] }),
  'remove-triage': (cve) => ({ ...entry(cve), revision: 1 }),
  'import-triage': (cve) => ({ document: document(cve) }),
}

const call = (send: Send, { name, method, path }: (typeof triage)[number], cve: string) =>
  send(method, path.replace('{cve-id}', cve), BODIES[name]?.(cve))

const readState = async (accountId: string) =>
  (
    await readRows(
      database.url,
      `select entry.*, stored.* from accounts.triage_entry entry
         join accounts.triage_revision stored on stored.entry_id = entry.id
        where entry.account_id = $1 order by stored.entry_id, stored.revision`,
      [accountId],
    )
  ).map((row) => JSON.stringify(row))

describe('Triage endpoints', () => {
  it('are free and count in the free window', () => {
    for (const { name, credits, consumesRate, cacheControl, method, console: rule } of triage)
      expect([name, credits, consumesRate, cacheControl, rule?.minRole]).toEqual([
        name,
        0,
        true,
        'no-store',
        method === 'GET' ? 'viewer' : 'admin',
      ])
  })

  it.each(triage)('$name needs a key with the scope triage', async (endpoint) => {
    for (const key of [reader.key, manager.key]) {
      const { status, json } = await call(withKey(key), endpoint, ABSENT_CVE)
      expect([status, json.error.details]).toEqual([403, { required_scope: 'triage' }])
    }
  })

  it.each(triage)('$name with the roles of members: viewers read, admins and owners change', async (endpoint) => {
    const statuses = await Promise.all(
      Object.values(sessions).map(async (each) => (await call(withSession(each), endpoint, 'CVE-2024-6666')).status),
    )
    const isRead = endpoint.method === 'GET'
    expect(statuses[0] === 403).toBe(!isRead)
    expect(statuses.slice(1)).not.toContain(403)
  })

  it('refuse a session that was made from a key without the scope', async () => {
    const session = withSession(await signIn(api, reader.key))
    for (const endpoint of triage) expect((await call(session, endpoint, ABSENT_CVE)).status).toBe(403)
    const allowed = withSession(await signIn(api, keyed.key))
    expect((await allowed('GET', '/api/v1/triage', undefined)).status).toBe(200)
  })

  it('show nothing of another account, and answer for its entries as for those that nobody has', async () => {
    const before = await readState(foreign.accountId)
    const callers = [withKey(keyed.key), withSession(sessions.admin), withSession(sessions.owner)]
    for (const send of callers) {
      for (const endpoint of triage) {
        const [absent, found] = [await call(send, endpoint, ABSENT_CVE), await call(send, endpoint, FOREIGN_CVE)]
        expect(found.text).not.toContain(SECRET)
        expect([endpoint.name, found.status]).toEqual([endpoint.name, absent.status])
        const hide = ({ json }: ApiAnswer) =>
          JSON.stringify(json.data ?? json.error)
            .replaceAll(FOREIGN_CVE, 'CVE')
            .replaceAll(ABSENT_CVE, 'CVE')
        if (absent.status !== 200) expect(hide(found)).toBe(hide(absent))
      }
    }
    expect(await readState(foreign.accountId)).toEqual(before)
  })

  it("refuse another account's cursor", async () => {
    await set(api, foreign, { cve_id: ABSENT_CVE, scope: '*', state: 'affected' })
    const { json } = await api.get('/api/v1/triage?limit=1', { key: foreign.key })
    const cursor = json.data.pagination.nextCursor
    expect(cursor).toEqual(expect.any(String))
    expect((await api.get(`/api/v1/triage?limit=1&after=${cursor}`, { key: keyed.key })).status).toBe(400)
  })

  it("keep an erased member's entries under the member's id, without the e-mail address", async () => {
    const { memberId, session } = await openSession(service, foreign.accountId, 'admin')
    const made = await session.send(
      'POST',
      '/console/api/v1/triage',
      JSON.stringify({ cve_id: 'CVE-2024-5555', scope: '*', state: 'affected' }),
    )
    expect(made.status).toBe(200)
    await readRows(database.url, 'update accounts.member set removed_at = now(), email = null where id = $1', [
      memberId,
    ])
    const { text, json } = await api.get('/api/v1/triage/cve/CVE-2024-5555', { key: foreign.key })
    expect(json.data.triage_entries[0].set_by).toBe(`member:${memberId}`)
    expect(text).not.toContain('@')
    const [row] = await readRows(
      database.url,
      `select (select string_agg(entry::text, '') from accounts.triage_entry entry)
           || (select string_agg(stored::text, '') from accounts.triage_revision stored) as stored`,
    )
    expect(row.stored).not.toContain('@example.org')
  })
})
