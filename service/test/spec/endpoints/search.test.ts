import { describe, expect, it } from 'vitest'
import { getDefaultFields } from '../../../src/contract/record/cve-fields.ts'
import { cve, withdrawnCve } from '../../support/catalog/cve-builder.ts'
import { listCveIds, readAllPages } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

await given(
  cve('CVE-2021-44228', {
    description: 'Apache Log4j2 looks up what a logged message names.',
    published: '2021-12-10T10:15:00Z',
    score: 10,
    epss: [0.97, 0.99],
    kev: { dateAdded: '2021-12-10' },
    notices: ['Log4j is exploited'],
    techniques: ['T1190'],
    techniqueMapping: 'derived',
  }),
  cve('CVE-2024-9999', { published: '2024-05-05T00:00:00Z', description: 'A flaw in mod_ssl.' }),
  cve('CVE-2024-10000', { published: '2024-05-05T00:00:00Z', description: 'Improper authentication in admin.php.' }),
  cve('CVE-2026-0001', { published: null, description: null, score: null, isEnriched: false }),
)

const ALL = ['CVE-2024-10000', 'CVE-2024-9999', 'CVE-2021-44228', 'CVE-2026-0001']

const get = (query: string) => api.get(`/api/v1/cves?${query}`)
const readData = async (query: string) => (await get(query)).json.data
const found = async (query: string) => listCveIds(await readData(query))

describe('GET /api/v1/cves', () => {
  it('returns cves and pagination, 20 per page, latest publication first', async () => {
    const data = await readData('')
    expect(Object.keys(data)).toEqual(['cves', 'pagination'])
    expect(data.pagination).toEqual({ limit: 20, hasMore: false, totalEstimate: 4 })
    expect(listCveIds(data)).toEqual(ALL)
  })

  it('returns minimal CVEs with severity and status, and with kev and epss when available (decision D3)', async () => {
    const { cves } = await readData('ids=CVE-2021-44228,CVE-2026-0001')
    const always = getDefaultFields('listed').filter((field) => field !== 'kev' && field !== 'epss')
    expect(cves.map(Object.keys)).toEqual([[...always, 'kev', 'epss'], always])
    expect(cves[0]).toMatchObject({ kev: { dateAdded: '2021-12-10' }, epss: { score: 0.97 } })
    expect(cves[1]).toMatchObject({ published: null, description: null })
  })

  it('adds the members that include names, and returns ACSC notices as acsc_notices', async () => {
    const { cves } = await readData('ids=CVE-2021-44228&include=acsc,attack,enrichment')
    expect(cves[0]).toMatchObject({
      acsc_notices: [{ title: 'Log4j is exploited', published: '2026-08-02T00:00:00Z' }],
      attack: { techniques: ['T1190'], mapping: 'derived' },
      enrichment: { attack_vector: 'network' },
    })
    expect(cves[0]).not.toHaveProperty('acsc')
  })

  it('returns an empty array when no CVE matches', async () => {
    expect(await readData('q=nothinglikethis')).toEqual({
      cves: [],
      pagination: { limit: 20, hasMore: false, totalEstimate: 0 },
    })
  })
})

describe('GET /api/v1/cves: q', () => {
  it.each([
    ['log4j', ['CVE-2021-44228']],
    ['LOG4J2', ['CVE-2021-44228']],
    ['CVE-2021-44228', ['CVE-2021-44228']],
    ['cve-2021-44228', ['CVE-2021-44228']],
    ['2021-44228', ['CVE-2021-44228']],
    ['44228', ['CVE-2021-44228']],
    ['mod_ssl', ['CVE-2024-9999']],
    ['admin.php', ['CVE-2024-10000']],
    ['authenticat', ['CVE-2024-10000']],
    ['messages logging', ['CVE-2021-44228']],
    ['"improper authentication"', ['CVE-2024-10000']],
    ['"authentication improper"', []],
    ['log4j mod', []],
    ['fl', []],
    ['cve', ALL],
  ])('returns for q=%s the CVEs %j', async (q, ids) => {
    expect(await found(`q=${encodeURIComponent(q)}`)).toEqual(ids)
  })

  it.each(['', '%20', '-', '%22%22', '%20.%20'])('ignores q=%j, which contains no word', async (q) => {
    expect(await found(`q=${q}`)).toEqual(ALL)
  })
})

describe('GET /api/v1/cves: ids', () => {
  it('returns each requested CVE once for ids in any letter case, and ignores unknown ids', async () => {
    expect(await found('ids=cve-2024-9999,CVE-2024-9999,CVE-1999-0001,CVE-2024-99999999999999999')).toEqual([
      'CVE-2024-9999',
    ])
    expect(await found('ids=CVE-1999-0001')).toEqual([])
    expect(await found('ids=CVE-2024-099999999999999999')).toEqual([])
  })

  it('returns all requested ids on one page if limit is absent', async () => {
    const many = Array.from({ length: 50 }, (_, at) => `CVE-2020-${4000 + at}`)
    await given(...many.map((id) => cve(id)))
    const data = await readData(`ids=${many.join(',')}`)
    expect(data.pagination).toEqual({ limit: 50, hasMore: false, totalEstimate: 50 })
    expect(listCveIds(data)).toEqual(many.toReversed())
    expect((await readData(`ids=${many.join(',')}&limit=3`)).pagination).toMatchObject({ limit: 3, hasMore: true })
    await given(...many.map((id) => withdrawnCve(id)))
  })
})

describe('GET /api/v1/cves: limit and hasMore', () => {
  it('returns the same total estimate on every page', async () => {
    const { ids, pages } = await readAllPages(api, '/api/v1/cves', 'limit=1')
    expect(ids).toEqual(ALL)
    expect(pages.map(({ totalEstimate }) => totalEstimate)).toEqual([4, 4, 4, 4])
  })
})
