import { describe, expect, it } from 'vitest'
import { type CveOptions, cve } from '../../../support/catalog/cve-builder.ts'
import { runStatements } from '../../../support/run-statements.ts'
import { startTestService } from '../../../support/service.ts'

const { api, given, database } = await startTestService()

const CVES: Readonly<Record<string, CveOptions>> = {
  'CVE-2026-9001': {
    score: 9.8,
    published: '2025-12-31T23:30:00Z',
    cwes: ['CWE-79', 'CWE-89'],
    assigner: 'GitHub_M',
    products: ['fortinet/fortios', 'fortinet/fortiproxy'],
    kev: {},
    techniques: ['T1059.001'],
    sources: ['nvd', 'cve', 'ghsa'],
    description: 'A special text.',
  },
  'CVE-2026-9002': {
    score: 9.1,
    cwes: ['CWE-79'],
    assigner: null,
    products: ['fortinet/fortios', 'other/fortios'],
    attackVector: 'local',
    status: 'Modified',
    description: 'A special text.',
  },
  'CVE-2026-9003': { score: null, cwes: [], products: [], published: null, attackVector: null, maturity: 3 },
  'CVE-2026-9004': { score: 3.9, status: 'Rejected' },
}
await given(...Object.entries(CVES).map(([id, options]) => cve(id, options)))

const send = (query: string) => api.get(`/api/v1/cves/facets?${query}`)
const count = async (query: string) => (await send(query)).json.data
const countFacet = async (facet: string, query = '') =>
  Object.fromEntries(
    (await count(`facets=${facet}&${query}`)).facets[facet].map((each: { value: string; count: number }) => [
      each.value,
      each.count,
    ]),
  )

describe('GET /api/v1/cves/facets', () => {
  it.each([
    ['severity', { critical: 2, low: 1 }],
    ['status', { Analyzed: 2, Modified: 1, Rejected: 1 }],
    ['assigner', { GitHub_M: 1, maker: 2 }],
    ['product_vendor', { fortinet: 2, other: 1 }],
    ['product', { fortios: 2, fortiproxy: 1 }],
    ['attack_vector', { local: 1, network: 2 }],
    ['year', { 2025: 1, 2026: 2 }],
    ['technique', { T1059: 1, 'T1059.001': 1 }],
    ['kev', { false: 3, true: 1 }],
    ['source', { cve: 4, nvd: 4, ghsa: 1 }],
    ['exploit_maturity', { none: 2, weaponized: 1, active: 1 }],
  ])('counts each CVE once for each value of the facet %s', async (facet, expected) => {
    expect(await countFacet(facet)).toEqual(expected)
  })

  it('counts only CVEs that match the words in q', async () => {
    expect(await countFacet('severity', 'q=special%20-nothing')).toEqual({ critical: 2 })
  })

  it('counts only products of the selected vendors, and only vendors of the selected products', async () => {
    expect(await countFacet('product', 'product_vendor=other')).toEqual({ fortios: 1 })
    expect(await countFacet('product', 'product_vendor=Fortinet')).toEqual({ fortios: 2, fortiproxy: 1 })
    expect(await countFacet('product_vendor', 'product=fortiproxy')).toEqual({ fortinet: 1 })
    // The vendors themselves are counted for all products of the hits.
    expect(await countFacet('product_vendor', 'product_vendor=other')).toEqual({ fortinet: 1, other: 1 })
  })

  it('counts the levels as the priority filter does', async () => {
    const levels = await countFacet('priority')
    for (const [level, expected] of Object.entries(levels)) {
      const { pagination } = (await api.get(`/api/v1/cves?priority=${level}`)).json.data
      expect(pagination.totalEstimate, level).toBe(expected)
    }
    expect(Object.keys(levels).length).toBeGreaterThan(0)
  })

  it('orders values by count, then by value, and returns at most facet_size of them', async () => {
    expect((await count('facets=status&facet_size=2')).facets.status).toEqual([
      { value: 'Analyzed', count: 2 },
      { value: 'Modified', count: 1 },
    ])
  })

  it('counts at most 50,000 hits and says that there are more', async () => {
    await runStatements(
      database.url,
      `
      insert into catalog.cve (cve_key, modified, status, is_enriched, has_exploit, in_kev, has_notice, has_reference,
                               cpe_count, has_patch, sources, words, content_hash)
      select 197000000000000000 + number, now(), 'Received', false, false, false, false, false, 0, false, '{cve}', '', ''
        from generate_series(1, 50001) number
    `,
    )
    expect(await count('facets=status,source&status=Received')).toEqual({
      counted: 50_000,
      is_complete: false,
      facets: { status: [{ value: 'Received', count: 50_000 }], source: [{ value: 'cve', count: 50_000 }] },
    })
    await runStatements(database.url, 'delete from catalog.cve where cve_key = 197000000000050001')
    expect(await count('facets=status&status=Received')).toMatchObject({ counted: 50_000, is_complete: true })
    await runStatements(database.url, "delete from catalog.cve where status = 'Received'")
  })
})
