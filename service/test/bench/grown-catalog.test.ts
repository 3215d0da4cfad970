// A catalog that was made larger is still one: what is true of a catalog is true of it.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { parseCanonicalCveId } from '../../src/domain/cve-id.ts'
import { generateCatalog } from '../support/catalog/generated-catalog.ts'
import { idsWithWords, naiveSearch, type Query, readPlainCves } from '../support/catalog/naive-search.ts'
import { idsOf } from '../support/catalog/page-through.ts'
import { atEnd } from '../support/cleanup.ts'
import { PATIENT, testService } from '../support/service.ts'
import { growCatalog } from './data/grow-catalog.ts'

const COUNT = 3000
const FACTOR = 4
const TABLES = ['cve', 'epss', 'kev', 'cve_document'] as const

const { api, database } = await testService({ environment: PATIENT })
const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const pool = openPool(database.url, 'test', limits, () => {})
atEnd(() => pool.close())

async function rowCounts(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`catalog.${table}`)}
    `.execute(pool.db)
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}

async function definitions(): Promise<readonly string[]> {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where schemaname = 'catalog'
     union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint
     where connamespace = 'catalog'::regnamespace
     order by 1
  `.execute(pool.db)
  return rows.map(({ definition }) => definition)
}

/** How many rows have each score, status and the like: sorted, so that it can be compared. */
async function frequencies(column: 'score' | 'status' | 'cpe_count' | 'attack_vector'): Promise<readonly number[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from catalog.cve group by ${sql.ref(column)} order by ${sql.ref(column)}
  `.execute(pool.db)
  return rows.map(({ count }) => count)
}

const figures = async () => ({
  rows: await rowCounts(),
  definitions: await definitions(),
  scores: await frequencies('score'),
  statuses: await frequencies('status'),
  vectors: await frequencies('attack_vector'),
  zebras: (await idsWithWords(pool.db, 'zebra')).size,
})
let before: Awaited<ReturnType<typeof figures>>
let after: typeof before
beforeAll(async () => {
  await generateCatalog(pool.db, COUNT)
  before = await figures()
  await growCatalog(database.url, FACTOR)
  after = await figures()
}, 120_000)

describe('a catalog that has grown fourfold', () => {
  it('has four times as many rows in every table, and says so', async () => {
    for (const table of TABLES) expect(after.rows[table], table).toBe((before.rows[table] ?? 0) * FACTOR)
    const { data } = (await api.get('/api/v1/stats')).json
    expect(data.stats.totalCves).toBe(COUNT * FACTOR)
  })

  it('has valid ids, each once', async () => {
    const { rows } = await sql<{ id: string; returns: boolean }>`
      select catalog.cve_id(cve_key) as id, catalog.cve_key(catalog.cve_id(cve_key)) = cve_key as returns
        from catalog.cve
    `.execute(pool.db)
    expect(rows.filter(({ id, returns }) => !returns || parseCanonicalCveId(id) !== id)).toEqual([])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(COUNT * FACTOR)
  })

  it('has all its indexes and constraints again', () => {
    expect(before.definitions.length).toBeGreaterThan(20)
    expect(after.definitions).toEqual(before.definitions)
  })

  it('has each value four times as often, in other company', async () => {
    for (const column of ['scores', 'statuses', 'vectors'] as const)
      expect(after[column], column).toEqual(before[column].map((count) => count * FACTOR))
    expect(after.zebras).toBe(before.zebras * FACTOR)
    // The numbers that were there have four digits, and those of a copy end in the number that gave it its date.
    const { rows } = await sql<{ copies: number; alike: number }>`
      select count(*)::int as copies,
             count(*) filter (where (copy.score, copy.status, copy.cpe_count) = (dated.score, dated.status, dated.cpe_count))::int as alike
        from catalog.cve copy
        join catalog.cve dated on dated.cve_key = copy.cve_key / 100000000000000 * 100000000000000 + copy.cve_key % 10000
       where copy.cve_key <> dated.cve_key
    `.execute(pool.db)
    expect(rows[0]?.copies).toBe(COUNT * (FACTOR - 1))
    expect(rows[0]?.alike).toBeLessThan(COUNT * 0.1)
  })

  it.each([
    { sort: 'published_desc' },
    { sort: 'severity_asc', kev: 'true' },
    { q: 'zebra', sort: 'epss_desc' },
    { q: '"kernel and code"', sort: 'modified_asc' },
    { severity: 'critical', has_acsc: 'true', sort: 'severity_desc' },
  ])('answers %j as reading all of it would', async (query: Query) => {
    const worded = query['q'] === undefined ? undefined : await idsWithWords(pool.db, query['q'])
    const expected = naiveSearch(await readPlainCves(pool.db), query, worded)
    const asked = new URLSearchParams({ ...query, limit: '100' }).toString()

    const { data } = (await api.get(`/api/v1/cves?${asked}`)).json

    expect(idsOf(data)).toEqual(expected.slice(0, 100))
    expect(expected.length).toBeGreaterThan(0)
  })

  it('finds each id once, those from before and the new ones', async () => {
    const { rows } = await sql<{ id: string }>`
      select catalog.cve_id(min(cve_key)) as id from catalog.cve
       union all
      select catalog.cve_id(max(cve_key)) from catalog.cve
    `.execute(pool.db)
    expect(rows).toHaveLength(2)
    for (const { id } of rows) expect(idsOf((await api.get(`/api/v1/cves?q=${id}`)).json.data)).toEqual([id])
  })
})

it('growCatalog refuses what is no whole number', async () => {
  await expect(growCatalog(database.url, 1.5)).rejects.toThrow('A catalog grows by a whole number from 1 on')
})
