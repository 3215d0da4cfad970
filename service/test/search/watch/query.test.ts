import { beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import type { CveKey } from '../../../src/domain/cve-id.ts'
import { FILTER_ENTRIES, type FilterName } from '../../../src/search/filters/table.ts'
import { FACT_COLUMNS, type Facts, readFacts } from '../../../src/search/watch/facts.ts'
import { listAsked, readLookups } from '../../../src/search/watch/lookups.ts'
import { compileQuery, isHit, listFailed } from '../../../src/search/watch/query.ts'
import { findRefusedFilters, REFUSED_FILTERS } from '../../../src/search/watch/refused-filters.ts'
import { readStoredQuery } from '../../../src/search/watch/stored-query.ts'
import { cve, requireCveKey } from '../../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { listFilterColumns } from '../../support/search/filter-columns.ts'
import { findInSql, listAllKeys, readFilterValues } from '../../support/search/watch-judgement.ts'

const LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const { url } = await createTestDatabase()
const { db, close } = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(close)

const FIREWALL = 'CVE-2026-1001'
const PHONE = 'CVE-2026-1002'
const BARE = 'CVE-2026-1003'
const TODAY = new Date('2026-08-22T10:00:00Z')

for (const fixture of [
  cve(FIREWALL, {
    products: ['fortinet/fortios', 'acme/router'],
    description: 'A heap overflow in the SSL VPN.',
    score: 9.8,
    epss: [0.6, 0.98],
    kev: { dateAdded: '2026-08-10' },
    published: '2026-08-01T10:00:00.123456Z',
  }),
  cve(PHONE, { products: ['apple/ios', 'apple/macos'], score: 5, cwes: ['CWE-416'], epss: [0.01, 0.1] }),
  cve(BARE, { products: [], score: null, cwes: [], published: null, assigner: null, attackVector: null }),
])
  await fixture.store(db)

let facts: ReadonlyMap<CveKey, Facts>
beforeAll(async () => {
  facts = await readFacts(db, await listAllKeys(db))
})

function getFacts(id: string): Facts {
  const found = facts.get(requireCveKey(id))
  if (!found) throw new Error(`${id} has no facts`)
  return found
}

async function judge(text: string, id: string, day = TODAY) {
  const query = readStoredQuery(text).on(day)
  const lookups = await readLookups(db, listAsked([query]), facts.values())
  return { failed: listFailed(query, getFacts(id), lookups), isHit: isHit(query, getFacts(id), lookups) }
}

describe('A query in memory', () => {
  it.each([
    ['severity=critical&kev=true', FIREWALL, []],
    ['severity=critical&kev=true', PHONE, ['severity', 'kev']],
    ['severity_min=1', BARE, ['severity_min']],
    ['epss_min=0.5&epss_max=0.7', FIREWALL, []],
    ['epss_min=0.5&epss_max=0.7', BARE, ['epss_min', 'epss_max']],
    ['has_epss=false', BARE, []],
    ['kev_added_after=2026-08-10&kev_added_before=2026-08-10', FIREWALL, []],
    ['kev_added_after=2026-08-11', FIREWALL, ['kev_added_after']],
    ['published_after=2026-08-01T10:00:01Z', FIREWALL, ['published_after']],
    ['published_before=2026-08-01T10:00:00Z', FIREWALL, ['published_before']],
    [`ids=${FIREWALL},CVE-2026-9999`, FIREWALL, []],
    [`ids=${FIREWALL}`, PHONE, ['ids']],
    ['q=overflow vpn', FIREWALL, []],
    ['q=overflow -vpn', FIREWALL, ['q']],
    ['q=.', BARE, []],
    ['became_urgent_after=2000-01-01', FIREWALL, ['became_urgent_after']],
    ['', BARE, []],
  ] as const)('%j and %s: the filters that say no are %j', async (query, id, failed) => {
    expect(await judge(query, id)).toEqual({ failed, isHit: failed.length === 0 })
  })

  it.each([
    ['product_vendor=fortinet&product=fortios', []],
    ['product_vendor=acme&product=fortios', ['product_vendor', 'product']],
    ['product_vendor=acme&product=ios', ['product']],
    ['product_vendor=apple&product=ios', ['product_vendor', 'product']],
  ])(
    'needs one product that meets all filters on names: for %j, the ones that say no are %j',
    async (query, failed) => {
      expect(await judge(query, FIREWALL)).toEqual({ failed, isHit: failed.length === 0 })
    },
  )

  it('reads a name with commas as one name only if the index of names has it', async () => {
    expect(await judge('product=iOS, macOS', PHONE)).toMatchObject({ isHit: true })
    await cve('CVE-2026-1004', { products: ['apple/ios,_macos'] }).store(db)
    const values = readFilterValues('product=iOS, macOS')
    const found = await findInSql(db, values)
    expect(found.has(requireCveKey(PHONE)), 'SQL').toBe(false)
    expect(await judge('product=iOS, macOS', PHONE)).toEqual({ failed: ['product'], isHit: false })
  })

  it('takes relative days at the day of the change', async () => {
    expect(await judge('kev_added_after=today-12d', FIREWALL)).toMatchObject({ isHit: true })
    expect(await judge('kev_added_after=today-12d', FIREWALL, new Date('2026-08-23T00:00:00Z'))).toEqual({
      failed: ['kev_added_after'],
      isHit: false,
    })
  })

  it('is another one on another day, also if it was read only once', () => {
    const query = readStoredQuery('kev_added_after=today-12d')
    const lookups = { isKnown: () => false, listSearches: () => new Set<string>() }
    const days = ['2026-08-22', '2026-08-23', '2026-08-22'].map((day) => new Date(day))
    expect(days.map((day) => isHit(query.on(day), getFacts(FIREWALL), lookups))).toEqual([true, false, true])
  })

  it('has the same key as another with the same meaning, and only then', () => {
    const key = (text: string) => readStoredQuery(text).key
    expect(key('severity=high,critical&q=Log4j')).toBe(key('q=log4j&severity=critical,high'))
    expect(key('kev=true')).not.toBe(key('kev=false'))
    expect(key('kev_added_after=today-12d')).not.toBe(key('kev_added_after=today-13d'))
  })
})

describe('Filters of a watch', () => {
  it('are all filters of a search, except for those that are refused with a reason', () => {
    const unknown = FILTER_ENTRIES.filter(
      ([name, { lists, factTest }]) => lists.includes('search') && !factTest && !(name in REFUSED_FILTERS),
    )
    expect(unknown.map(([name]) => name)).toEqual([])
  })

  it('read only values that are facts', () => {
    // The cast is safe: Object.keys returns the keys of the table.
    const read = listFilterColumns(db, Object.keys(REFUSED_FILTERS) as FilterName[])
    const others = ['cve.cve_key', 'epss.score', 'kev.date_added', 'product.vendor', 'product.product']
    const known = [...FACT_COLUMNS.map((name) => `cve.${name}`), ...others]
    expect([...read].filter((column) => !known.includes(column))).toEqual([])
    expect([...read]).toEqual(expect.arrayContaining(['cve.words', ...others]))
  })

  it('are refused by name, with what to use instead', () => {
    expect(findRefusedFilters('severity=high&epss_percentile_min=0.9&purl=pkg:npm/a')).toEqual([
      {
        parameter: 'epss_percentile_min',
        value: '0.9',
        message:
          'cannot be used in a watch, because a percentile moves when the scores of other CVEs change; use epss_min',
        allowed: ['epss_min'],
      },
      expect.objectContaining({
        parameter: 'purl',
        message: expect.stringContaining('use product_vendor and product'),
      }),
    ])
    expect(findRefusedFilters('severity=high&product=fortios')).toEqual([])
  })

  it.each(['epss_percentile_min=0.9', 'purl=pkg:npm/a'])('%s does not become a query in memory', (query) => {
    expect(() => compileQuery(readFilterValues(query))).toThrow(/cannot judge/)
  })

  it('stop the evaluation of a stored query that is no longer valid', () => {
    expect(() => readStoredQuery('kevv=true')).toThrow(/kevv is not a query parameter/)
  })
})
