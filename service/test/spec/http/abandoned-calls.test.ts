// Work ends with its call (decision E41): an abandoned call's statements are cancelled, what the call holds is released
// when its work has ended, and its client has paid (decision A6).
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import type { IssuedKey } from '../../../src/accounts/keys/api-key.ts'
import { defineEndpoint } from '../../../src/api/services.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService, type TestService } from '../../support/service.ts'

/** Ends the work of the endpoint below, which ignores its signal. */
let endWork: () => void = () => {}

const defaults = {
  tag: 'Service',
  summary: 'A test endpoint',
  description: 'Exists only in tests.',
  method: 'GET',
  access: 'key',
  credits: 5,
  consumesRate: true,
  work: 'search',
  cacheControl: 'no-store',
  errors: [],
  response: { name: 'WorkProbe', schema: Type.Object({}, { additionalProperties: true }) },
} as const

const statementProbe = defineEndpoint({
  ...defaults,
  name: 'statement-probe',
  path: '/api/v1/probe/statement',
  answer: async (_input, { db }) => {
    await sql`select pg_sleep(20) as probe_of_work`.execute(db)
    return { data: {} }
  },
})

const stubbornProbe = defineEndpoint({
  ...defaults,
  name: 'stubborn-probe',
  path: '/api/v1/probe/stubborn',
  answer: () =>
    new Promise((resolve) => {
      endWork = () => resolve({ data: {} })
    }),
})

let service: TestService
let key: IssuedKey
beforeAll(async () => {
  service = await startTestService({
    endpoints: [statementProbe, stubbornProbe],
    environment: { DATABASE_STATEMENT_TIMEOUT_MS: '30000', CONCURRENT_CALLS_PER_ACCOUNT: '1' },
  })
  key = createTestKey()
  await service.given(account('pro').withKey(key))
})

/** Sends a call and closes the connection once `isRunning` is true. */
async function abandon(path: string, isRunning: () => Promise<boolean>): Promise<void> {
  const socket = connect(service.api.port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: probe\r\nX-API-Key: ${key.key}\r\n\r\n`)
  await expect.poll(isRunning, { timeout: 15_000 }).toBe(true)
  socket.destroy()
}

async function countStatements(): Promise<number> {
  const rows = await readRows(
    service.database.url,
    `select count(*)::integer as count
       from pg_stat_activity
      where state = 'active' and query like '%probe_of_work%' and pid <> pg_backend_pid() and datname = current_database()`,
  )
  return rows[0].count
}

async function readUsed(): Promise<number> {
  const rows = await readRows(
    service.database.url,
    'select coalesce(sum(used_half), 0)::integer as used from accounts.meter',
  )
  return rows[0].used
}

describe('A call whose client closes the connection', () => {
  it('has its statement cancelled and is charged', async () => {
    const before = await readUsed()
    await abandon('/api/v1/probe/statement', async () => (await countStatements()) === 1)

    await expect.poll(countStatements, { timeout: 10_000 }).toBe(0)
    await sleep(300)
    expect(await readUsed(), 'nothing is refunded').toBe(before + 10)
  })

  it('counts as a call in flight until its work has ended', async () => {
    let isRunning = false
    const earlier = endWork
    await abandon('/api/v1/probe/stubborn', async () => {
      isRunning = endWork !== earlier
      return isRunning
    })
    await sleep(200)

    const refused = await service.api.get('/api/v1/probe/stubborn', { key: key.key })
    expect(refused.status, 'the abandoned work still holds the only slot of the account').toBe(503)
    endWork()
    const previous = endWork
    const next = service.api.get('/api/v1/probe/stubborn', { key: key.key })
    await expect.poll(() => endWork !== previous).toBe(true)
    endWork()
    expect((await next).status).toBe(200)
  })
})
