// Tests that growCatalog creates a valid catalog with the same distribution of values as the original catalog.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { parseCanonicalCveId } from '../../../service/src/domain/cve-id.ts'
import { generateCatalog } from '../../../service/test/support/catalog/generated-catalog.ts'
import {
  findIdsWithWords,
  naiveSearch,
  type Query,
  readPlainCves,
} from '../../../service/test/support/catalog/naive-search.ts'
import { listCveIds } from '../../../service/test/support/catalog/page-through.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { growCatalog } from '../../../service/test/support/generator/grow-catalog.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const COUNT = 3000
const FACTOR = 4
const TABLES = ['cve', 'epss', 'kev', 'cve_document'] as const

const { api, database } = await startTestService()
const limits = { poolSize: 1, statementTimeoutMs: 300_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
const pool = openPool(database.url, 'test', limits, () => {})
cleanUpAfterTests(() => pool.close())

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`catalog.${table}`)}
    `.execute(pool.db)
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}

async function readDefinitions(): Promise<readonly string[]> {
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

/** Counts the rows per value of a column, in the order of the values. */
async function countValues(column: 'score' | 'status' | 'cpe_count' | 'attack_vector'): Promise<readonly number[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from catalog.cve group by ${sql.ref(column)} order by ${sql.ref(column)}
  `.execute(pool.db)
  return rows.map(({ count }) => count)
}

const readFigures = async () => ({
  rows: await countRows(),
  definitions: await readDefinitions(),
  scores: await countValues('score'),
  statuses: await countValues('status'),
  vectors: await countValues('attack_vector'),
  zebras: (await findIdsWithWords(pool.db, 'zebra')).size,
})
let before: Awaited<ReturnType<typeof readFigures>>
let after: typeof before
beforeAll(async () => {
  await generateCatalog(pool.db, COUNT)
  before = await readFigures()
  await growCatalog(database.url, FACTOR)
  after = await readFigures()
}, 600_000)

describe('growCatalog with factor 4', () => {
  it('multiplies the rows of every catalog table and the number of CVEs in the statistics by 4', async () => {
    for (const table of TABLES) expect(after.rows[table], table).toBe((before.rows[table] ?? 0) * FACTOR)
    const { data } = (await api.get('/api/v1/stats')).json
    expect(data.stats.totalCves).toBe(COUNT * FACTOR)
  })

  it('gives every new row a valid and unique id', async () => {
    const { rows } = await sql<{ id: string; returns: boolean }>`
      select catalog.cve_id(cve_key) as id, catalog.cve_key(catalog.cve_id(cve_key)) = cve_key as returns
        from catalog.cve
    `.execute(pool.db)
    expect(rows.filter(({ id, returns }) => !returns || parseCanonicalCveId(id) !== id)).toEqual([])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(COUNT * FACTOR)
  })

  it('restores all indexes and constraints', () => {
    expect(before.definitions.length).toBeGreaterThan(20)
    expect(after.definitions).toEqual(before.definitions)
  })

  it('keeps the relative frequency of each value and builds new rows from values of different rows', async () => {
    for (const column of ['scores', 'statuses', 'vectors'] as const)
      expect(after[column], column).toEqual(before[column].map((count) => count * FACTOR))
    expect(after.zebras).toBe(before.zebras * FACTOR)
    // The numbers in original CVE ids have four digits. The last four digits of a copied CVE's number are those of the
    // original CVE that gave the copy its dates.
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
  ])('creates a catalog whose search for %j finds the same CVEs with and without indexes', async (query: Query) => {
    const idsWithWords = query['q'] === undefined ? undefined : await findIdsWithWords(pool.db, query['q'])
    const expected = naiveSearch(await readPlainCves(pool.db), query, idsWithWords)
    const parameters = new URLSearchParams({ ...query, limit: '100' }).toString()

    const { data } = (await api.get(`/api/v1/cves?${parameters}`)).json

    expect(listCveIds(data)).toEqual(expected.slice(0, 100))
    expect(expected.length).toBeGreaterThan(0)
  })

  it('creates a catalog in which a search for an original or a new id finds exactly one CVE', async () => {
    const { rows } = await sql<{ id: string }>`
      select catalog.cve_id(min(cve_key)) as id from catalog.cve
       union all
      select catalog.cve_id(max(cve_key)) from catalog.cve
    `.execute(pool.db)
    expect(rows).toHaveLength(2)
    for (const { id } of rows) expect(listCveIds((await api.get(`/api/v1/cves?q=${id}`)).json.data)).toEqual([id])
  })
})

it('growCatalog rejects a factor that is not a whole number', async () => {
  await expect(growCatalog(database.url, 1.5)).rejects.toThrow('The factor must be a whole number from 1 on')
})
