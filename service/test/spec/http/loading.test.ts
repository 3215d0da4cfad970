// Answers while the catalog is loading for the first time (ADR 0030). The load is finished in the middle of this file.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { cve, statistic } from '../../support/catalog/cve-builder.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startTestService } from '../../support/service.ts'

const [KNOWN, UNKNOWN] = ['CVE-2026-1001', 'CVE-2026-9999']
const LOADING = { feeds_done: 1, feeds_total: 2, waiting_for: ['epss'], cves_done: 1, cves_total: 3 }

const { url } = await createTestDatabase()
const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const { db } = openPool(url, 'loading', limits, () => {})
await sql`update catalog.first_load set finished_at = null, cves_done = 1, cves_total = 3`.execute(db)
await sql`insert into catalog.first_load_feed values ('kev', false), ('epss', false), ('csaf-oracle', true)`.execute(db)
await sql`update catalog.dataset set last_run_at = now(), last_run_result = 'failed' where name = 'kev'`.execute(db)
const { api, given } = await startTestService({ environment: { DATABASE_URL: url } })
await given(cve(KNOWN), statistic({ totalCves: 1, totalKev: 0, totalWithEpss: 0, totalWithAcsc: 0, averageEpss: 0 }))

const SBOM = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ type: 'library', purl: 'pkg:npm/a@1' }] }
const post = (path: string, body: object) => () => api.send('POST', path, { body: JSON.stringify(body) })
const get = (path: string) => () => api.get(path)

const JUDGING: readonly (readonly [string, ReturnType<typeof get>])[] = [
  ['POST /match', post('/api/v1/match', { components: [{ purl: 'pkg:npm/a@1' }] })],
  ['POST /sbom', post('/api/v1/sbom?fail_on=P4', SBOM)],
  ['POST /prioritize', post('/api/v1/prioritize', { cve_ids: [KNOWN] })],
  ['GET /cves with cpe', get('/api/v1/cves?cpe=cpe:2.3:a:a:b:1:*:*:*:*:*:*:*')],
  ['GET /cves with purl', get('/api/v1/cves?purl=pkg:npm/a@1')],
  ['GET /cve/{id} of an unknown id', get(`/api/v1/cve/${UNKNOWN}`)],
  ['GET /cve/{id}/detail of an unknown id', get(`/api/v1/cve/${UNKNOWN}/detail`)],
  ['GET /cve/{id}/history of an unknown id', get(`/api/v1/cve/${UNKNOWN}/history`)],
  ['GET /cve/{id}/epss of an unknown id', get(`/api/v1/cve/${UNKNOWN}/epss`)],
  ['GET /cve/{id}/exploits of an unknown id', get(`/api/v1/cve/${UNKNOWN}/exploits`)],
  ['GET /alias/{alias} of an unknown alias', get('/api/v1/alias/GHSA-2222-3333-4444')],
]
const OTHERS: readonly (readonly [string, ReturnType<typeof get>])[] = [
  ['GET /cve/{id}', get(`/api/v1/cve/${KNOWN}`)],
  ['POST /cve/batch', post('/api/v1/cve/batch', { cve_ids: [KNOWN, UNKNOWN] })],
  ['GET /cves', get('/api/v1/cves')],
  ['GET /cves/recent', get('/api/v1/cves/recent')],
  ['GET /cves/facets', get('/api/v1/cves/facets?facets=severity')],
  ['GET /suggest', get('/api/v1/suggest?of=vendor&q=acme')],
  ['GET /kev', get('/api/v1/kev')],
  ['GET /stats', get('/api/v1/stats')],
]

describe('While the catalog is loading for the first time, the service', () => {
  it.each(JUDGING)('answers %s with 503 NOT_READY and the progress', async (_name, call) => {
    const { status, json, headers } = await call()
    expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'NOT_READY', '30'])
    expect(json.error.message).toContain('is loading its catalog: 1 of 2 feeds have run, 1 of 3 CVEs are published')
    expect(json.error.details).toEqual({ loading: LOADING })
  })

  it.each(OTHERS)('answers %s with the progress in meta', async (_name, call) => {
    const { status, json } = await call()
    expect([status, json.meta.loading]).toEqual([200, LOADING])
  })

  it('is degraded, and /health shows the progress', async () => {
    const { json } = await api.get('/health')
    expect(json.data).toMatchObject({ status: 'degraded', loading: LOADING })
    expect(json.loading).toEqual(LOADING)
  })
})

describe('After the first load, the service', () => {
  it('answers as usual', async () => {
    await sql`update catalog.first_load set finished_at = now()`.execute(db)

    expect((await api.get('/health')).json.data.loading).toBeNull()
    await expect
      .poll(async () => (await api.get('/api/v1/stats')).json.meta, { timeout: 20_000 })
      .not.toHaveProperty('loading')
    for (const [name, call] of [...JUDGING, ...OTHERS])
      expect([name, (await call()).status]).toEqual([name, name.includes('unknown') ? 404 : 200])
  })
})
