// Takes the primary database away from an API node and gives it back: by stopping the PostgreSQL server, or by dropping
// the node's connections while operators can still reach the database.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../../../service/test/support/api.ts'
import { account, createTestKey, dataset } from '../../../service/test/support/builders.ts'
import { cve } from '../../../service/test/support/catalog/cve-builder.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import { createFaultyProxy } from '../../../service/test/support/network/faulty-proxy.ts'
import {
  postgresMissingReason,
  startPrivatePostgres,
} from '../../../service/test/support/processes/private-postgres.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { OUTAGE_TIMEOUTS, startTestService, type TestService } from '../../../service/test/support/service.ts'

const LITE = '/api/v1/ping-lite'
const POLL = { timeout: 60_000, interval: 50 }
/** Time after which a node looks up a cached API key again. */
const CACHE_LIFETIME_MS = 2000
const UNREACHABLE_URL = 'postgres://postgres@127.0.0.1:1/nothing'

const wait = () => sleep(CACHE_LIFETIME_MS + 200)

function expectUnavailable({ status, json, headers }: ApiAnswer): void {
  expect([status, json.error.code, json.error.message, headers['retry-after']]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    expect.stringMatching(/^The (database is not reachable|credits cannot be counted right now)\./),
    '1',
  ])
}

const DATASETS = [
  dataset('kev').holding(1404).fetchedAt('2026-08-21T23:00:00Z'),
  ...['epss', 'acsc', 'nvd', 'cve'].map((name) => dataset(name).holding(7).fetchedAt('2026-08-21T23:00:00Z')),
]

describe.skipIf(postgresMissingReason !== undefined)('API node whose PostgreSQL server is stopped', async () => {
  const postgres = await startPrivatePostgres()
  await migrateAll(postgres.url)
  const { api, given, clock } = await startTestService({
    environment: { ...OUTAGE_TIMEOUTS, DATABASE_URL: postgres.url },
  })
  await given(cve('CVE-2026-1000'), ...DATASETS)
  const unseen = createTestKey()
  await given(account('pro').withKey(unseen))

  it('serves health and pings from memory, refuses everything else with 503, and recovers', async () => {
    const before = (await api.get('/health')).json
    expect(before.status).toBe('ok')
    expect((await api.get('/api/v1/cve/CVE-2026-1000')).status).toBe(200)

    await postgres.stop('fast')
    await wait()
    clock.advance({ seconds: 90 })
    const health = await api.get('/health')
    const [ping, lite] = [await api.get('/api/v1/ping'), await api.get(LITE)]

    expect(health.status).toBe(200)
    expect(health.json.status).toBe('degraded')
    expect(health.json.datasets.kev).toEqual({ ...before.datasets.kev, age_seconds: 3690 })
    expect(Object.keys(health.json.datasets)).toEqual(Object.keys(before.datasets))
    expect([ping.status, ping.json.data]).toMatchObject([200, { status: 'degraded', database: { connected: false } }])
    expect([lite.status, lite.json.data.status]).toEqual([200, 'ok'])
    for (const path of ['/api/v1/usage', '/api/v1/stats', '/api/v1/cve/CVE-2026-1000', '/api/v1/kev'])
      expectUnavailable(await api.get(path))
    expectUnavailable(await api.get(LITE, { key: unseen.key }))

    await postgres.start()
    await expect.poll(async () => (await api.get('/health')).json.status, POLL).toBe('ok')
    for (const path of ['/api/v1/usage', '/api/v1/cve/CVE-2026-1000', LITE])
      await expect.poll(async () => (await api.get(path)).status, POLL).toBe(200)
    expect((await api.get('/api/v1/ping')).json.data).toMatchObject({ status: 'ok', database: { connected: true } })
  })
})

/** Starts a service that reaches the accounts database through a network that the test can cut. */
async function startCuttableService() {
  const { url } = await createTestDatabase()
  let isCut = false
  const proxy = await createFaultyProxy(() => (isCut ? UNREACHABLE_URL : url))
  const service = await startTestService({
    environment: { ...OUTAGE_TIMEOUTS, DATABASE_URL: url, DATABASE_READ_URL: url, ACCOUNTS_DATABASE_URL: proxy.url },
  })
  await service.given(cve('CVE-2026-1000'), ...DATASETS)
  return {
    ...service,
    cut: () => {
      isCut = true
      proxy.resetAll()
    },
    repair: () => {
      isCut = false
    },
    holdAll: proxy.holdAll,
    revoke: (digest: Buffer) =>
      runStatements(
        url,
        `update accounts.api_key set revoked_at = now() where digest = '\\x${digest.toString('hex')}'`,
      ),
  }
}

async function createKnownKey({ api, given }: Pick<TestService, 'api' | 'given'>) {
  const key = createTestKey()
  await given(account('pro').withKey(key))
  expect((await api.get(LITE, { key: key.key })).status).toBe(200)
  return key
}

describe('API node that cannot reach the accounts database', async () => {
  const service = await startCuttableService()
  const { api } = service

  it('reports degraded on /health, and refuses calls that it cannot charge', async () => {
    expect((await api.get('/health')).json.status).toBe('ok')
    service.cut()
    await expect.poll(async () => (await api.get('/health')).json.status, POLL).toBe('degraded')
    expectUnavailable(await api.get('/api/v1/cve/CVE-2026-1000'))
    service.repair()
    await expect.poll(async () => (await api.get('/health')).json.status, POLL).toBe('ok')
    await expect.poll(async () => (await api.get('/api/v1/cve/CVE-2026-1000')).status, POLL).toBe(200)
  })

  it('reports degraded on /health while the network drops all packets to the accounts database', async () => {
    expect((await api.get('/health')).json.status).toBe('ok')
    const release = service.holdAll()
    await expect.poll(async () => (await api.get('/health')).json.status, POLL).toBe('degraded')
    release()
    await expect.poll(async () => (await api.get('/health')).json.status, POLL).toBe('ok')
  })

  it('accepts a key that was revoked during the outage only for free checks, and refuses it after the outage', async () => {
    const { key, digest } = await createKnownKey(service)
    const { etag = '' } = (await api.get('/api/v1/cve/CVE-2026-1000', { key })).headers
    const revalidate = () => api.get('/api/v1/cve/CVE-2026-1000', { key, headers: { 'If-None-Match': etag } })
    expect((await revalidate()).status).toBe(304)
    // The CVE must stay in the cache: without the cache, the answer 304 would need the database anyway. The node first
    // reads the change log, which evicts the CVE.
    await sleep(1000)
    const isCached = async () => {
      await revalidate()
      return (await service.metrics.text()).includes('vis_record_cache_records 1')
    }
    await expect.poll(isCached, POLL).toBe(true)
    service.cut()
    await service.revoke(digest)
    await wait()
    expect((await api.get(LITE, { key })).status).toBe(200)
    expectUnavailable(await api.get('/api/v1/usage', { key }))
    expectUnavailable(await api.get('/api/v1/cve/CVE-2026-1000', { key }))
    // A 304 needs no charge, but an answer from a priced endpoint needs a key that is valid now.
    expectUnavailable(await revalidate())

    service.repair()
    await expect.poll(async () => (await api.get(LITE, { key })).status, POLL).toBe(401)
  })

  it('accepts a known key for free checks while the database does not respond at all', async () => {
    const { key } = await createKnownKey(service)
    const release = service.holdAll()
    await wait()
    const answers = [await api.get(LITE, { key }), await api.get(LITE, { key })]
    const usage = await api.get('/api/v1/usage', { key })
    release()
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([usage.status, usage.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
    await expect.poll(async () => (await api.get('/api/v1/usage', { key })).status, POLL).toBe(200)
  })

  it('does not accept a key during the outage that it refused before', async () => {
    const { key, digest } = await createKnownKey(service)
    await service.revoke(digest)
    await expect.poll(async () => (await api.get(LITE, { key })).status, POLL).toBe(401)
    service.cut()
    await wait()
    expectUnavailable(await api.get(LITE, { key }))
    service.repair()
  })
})
