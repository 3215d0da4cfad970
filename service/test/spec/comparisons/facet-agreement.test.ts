// Counts facets over the columns in memory and in SQL, and compares both with a simple count that reads every CVE: for
// random searches, and again after random changes to the tables.
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { facetCves } from '../../../src/api/endpoints/facet-cves/endpoint.ts'
import { readInput } from '../../../src/contract/read-input.ts'
import { type Database, openPool } from '../../../src/database/postgres.ts'
import { findLevelOfRank } from '../../../src/domain/priority/policy.ts'
import { applyChanges, type ReadColumns, readAllColumns } from '../../../src/search/columns/read-columns.ts'
import { countFacetsInMemory, listFiltersForSql } from '../../../src/search/facets/count-in-memory.ts'
import { countFacetsInSql } from '../../../src/search/facets/count-in-sql.ts'
import type { FacetCounts, FacetQuery } from '../../../src/search/facets/facet-query.ts'
import { FACET_NAMES, type FacetName } from '../../../src/search/facets/facets.ts'
import { anySearch } from '../../support/catalog/any-search.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { naiveSearch, type PlainCve, type Query, readPlainCves } from '../../support/catalog/naive-search.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { chooseBySize } from '../../support/size.ts'

const CVES = 1500
const SIZE = 50
const LIMITS = { poolSize: 2, statementTimeoutMs: 120_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

const { url } = await createTestDatabase()
const { db, close } = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(close)
await generateCatalog(db, CVES)

const MATURITIES = ['none', 'poc', 'functional', 'weaponized', 'active', 'ransomware']
const LOWEST_SCORES = { critical: 9, high: 7, medium: 4, low: 0.1 }

const findSeverity = (score: number | null) =>
  Object.entries(LOWEST_SCORES).find(([, lowest]) => score !== null && score >= lowest)?.[0]

/** The values of a CVE, written without the tables of filters and facets. */
const VALUES: Readonly<Record<FacetName, (cve: PlainCve, query: Query) => readonly (string | null | undefined)[]>> = {
  severity: ({ score }) => [findSeverity(score)],
  status: ({ status }) => [status],
  cwe: ({ cwes }) => cwes,
  assigner: ({ assigner }) => [assigner],
  product_vendor: ({ products }, { product }) =>
    products
      .filter((name) => product?.split(',').includes(name.split('/')[1] ?? '') ?? true)
      .map((name) => name.split('/')[0]),
  product: ({ products }, { product_vendor: vendor }) =>
    products
      .filter((name) => vendor?.split(',').includes(name.split('/')[0] ?? '') ?? true)
      .map((name) => name.split('/')[1]),
  priority: ({ priority }) => [findLevelOfRank(priority)],
  exploit_maturity: ({ maturity }) => [MATURITIES[maturity]],
  attack_vector: ({ attackVector }) => [attackVector],
  year: ({ published }) => [published === null ? null : new Date(published * 1000).toISOString().slice(0, 4)],
  technique: ({ techniques }) => techniques,
  kev: ({ inKev }) => [String(inKev)],
  source: ({ sources }) => sources,
}

function countNaively(cves: readonly PlainCve[], query: Query): FacetCounts {
  const byId = new Map(cves.map((cve) => [cve.id, cve]))
  const hits = naiveSearch(cves, query, undefined).flatMap((id) => byId.get(id) ?? [])
  const count = (name: FacetName) => {
    const counts = new Map<string | null, number>()
    for (const hit of hits) {
      const values = new Set(VALUES[name](hit, query).map((value) => value ?? null))
      for (const value of values.size === 0 ? [null] : values) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts].map(([value, number]) => ({ value, count: number })).toSorted(compare(name, query))
  }
  return { total: hits.length, facets: Object.fromEntries(FACET_NAMES.map((name) => [name, cut(count(name))])) }
}

type Value = FacetCounts['facets'][string][number]

const compare = (name: FacetName, query: Query) => {
  const wanted = (name === 'product' || name === 'product_vendor' ? query[name] : undefined)?.split(',') ?? []
  const isWanted = ({ value }: Value) => Number(wanted.includes(value ?? ''))
  return (a: Value, b: Value) =>
    b.count - a.count || isWanted(b) - isWanted(a) || ((a.value ?? '') < (b.value ?? '') ? -1 : 1)
}

const cut = (values: readonly Value[]) => [
  ...values.filter(({ value }) => value !== null).slice(0, SIZE),
  ...values.filter(({ value }) => value === null),
]

function toFacetQuery(query: Query): FacetQuery {
  const parameters = new URLSearchParams({ ...query, facets: 'severity' })
  parameters.delete('sort')
  const sent = parameters.toString()
  // The cast is safe: readInput returns the values of the endpoint's parameters.
  const { query: values } = readInput(facetCves, { path: {}, query: sent, body: undefined }) as unknown as {
    query: FacetQuery['values']
  }
  const names = {
    ...(values.product_vendor && { vendor: values.product_vendor }),
    ...(values.product && { product: values.product }),
  }
  return { values, facets: FACET_NAMES, size: SIZE, names }
}

const withoutWords = anySearch.filter(({ q }) => q === undefined)

async function expectAgreement({ columns }: ReadColumns, numRuns: number): Promise<void> {
  const cves = await readPlainCves(db)
  await fc.assert(
    fc.asyncProperty(withoutWords, async (query) => {
      const [expected, facetQuery] = [countNaively(cves, query), toFacetQuery(query)]
      const isInMemory = listFiltersForSql(facetQuery.values).length === 0
      if (isInMemory) expect(countFacetsInMemory(columns, facetQuery, undefined)).toEqual(expected)
      expect(await countFacetsInSql(db, facetQuery)).toEqual(expected)
    }),
    { numRuns, ...chooseBySize({ short: { seed: 46 }, long: {} }) },
  )
}

/** Statements as the publisher, the EPSS release and the KEV catalog write them. */
const CHANGES: readonly ((db: Database) => Promise<unknown>)[] = [
  (tx) => sql`delete from catalog.cve where cve_key % 7 = 0`.execute(tx),
  (tx) =>
    sql`update catalog.cve set score = 9.9, cwes = '{CWE-1,CWE-2}', status = 'Modified' where cve_key % 5 = 0`.execute(
      tx,
    ),
  (tx) =>
    sql`update catalog.cve set published = null, attack_vector = null, has_fix = not has_fix where cve_key % 11 = 0`.execute(
      tx,
    ),
  (tx) => sql`update catalog.epss set score = null, percentile = null where cve_key % 3 = 0`.execute(tx),
  (tx) => sql`delete from catalog.kev where cve_key % 2 = 0`.execute(tx),
  (tx) => sql`delete from catalog.cve_product where cve_key % 13 = 0`.execute(tx),
  async (tx) => {
    await sql`insert into catalog.product (vendor, product) values ('new', 'product_0'), ('vendor_0', 'ünew')`.execute(
      tx,
    )
    await sql`
      insert into catalog.cve_product (product_key, cve_key)
      select product_key, cve_key from catalog.product, catalog.cve
       where (vendor = 'new' or product = 'ünew') and cve_key % 4 = 0
    `.execute(tx)
  },
]

describe('Facet counts', () => {
  const queries = chooseBySize({ short: 40, long: 1000 })

  it(`in memory and in SQL equal a naive count for ${queries} random searches`, { timeout: 1_800_000 }, async () => {
    await expectAgreement(await readAllColumns(db), queries)
  })

  it('in memory show every kind of change, and equal the naive count after it', { timeout: 1_800_000 }, async () => {
    const read = await readAllColumns(db)
    let { position } = read
    for (const change of CHANGES) {
      await change(db)
      const next = await applyChanges(db, { ...read, position })
      expect(next?.seq, 'a change was noted').not.toBe(position.seq)
      position = next ?? position
      await expectAgreement(read, 4)
    }
  })

  it('are read again if the changes are no longer known, or too many to list', async () => {
    const read = await readAllColumns(db)
    await sql`delete from catalog.column_change`.execute(db)
    expect(await applyChanges(db, read)).toBeUndefined()
    await sql`update catalog.epss set score = 0.5 where cve_key % 2 = 0`.execute(db)
    const again = await readAllColumns(db)
    await sql`truncate catalog.cve`.execute(db)
    expect(await applyChanges(db, again)).toBeUndefined()
  })
})
