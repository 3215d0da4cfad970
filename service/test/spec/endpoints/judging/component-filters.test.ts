// The filters cpe and purl of /cves, /cves/recent and /cves/facets: the CVEs that POST /match lists for one component.
import { describe, expect, it } from 'vitest'
import { PRODUCT_SOURCES } from '../../../../src/domain/source/coverage.ts'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../../catalog/source-fixtures.ts'
import { listCveIds } from '../../../support/catalog/page-through.ts'
import { claimComplete } from '../../../support/coverage.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const name = (product: string, version = '*') => `cpe:2.3:a:examplesoft:${product}:${version}:*:*:*:*:*:*:*`
const match = (criteria: string, limits: object = {}) => ({ vulnerable: true, criteria, ...limits })
const or = (...cpeMatch: readonly object[]) => ({ nodes: [{ operator: 'OR', negate: false, cpeMatch }] })
const store = (id: string, ...configurations: readonly object[]) =>
  catalog.storeRecord('nvd', id, nvdRecord(id, { configurations }))

const [OLD, NEW, VAGUE, OTHER, WINDOWS, LETTERS, PACKAGE] = Array.from(
  { length: 7 },
  (_, index) => `CVE-2026-200${index}`,
) as [string, string, string, string, string, string, string]
const ADVISORY = 'GHSA-5555-6666-7777'

await store(OLD, or(match(name('router'), { versionEndExcluding: '2.0' })))
await store(NEW, or(match(name('router'), { versionStartIncluding: '1.5', versionEndExcluding: '3.0' })))
await store(VAGUE, or(match(name('router', '-'))))
await store(OTHER, or(match(name('switch'), { versionEndExcluding: '9.0' })))
await store(WINDOWS, {
  operator: 'AND',
  nodes: [
    ...or(match(name('router'), { versionEndExcluding: '1.8' })).nodes,
    {
      operator: 'OR',
      negate: false,
      cpeMatch: [{ vulnerable: false, criteria: 'cpe:2.3:o:microsoft:windows:-:*:*:*:*:*:*:*' }],
    },
  ],
})
await store(LETTERS, or(match(name('printer'), { versionStartIncluding: '10.2.0', versionEndExcluding: '10.2.4-h3' })))
await store(PACKAGE)
const packageRecord = (advisory: string, fixed: string) => ({
  advisories: [advisory],
  title: 'A flaw in wren',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [{ vendor: 'npm', product: 'wren', status: 'affected', cpe: null, purl: 'pkg:npm/wren', fixed }],
})
const WITH_CVE = 'GHSA-2222-2222-2222'
await catalog.selectRows(`
  insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
  values ('${ADVISORY}', null, '', '2026-08-02T10:00:00Z', '${JSON.stringify(packageRecord(ADVISORY, '1.1.0'))}'),
         ('${WITH_CVE}', '${PACKAGE}', '', '2026-08-02T10:00:00Z', '${JSON.stringify(packageRecord(WITH_CVE, '1.2.3'))}')
`)
await catalog.publish()
await catalog.selectRows(claimComplete([...PRODUCT_SOURCES, 'ghsa'], new Date('2026-08-22T00:00:00Z')))

const get = (query: Readonly<Record<string, string>>, path = '/api/v1/cves') =>
  api.get(`${path}?${new URLSearchParams(query)}`)
async function find(query: Readonly<Record<string, string>>) {
  const { status, json } = await get(query)
  expect([status, json.error]).toEqual([200, undefined])
  return { ids: listCveIds(json.data).toSorted(), component: json.data.component, data: json.data }
}

describe('GET /api/v1/cves with cpe or purl', () => {
  it.each([
    [{ cpe: name('router', '1.9') }, [OLD, NEW]],
    [{ cpe: name('router', '1.7') }, [OLD, NEW, WINDOWS]],
    [{ cpe: name('router', '2.5') }, [NEW]],
    [{ cpe: name('router', '3.0') }, []],
    [{ cpe: 'cpe:/a:examplesoft:router:2.5' }, [NEW]],
    [{ cpe: name('router') }, [OLD, NEW, VAGUE, WINDOWS]],
    [{ purl: 'pkg:npm/wren@1.2.0' }, [PACKAGE]],
    [{ purl: 'pkg:npm/wren@1.2.3' }, []],
    [{ purl: 'pkg:npm/wren' }, [PACKAGE]],
    [{ cpe: name('router', '1.9'), ids: `${NEW},${OTHER}` }, [NEW]],
    [{ cpe: name('router', '1.9'), q: 'CVE-2026-2001', sort: 'relevance' }, [NEW]],
    [{ cpe: name('router', '1.9'), kev: 'true' }, []],
  ])('with %j finds the CVEs %j', async (query, ids) => {
    expect((await find(query)).ids).toEqual(ids)
  })

  it('says how the component was understood, and what the list omits', async () => {
    expect((await find({ cpe: name('router', '3.0') })).component).toEqual({
      interpreted_as: { vendor: 'examplesoft', product: 'router', version: '3.0', identified_by: 'cpe' },
      verdict: 'possibly_affected',
      cves_total: 0,
      advisories_total: 0,
      weaker_total: 1,
      unordered_total: 0,
      coverage_gap: null,
      coverage: PRODUCT_SOURCES.map((source) => ({
        source,
        complete: true,
        as_of: '2026-08-22T00:00:00Z',
        stale: false,
      })),
    })
    expect((await find({ purl: 'pkg:npm/wren@1.0.0' })).component).toMatchObject({
      verdict: 'affected',
      cves_total: 1,
      advisories_total: 1,
    })
    expect((await find({ cpe: name('printer', '10.2.4-foo1') })).component).toMatchObject({
      verdict: 'possibly_affected',
      unordered_total: 1,
    })
    expect((await find({ cpe: name('router') })).component).toMatchObject({
      verdict: 'possibly_affected',
      cves_total: 4,
    })
  })

  it('covers no product that the sources do not name, and suggests similar names', async () => {
    expect((await find({ cpe: name('routr', '1.0') })).component).toMatchObject({
      verdict: 'not_covered',
      coverage_gap: 'unknown_product',
      similar_products: [{ vendor: 'examplesoft', product: 'router' }],
    })
    expect((await find({ purl: 'pkg:npm/no-such-package@1.0.0' })).component.verdict).toBe('no_known_advisory')
  })

  it.each(['published_desc', 'epss_desc', 'modified_asc', 'priority_desc'])('pages through %s', async (sort) => {
    const query = { cpe: name('router'), sort, limit: '1' }
    const ids: string[] = []
    let after: string | undefined
    do {
      const { data, component } = await find({ ...query, ...(after && { after }) })
      ids.push(...listCveIds(data))
      expect([data.pagination.totalEstimate, component.cves_total]).toEqual([4, 4])
      after = data.pagination.nextCursor
    } while (after)
    expect(ids.toSorted()).toEqual([OLD, NEW, VAGUE, WINDOWS])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('binds a cursor to the component, and accepts another spelling of it', async () => {
    const { data } = await find({ cpe: name('router', '1.9'), limit: '1' })
    const after = data.pagination.nextCursor
    expect((await get({ cpe: name('router', '1.8'), limit: '1', after })).json.error.parameter).toBe('after')
    expect((await find({ cpe: 'cpe:/a:examplesoft:router:1.9', limit: '1', after })).ids).toHaveLength(1)
  })
})

describe('The cpe and purl filters on other lists', () => {
  it('apply to /cves/recent', async () => {
    const { json } = await get({ cpe: name('router', '1.9'), days: '30' }, '/api/v1/cves/recent')
    expect(listCveIds(json.data).toSorted()).toEqual([OLD, NEW])
    expect(json.data).toMatchObject({ total_found: 2, component: { verdict: 'affected', cves_total: 2 } })
  })

  it('apply to /cves/facets', async () => {
    const { json } = await get({ purl: 'pkg:npm/wren@1.2.0', facets: 'year' }, '/api/v1/cves/facets')
    expect(json.data).toMatchObject({ total: 1, component: { verdict: 'affected', cves_total: 1 } })
  })
})
