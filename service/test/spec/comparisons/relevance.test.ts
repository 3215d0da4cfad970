// Compares all pages of sort=relevance with an order that is computed from all CVEs.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Database, openPool } from '../../../src/database/postgres.ts'
import { MAX_RANK } from '../../../src/domain/priority/policy.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { listCveIds, readAllPages } from '../../support/catalog/page-through.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'
import { chooseBySize } from '../../support/size.ts'

const LIMITS = { poolSize: 2, statementTimeoutMs: 120_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

async function startService() {
  const { api, database } = await startTestService()
  const pool = openPool(database.url, 'test', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  return { api, db: pool.db }
}

/**
 * Half of the CVEs have a product with the word: even in a short run, that is more than the 2,000 in a class by text
 * rank.
 */
const COUNT = chooseBySize({ short: 4_400, long: 14_000 })
const PAGE = chooseBySize({ short: 100, long: 50 })

/**
 * Names of the generated CVEs, whose descriptions contain "and": some have a well-known name with this word, more than
 * 2,000 have a product with it, and the others do not.
 */
const KNOWN_NAME = 500
const PRODUCT = 2

interface Row {
  readonly id: string
  readonly known: boolean
  readonly named: boolean
  readonly matches: boolean
  readonly rank: number
  readonly priority: number
  readonly published: number
  readonly key: string
}

describe('GET /api/v1/cves: sort=relevance on a large catalog', { timeout: 300_000 }, () => {
  let service: Awaited<ReturnType<typeof startService>>
  beforeAll(async () => {
    service = await startService()
    const { db } = service
    await generateCatalog(db, COUNT)
    await sql`
      update catalog.cve
         set words = words
                  || catalog.name_words(case when cve_key % ${KNOWN_NAME} = 0 then array['well and known'] else '{}' end, 'A')
                  || catalog.name_words(case when cve_key % ${PRODUCT} = 0 then array['kernel and browser'] else '{}' end, 'B')
    `.execute(db)
    await sql`vacuum (analyze) catalog.cve`.execute(db)
  }, 300_000)

  /** Computes the order from all CVEs, without an index and without pages. */
  async function listExpected(word: string, isPriority: (relevanceClass: number) => boolean) {
    const { rows } = await sql<Row>`
      select catalog.cve_id(cve_key) as id, cve_key % ${KNOWN_NAME} = 0 as known, cve_key % ${PRODUCT} = 0 as named,
             words @@ query as matches, coalesce(priority, -1) as priority,
             (ts_rank(words, query, 1) + 0.3 * (words @@ replace(query::text, ':*', '')::tsquery)::int
               + 0.3 * coalesce(priority, 0) / ${sql.lit(MAX_RANK + 1)})::real as rank,
             coalesce(extract(epoch from published), -1)::float8 as published, cve_key as key
        from catalog.cve, catalog.pieces_query(array['+w' || ${word}]) as query
    `.execute(service.db)
    const getClass = ({ known, named }: Row) => (known && word === 'and' ? 1 : named ? 2 : 3)
    const getValue = (row: Row) => (isPriority(getClass(row)) ? row.priority : row.rank)
    return rows
      .filter(({ matches }) => matches)
      .toSorted(
        (a, b) =>
          getClass(a) - getClass(b) ||
          getValue(b) - getValue(a) ||
          b.published - a.published ||
          Number(BigInt(b.key) - BigInt(a.key)),
      )
      .map(({ id }) => id)
  }

  const readPages = (query: string) =>
    readAllPages(service.api, '/api/v1/cves', `sort=relevance&fields=cve_id&${query}`)

  it('returns every hit once, with classes of more than 2,000 hits by priority and smaller ones by text rank', async () => {
    const expected = await listExpected('and', (relevanceClass) => relevanceClass > 1)
    expect(expected).toHaveLength(COUNT)
    expect((await readPages('q=and&limit=100')).ids).toEqual(expected)
  })

  it('returns every hit once if a class ordered by text rank follows a class ordered by priority', async () => {
    const expected = await listExpected('browser', (relevanceClass) => relevanceClass === 2)
    expect((await readPages('q=browser&limit=87')).ids).toEqual(expected)
  })

  it('returns every hit once in order if a filter leaves fewer than 2,000 hits', async () => {
    const { rows } = await sql<{ id: string }>`
      select catalog.cve_id(cve_key) as id
        from catalog.cve
       where in_kev
    `.execute(service.db)
    const listed = new Set(rows.map(({ id }) => id))
    const expected = (await listExpected('and', () => false)).filter((id) => listed.has(id))
    const { ids, pages } = await readPages('q=and&kev=true&limit=7')
    expect(ids).toEqual(expected)
    expect(pages.every(({ totalEstimate }) => totalEstimate === expected.length)).toBe(true)
  })

  async function listHits(word: string, minEpss: number): Promise<readonly string[]> {
    const { rows } = await sql<{ id: string }>`
      select catalog.cve_id(cve_key) as id
        from catalog.pieces_query(array['+w' || ${word}]) as query, catalog.cve
        left join catalog.epss using (cve_key)
       where words @@ query and coalesce(epss.score, 0) >= ${minEpss}
    `.execute(service.db)
    return rows.map(({ id }) => id)
  }

  it.each([
    { word: 'and', minEpss: 0 },
    { word: 'kernel', minEpss: 0 },
    { word: 'zebra', minEpss: 0 },
    { word: 'and', minEpss: 0.01 },
  ])(
    'returns every unchanged hit for $word with EPSS from $minEpss exactly once while others change between the pages',
    async ({ word, minEpss }) => {
      const { api, db } = service
      const before = await listHits(word, minEpss)
      const query = `q=${word}${minEpss > 0 ? `&epss_min=${minEpss}` : ''}`
      const changed = new Set<string>()
      const seen: string[] = []
      for (let [after, page]: [string | undefined, number] = ['', 0]; after !== undefined; page += 1) {
        const { json } = await api.get(
          `/api/v1/cves?sort=relevance&fields=cve_id&limit=${PAGE}&${query}&after=${after}`,
        )
        seen.push(...listCveIds(json.data))
        after = json.data.pagination.nextCursor
        if (page % 7 === 0) for (const id of await changeSome(db, page)) changed.add(id)
      }
      const unchanged = before.filter((id) => !changed.has(id))
      expect(changed.size).toBeGreaterThan(0)
      expect(unchanged.length).toBeGreaterThan(before.length / 2)
      expect(seen.filter((id) => !changed.has(id)).toSorted()).toEqual(unchanged.toSorted())
    },
  )
})

/**
 * Changes one CVE in a hundred: its priority, and the words that decide its class, its rank and whether it is a hit.
 */
async function changeSome(db: Database, salt: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update catalog.cve
       set priority = (coalesce(priority, 0) + 977) % 5000,
           words = words || catalog.name_words(array['zebra and kernel'], case when cve_key % 2 = 0 then 'A' else 'B' end)
     where hashint8extended(cve_key, ${salt}) % 100 = 7
    returning catalog.cve_id(cve_key) as id
  `.execute(db)
  return rows.map(({ id }) => id)
}
