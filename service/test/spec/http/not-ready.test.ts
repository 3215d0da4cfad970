// Answers while nothing is published (decision E30). The catalog gets published in the middle of this file.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { cve, statistic } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given, database } = await startTestService()
const limits = { poolSize: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const { db } = openPool(database.url, 'not-ready', limits, () => {})
const EMPTY = { totalCves: 0, totalKev: 0, totalWithEpss: 0, totalWithAcsc: 0, averageEpss: 0 }

const [KNOWN, UNKNOWN] = ['CVE-2026-1001', 'CVE-2026-9999']
const SBOM = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ type: 'library', purl: 'pkg:npm/a@1' }] }
const post = (path: string, body: object) => () => api.send('POST', path, { body: JSON.stringify(body) })
const get = (path: string) => () => api.get(path)

const NEEDING: readonly (readonly [string, ReturnType<typeof get>])[] = [
  ['POST /match', post('/api/v1/match', { components: [{ purl: 'pkg:npm/a@1' }] })],
  ['POST /sbom', post('/api/v1/sbom?fail_on=P4', SBOM)],
  ['POST /prioritize', post('/api/v1/prioritize', { cve_ids: [UNKNOWN] })],
  ['GET /cves with cpe', get('/api/v1/cves?cpe=cpe:2.3:a:a:b:1:*:*:*:*:*:*:*')],
  ['GET /cves with purl', get('/api/v1/cves?purl=pkg:npm/a@1')],
  ['GET /cve/{id} of an unknown id', get(`/api/v1/cve/${UNKNOWN}`)],
  ['GET /cve/{id}/detail of an unknown id', get(`/api/v1/cve/${UNKNOWN}/detail`)],
]
const OTHERS: readonly (readonly [string, ReturnType<typeof get>])[] = [
  ['GET /cves', get('/api/v1/cves')],
  ['GET /cves/recent', get('/api/v1/cves/recent')],
  ['GET /kev', get('/api/v1/kev')],
  ['GET /stats', get('/api/v1/stats')],
  ['POST /cves/batch', post('/api/v1/cve/batch', { cve_ids: [UNKNOWN] })],
]
const readUsed = async () => (await api.get('/api/v1/usage')).json.data.usage.creditsUsed

describe('While nothing is published, the service', () => {
  it.each(NEEDING)('answers %s with 503 NOT_READY and Retry-After, twice, without a charge', async (_name, call) => {
    const before = await readUsed()
    for (const _ of [1, 2]) {
      const { status, json, headers } = await call()
      expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'NOT_READY', '30'])
    }
    expect(await readUsed()).toBe(before)
  })

  it.each(OTHERS)('answers %s with 200 as usual', async (_name, call) => {
    expect((await call()).status).toBe(200)
  })

  it('returns an empty list of CVEs', async () => {
    expect((await api.get('/api/v1/cves')).json.data.cves).toEqual([])
  })

  it('stays unready after a publication that found no CVE, and in the middle of the first one', async () => {
    await given(cve(KNOWN), statistic(EMPTY))
    expect((await api.get(`/api/v1/cve/${UNKNOWN}`)).json.error.code).toBe('NOT_READY')
    expect((await api.get(`/api/v1/cve/${KNOWN}`)).status, 'a CVE that is stored is served').toBe(200)
    await sql`delete from catalog.statistic`.execute(db)
    expect((await post('/api/v1/match', { components: [{ purl: 'pkg:npm/a@1' }] })()).status).toBe(503)
  })
})

describe('After the first publication has ended, the service', () => {
  it('answers at once, and an unknown id is 404 again', async () => {
    await given(statistic({ ...EMPTY, totalCves: 1 }))
    for (const [name, call] of NEEDING) {
      const { status, json } = await call()
      const isUnknown = name.endsWith('unknown id')
      expect([name, status, json.error?.code]).toEqual([
        name,
        isUnknown ? 404 : 200,
        isUnknown ? 'NOT_FOUND' : undefined,
      ])
    }
  })
})
