import { describe, expect, it } from 'vitest'
import { type CveOptions, cve, withdrawnCve } from '../../../support/catalog/cve-builder.ts'
import { startTestService } from '../../../support/service.ts'

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
const { api, given, metrics } = await startTestService()
await given(...Object.entries(CVES).map(([id, options]) => cve(id, options)))

const send = (query: string) => api.get(`/api/v1/cves/facets?${query}`)
const count = async (query: string) => (await send(query)).json.data
const countFacet = async (facet: string, query = '') =>
  Object.fromEntries(
    (await count(`facets=${facet}&${query}`)).facets[facet].map((each: { value: string | null; count: number }) => [
      each.value ?? WITHOUT,
      each.count,
    ]),
  )

const WITHOUT = 'without a value'

describe('GET /api/v1/cves/facets', () => {
  it.each([
    ['severity', { critical: 2, low: 1, [WITHOUT]: 1 }],
    ['status', { Analyzed: 2, Modified: 1, Rejected: 1 }],
    ['cwe', { 'CWE-79': 3, 'CWE-89': 1, [WITHOUT]: 1 }],
    ['assigner', { GitHub_M: 1, maker: 2, [WITHOUT]: 1 }],
    ['product_vendor', { fortinet: 2, other: 1, [WITHOUT]: 2 }],
    ['product', { fortios: 2, fortiproxy: 1, [WITHOUT]: 2 }],
    ['attack_vector', { local: 1, network: 2, [WITHOUT]: 1 }],
    ['year', { 2025: 1, 2026: 2, [WITHOUT]: 1 }],
    ['technique', { T1059: 1, 'T1059.001': 1, [WITHOUT]: 3 }],
    ['kev', { false: 3, true: 1 }],
    ['source', { cve: 4, nvd: 4, ghsa: 1 }],
    ['exploit_maturity', { none: 2, weaponized: 1, active: 1 }],
  ])('counts each CVE once for each value of the facet %s, and those without a value', async (facet, expected) => {
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
    for (const [level, expected] of Object.entries(levels).filter(([name]) => name !== WITHOUT)) {
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

  it('lists the CVEs without a value last, in addition to facet_size', async () => {
    expect((await count('facets=assigner&facet_size=1')).facets.assigner).toEqual([
      { value: 'maker', count: 2 },
      { value: null, count: 1 },
    ])
  })

  it('says how many CVEs match in all, and counts them in memory', async () => {
    expect(await count('facets=status&severity=critical')).toEqual({
      total: 2,
      facets: {
        status: [
          { value: 'Analyzed', count: 1 },
          { value: 'Modified', count: 1 },
        ],
      },
    })
    expect(await metrics.text()).toMatch(/^vis_facet_answers_total\{counted_in="memory"\} [1-9]/m)
  })

  it('counts a changed CVE with its new values at once, and a removed one no more', async () => {
    await given(cve('CVE-2026-9005', { attackVector: 'adjacent' }))
    expect(await countFacet('attack_vector', 'attack_vector=adjacent')).toEqual({ adjacent: 1 })
    await given(cve('CVE-2026-9005', { attackVector: 'physical' }))
    expect(await countFacet('attack_vector', 'attack_vector=adjacent')).toEqual({})
    await given(withdrawnCve('CVE-2026-9005'))
    expect(await countFacet('attack_vector')).toEqual({ local: 1, network: 2, [WITHOUT]: 1 })
  })
})
