import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { defineEndpoint } from '../../../src/api/services.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { signIn } from '../../support/console.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const defaults = {
  method: 'GET',
  tag: 'Service',
  summary: 'A test endpoint',
  description: 'Exists only in tests.',
  access: 'key',
  credits: 1,
  consumesRate: true,
  work: 'none',
  cacheControl: 'no-store',
  errors: ['NOT_FOUND'],
  answer: async () => ({ data: {} }),
} as const
const response = (name: string) => ({ name, schema: Type.Object({}) })

const { api, given, database } = await startTestService({
  environment: { CONSOLE_KEY_SIGN_IN: 'on' },
  endpoints: [
    ...endpoints,
    defineEndpoint({ ...defaults, name: 'without-rule', path: '/api/v1/without-rule', response: response('A') }),
    defineEndpoint({
      ...defaults,
      name: 'for-admins',
      path: '/api/v1/for-admins',
      response: response('B'),
      console: { minRole: 'admin', cost: 'charged' },
    }),
  ],
})

async function createSession(role: 'viewer' | 'admin' | 'owner') {
  const key = createTestKey()
  const owner = account('pro').withKey(key)
  await given(owner)
  const session = await signIn(api, key.key)
  await readRows(database.url, 'update accounts.session set role = $2 where account_id = $1', [owner.id, role])
  return { ...session, accountId: owner.id }
}

/** Parts of a snapshot are large files for programs, so the console does not offer them. */
const FOR_PROGRAMS = ['list-snapshots', 'get-snapshot-part']

describe('Endpoints under /console/api/v1', () => {
  it('do not include an endpoint that has no console rule', async () => {
    const session = await createSession('owner')

    expect((await session.get('/console/api/v1/without-rule')).status).toBe(404)
    expect((await api.get('/api/v1/without-rule')).status).toBe(200)
  })

  it('refuse a viewer if they require an admin', async () => {
    const session = await createSession('viewer')

    const { status, json } = await session.get('/console/api/v1/for-admins')

    expect(status).toBe(403)
    expect(json.error.message).toContain('viewer')
  })

  it.each(['admin', 'owner'] as const)(
    'accept the role %s if they require an admin, and charge credits',
    async (role) => {
      const session = await createSession(role)

      expect((await session.get('/console/api/v1/for-admins')).status).toBe(200)
      const [row] = await readRows(
        database.url,
        "select sum(cost_half)::integer as cost from accounts.ledger where account_id = $1 and kind = 'charge'",
        [session.accountId],
      )
      expect(row).toEqual({ cost: 2 })
    },
  )

  it.each(endpoints.filter(({ access, name }) => access === 'key' && !FOR_PROGRAMS.includes(name)))(
    'include $name as a free read for viewers, unless it manages, changes a state or exports',
    ({ name, console: rule, scope, method }) => {
      const changes = scope === 'manage' || (scope === 'triage' && method === 'POST')
      const cost = name === 'export-cves' ? 'charged' : 'read'
      expect(rule).toMatchObject({ minRole: changes ? 'admin' : 'viewer', cost })
    },
  )
})
