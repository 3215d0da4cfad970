import { describe, expect, it } from 'vitest'
import { readState } from '../../../src/api/endpoints/health/query.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { dataset } from '../../support/builders.ts'
import { runStatements } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, clock, database } = await startTestService()

const NEVER_IMPORTED = {
  table_count: 0,
  state: 'never_loaded',
  last_success_at: null,
  age_seconds: null,
  upstream_at: null,
  as_of_basis: null,
  data_age_seconds: null,
  index_count: null,
  unheld_count: 0,
  complete: false,
  last_run_at: null,
  last_run_result: null,
  rejected_count: 0,
  stale: true,
}

describe('GET /health', () => {
  it('reports degraded while a required data set was never imported', async () => {
    const { json } = await api.get('/health')

    expect(json.status).toBe('degraded')
    expect(json.datasets.kev).toEqual(NEVER_IMPORTED)
  })

  it('reports the size and age of each data set both at the top level and in data', async () => {
    await given(
      dataset('kev')
        .holding(1_404)
        .fetchedAt('2026-08-21T23:00:00Z')
        .releasedAt('2026-08-21T17:46:43Z')
        .withLastRun('2026-08-21T23:30:00Z', 'failed', 2),
      dataset('epss').holding(330_000).fetchedAt('2026-08-21T13:00:00.9Z'),
      dataset('acsc').holding(7).fetchedAt('2026-08-21T23:30:00Z'),
      dataset('nvd').holding(381_886).fetchedAt('2026-08-21T22:00:00Z'),
      dataset('cve').holding(370_000).fetchedAt('2026-08-21T23:00:00Z'),
    )

    const { json } = await api.get('/health')

    expect(json.status).toBe('ok')
    expect(json.datasets.kev).toEqual({
      table_count: 1_404,
      state: 'fresh',
      last_success_at: '2026-08-21T23:00:00Z',
      age_seconds: 3_600,
      upstream_at: '2026-08-21T17:46:43Z',
      as_of_basis: 'released',
      data_age_seconds: 22_397,
      index_count: null,
      unheld_count: 0,
      complete: false,
      last_run_at: '2026-08-21T23:30:00Z',
      last_run_result: 'failed',
      rejected_count: 2,
      stale: false,
    })
    expect(json.datasets.epss.last_success_at).toBe('2026-08-21T13:00:00Z')
    expect(json.data).toEqual({ status: json.status, loading: null, datasets: json.datasets })
  })

  it('reports ok with a stale optional data set, and marks it as stale', async () => {
    const { json } = await api.get('/health')

    expect(json.status).toBe('ok')
    expect(json.datasets.cwe).toMatchObject({ last_success_at: null, stale: true })
  })

  it('marks a data set as stale when it exceeds its maximum age', async () => {
    await given(dataset('kev').holding(1_404).fetchedAt('2026-08-22T00:00:00Z'))
    clock.advance({ hours: 24 })
    expect((await api.get('/health')).json.datasets.kev.stale).toBe(false)

    clock.advance({ seconds: 1 })
    const { json } = await api.get('/health')

    expect(json.datasets.kev).toMatchObject({ age_seconds: 86_401, state: 'stale', stale: true })
    expect(json.status).toBe('degraded')
  })

  it('tells a data set that was never loaded from an empty and from a partly loaded one', async () => {
    const service = await startTestService()
    await service.given(
      dataset('kev').fetchedAt('2026-08-21T23:00:00Z').releasedAt('2026-08-21T17:46:43Z'),
      dataset('epss').holding(7),
      // CISA's server has no earlier releases, so the daily run of this feed succeeds without loading anything.
      dataset('kev-history').fetchedAt('2026-08-21T23:00:00Z'),
    )

    const { datasets } = (await service.api.get('/health')).json

    expect(datasets.acsc).toMatchObject({ table_count: 0, state: 'never_loaded', stale: true })
    expect(datasets['kev-history']).toMatchObject({ table_count: 0, state: 'never_loaded', stale: false })
    expect(datasets.kev).toMatchObject({ table_count: 0, state: 'fresh' })
    expect(datasets.epss).toMatchObject({ table_count: 7, state: 'partly_loaded', stale: true })
  })

  it('marks EPSS scores from 15 August as stale in November although the last run was 40 seconds ago', async () => {
    const service = await startTestService()
    service.clock.advance({ days: 85 })
    await service.given(
      ...['kev', 'acsc', 'nvd', 'cve'].map((name) => dataset(name).fetchedAt('2026-11-14T23:59:20Z')),
      dataset('epss').fetchedAt('2026-11-14T23:59:20Z').releasedAt('2026-08-15T00:00:00Z'),
    )

    const { json } = await service.api.get('/health')

    expect(json.datasets.epss).toMatchObject({ age_seconds: 40, data_age_seconds: 92 * 86_400, stale: true })
    expect(json.datasets.kev).toMatchObject({ upstream_at: null, data_age_seconds: null, stale: false })
    expect(json.status).toBe('degraded')
  })

  it('shares one database query among concurrent health requests', async () => {
    // The pool has one database connection. If each of the 150 requests sent a query of its own, too many queries would
    // wait for the connection, and the pool would reject some.
    const patient = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
    const smallPool = openPool(database.url, 'health-test', patient, () => {})
    const answers = await Promise.allSettled(Array.from({ length: 150 }, () => readState(smallPool.db, new Date())))
    await smallPool.close()
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  })
})

describe('GET /health: database unreachable', () => {
  it('returns 200 with status degraded and data sets in an unknown state if the database was never read (decision E10)', async () => {
    const service = await startTestService({
      environment: { DATABASE_READ_URL: 'postgres://postgres@127.0.0.1:1/nothing' },
    })

    const { status, json } = await service.api.get('/health')

    expect(status).toBe(200)
    expect(json.status).toBe('degraded')
    const unread = { ...NEVER_IMPORTED, state: 'unknown' }
    expect(json.datasets).toEqual({ acsc: unread, epss: unread, kev: unread })
    expect(json.data).toEqual({ status: json.status, loading: null, datasets: json.datasets })
  })

  it('returns 500 if the query is invalid, which is not an outage', async () => {
    const service = await startTestService()
    await runStatements(service.database.url, 'alter table catalog.dataset rename to renamed')
    expect((await service.api.get('/health')).status).toBe(500)
  })
})
