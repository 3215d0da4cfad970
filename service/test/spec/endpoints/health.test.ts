import { describe, expect, it } from 'vitest'
import { readDatasets } from '../../../src/api/endpoints/health/query.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { dataset } from '../../support/builders.ts'
import { testService } from '../../support/service.ts'

const { api, given, clock, database } = await testService()

describe('GET /health', () => {
  it('needs no key and does not mind a bad one', async () => {
    expect((await api.get('/health', { key: null })).status).toBe(200)
    expect((await api.get('/health', { key: 'nonsense' })).status).toBe(200)
  })

  it('is degraded while a data set was never fetched', async () => {
    const { json } = await api.get('/health')

    expect(json.status).toBe('degraded')
    expect(json.datasets.kev).toEqual({ table_count: 0, last_success_at: null, age_seconds: null, stale: true })
  })

  it('tells size and age of each data set, at the top level and inside data alike', async () => {
    await given(
      dataset('kev').holding(1_404).fetchedAt('2026-08-21T23:00:00Z'),
      dataset('epss').holding(330_000).fetchedAt('2026-08-21T13:00:00.9Z'),
      dataset('acsc').holding(7).fetchedAt('2026-08-21T23:30:00Z'),
      dataset('nvd').holding(381_886).fetchedAt('2026-08-21T22:00:00Z'),
      dataset('cve').holding(370_000).fetchedAt('2026-08-21T23:00:00Z'),
    )

    const { json } = await api.get('/health')

    expect(json.status).toBe('ok')
    expect(json.datasets.kev).toEqual({
      table_count: 1_404,
      last_success_at: '2026-08-21T23:00:00Z',
      age_seconds: 3_600,
      stale: false,
    })
    expect(json.datasets.epss.last_success_at).toBe('2026-08-21T13:00:00Z')
    expect(json.data).toEqual({ status: json.status, datasets: json.datasets })
  })

  it('is ok without a data set that only adds to answers, and says all the same that it is stale', async () => {
    const { json } = await api.get('/health')

    expect(json.status).toBe('ok')
    expect(json.datasets.cwe).toMatchObject({ last_success_at: null, stale: true })
  })

  it('calls a data set stale once it is older than it should ever be', async () => {
    await given(dataset('kev').fetchedAt('2026-08-22T00:00:00Z'))
    clock.advance({ hours: 24 })
    expect((await api.get('/health')).json.datasets.kev.stale).toBe(false)

    clock.advance({ seconds: 1 })
    const { json } = await api.get('/health')

    expect(json.datasets.kev).toMatchObject({ age_seconds: 86_401, stale: true })
    expect(json.status).toBe('degraded')
  })

  it('cannot be used to take every database connection: all who ask at once share one query', async () => {
    // One connection, and a queue that a hundred and fifty queries would overflow.
    const patient = { poolSize: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
    const narrow = openPool(database.url, 'health-test', patient, () => {})
    const answers = await Promise.allSettled(Array.from({ length: 150 }, () => readDatasets(narrow.db)))
    await narrow.close()
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  it('is open to every origin', async () => {
    const { headers } = await api.get('/health', { key: null, headers: { Origin: 'https://anyone.example' } })
    expect(headers['access-control-allow-origin']).toBe('*')
  })
})

describe('GET /health — database out of reach', () => {
  it('is 503 with Retry-After', async () => {
    const service = await testService({ environment: { DATABASE_READ_URL: 'postgres://postgres@127.0.0.1:1/nothing' } })

    const { status, json, headers } = await service.api.get('/health')

    expect(status).toBe(503)
    expect(json.error.code).toBe('SERVICE_UNAVAILABLE')
    expect(headers['retry-after']).toBe('1')
  })
})
