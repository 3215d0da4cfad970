import { describe, expect, it } from 'vitest'
import { RESOLVER_VERSION } from '../../../../src/domain/resolver-version.ts'
import { account, createTestKey } from '../../../support/builders.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { buildDetailRecord } from '../../../support/catalog/cve-fragments.ts'
import { startTestService } from '../../../support/service.ts'

const { api, given } = await startTestService()
const [enterprise, poor] = [createTestKey(), createTestKey()]

const [FULL, PARTIAL, BARE, STUB] = ['CVE-2021-44228', 'CVE-2026-1000', 'CVE-2026-2000', 'CVE-2026-3000']

const nvdRecord = buildDetailRecord(FULL, 'nvd')

await given(
  account('enterprise').withKey(enterprise),
  account('pro').withCreditsLeft(0).withKey(poor),
  cve(FULL, {
    score: 10,
    sources: ['cve', 'ghsa', 'nvd'],
    details: { nvd: nvdRecord, ghsa: buildDetailRecord(FULL, 'ghsa') },
  }),
  cve(PARTIAL, { score: 5, techniques: ['T1059.003', 'T1190'], techniqueMapping: 'derived' }),
  cve(BARE, { score: null, isEnriched: false }),
  cve(STUB, { published: null, description: null, score: null, isEnriched: false, sources: [], kev: {} }),
)

const get = (id: string, query = '', key?: string) =>
  api.get(`/api/v1/cve/${id}/detail${query}`, key === undefined ? {} : { key })

const readStatusHeaders = ({ status, headers }: Awaited<ReturnType<typeof get>>) => [
  status,
  headers['x-blob-status'],
  headers['cache-control'],
]

describe('GET /api/v1/cve/{cve-id}/detail', () => {
  it('returns a full record as "available" with a max-age of one hour (decisions B13, C18 and D12)', async () => {
    const answer = await get(FULL)
    expect(readStatusHeaders(answer)).toEqual([200, 'available', 'private, max-age=3600'])
    expect(answer.json.data).toEqual({
      ...nvdRecord,
      enrichment_metadata: {
        created_at: '2026-08-04T00:00:00Z',
        updated_at: '2026-08-05T00:00:00Z',
        vendor_tags: ['cve', 'ghsa', 'nvd'],
        // The record has no affected products.
        data_completeness: 'partial',
        blob_size_bytes: Buffer.byteLength(JSON.stringify(nvdRecord)),
        enrichment_version: RESOLVER_VERSION,
      },
    })
    expect(Buffer.byteLength(JSON.stringify(nvdRecord)), 'bytes, not characters').toBeGreaterThan(
      JSON.stringify(nvdRecord).length,
    )
  })
})

describe('GET /api/v1/cve/{cve-id}/detail: vendor selects the data source (decision A12)', () => {
  it.each([
    ['nvd if nvd and cve have full records', ['nvd', 'cve'], 'available', 'nvd'],
    ['cve if only cve and an enterprise source have full records', ['cve', 'ghsa'], 'available', 'cve'],
    ["nvd's partial record if only enterprise sources have full records", ['ghsa', 'redhat', 'msrc'], 'partial', 'nvd'],
  ])('without vendor uses %s, and the member vendor names it (decision D12)', async (_, full, status, vendor) => {
    const id = 'CVE-2026-5000'
    const details = Object.fromEntries(full.map((source) => [source, buildDetailRecord(id, source)]))
    await given(cve(id, { sources: ['cve', 'ghsa', 'msrc', 'nvd', 'redhat'], details }))
    for (const key of [undefined, enterprise.key]) {
      const { headers, json } = await get(id, '', key)
      expect([headers['x-blob-status'], (json.data.data ?? json.data).vendor]).toEqual([status, vendor])
    }
  })

  it('without vendor uses cve if the record of nvd has neither a score nor a product, and cve has one (decision E49)', async () => {
    const id = 'CVE-2026-5002'
    const bare = (vendor: string) => {
      const record = buildDetailRecord(id, vendor)
      return { ...record, metrics: { ...record.metrics, cvss_v31: null as typeof record.metrics.cvss_v31 | null } }
    }
    const readVendors = async (details: Readonly<Record<string, ReturnType<typeof bare>>>) => {
      await given(cve(id, { sources: ['cve', 'nvd'], details }))
      return [(await get(id)).json.data.vendor, (await get(id, '?vendor=nvd')).json.data.vendor]
    }
    expect(await readVendors({ nvd: bare('nvd'), cve: buildDetailRecord(id, 'cve') })).toEqual(['cve', 'nvd'])
    expect(await readVendors({ nvd: bare('nvd'), cve: bare('cve') })).toEqual(['nvd', 'nvd'])
  })

  it('calls a record complete only with a score, a weakness and an affected product', async () => {
    const id = 'CVE-2026-5003'
    const record = buildDetailRecord(id, 'nvd')
    const named = { ...record.affected_products, total_cpe_count: 1 }
    const readCompleteness = async (nvd: object) => {
      await given(cve(id, { details: { nvd: { ...record, affected_products: named, ...nvd } } }))
      return (await get(id)).json.data.enrichment_metadata.data_completeness
    }
    expect(await readCompleteness({})).toBe('full')
    expect(await readCompleteness({ affected_products: record.affected_products })).toBe('partial')
    expect(await readCompleteness({ technical_details: { ...record.technical_details, cwe: [] } })).toBe('partial')
    expect(await readCompleteness({ metrics: { ...record.metrics, cvss_v31: null } })).toBe('partial')
  })

  it('says by which rule no full record is kept, instead of that the source has none', async () => {
    const { message } = (await get(PARTIAL)).json.data
    expect(message).toMatch(
      /^This service keeps full records only of CVEs with a score of at least 7\.0, .*none of these/,
    )
  })

  it('returns the status missing to a call without vendor if nvd has no record and cve has no full record', async () => {
    await given(cve('CVE-2026-5001', { sources: ['cve', 'ghsa'], details: {} }))
    const answer = await get('CVE-2026-5001')
    expect(readStatusHeaders(answer)).toEqual([200, 'missing', 'private, max-age=60'])
    expect(answer.json.data.data).toEqual({ cve_id: 'CVE-2026-5001', vendor: 'nvd', enrichment: null })
  })

  it('returns the status missing, without data from other sources, if the selected source has no record', async () => {
    const answer = await get(FULL, '?vendor=redhat', enterprise.key)
    expect(readStatusHeaders(answer)).toEqual([200, 'missing', 'private, max-age=60'])
    expect(answer.json.data).toMatchObject({ data: { vendor: 'redhat', enrichment: null } })
  })
})

describe('GET /api/v1/cve/{cve-id}/detail: ETag (decision B13)', () => {
  it('returns 304 with the same headers as 200, and a different ETag for another source or content', async () => {
    const { headers } = await get(FULL)
    const again = await api.get(`/api/v1/cve/${FULL}/detail`, { headers: { 'If-None-Match': headers['etag'] } })
    expect(readStatusHeaders(again)).toEqual([304, 'available', 'private, max-age=3600'])
    expect((await get(FULL, '?vendor=cve')).headers['etag']).not.toBe(headers['etag'])
    await given(cve('CVE-2026-4000', { techniques: [] }))
    const before = (await get('CVE-2026-4000')).headers['etag']
    await given(cve('CVE-2026-4000', { techniques: ['T1190'] }))
    expect((await get('CVE-2026-4000')).headers['etag']).not.toBe(before)
  })
})
