// Counts facets of random searches over the whole published catalog, and compares them with `group by`. Prints how long
// the calls take, alone and 64 at a time, and what they cost. The database is only read.
//
//   WHOLE_CATALOG_URL=… npx vitest run --project long lab/long/catalog/facets
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { facetCves } from '../../../../service/src/api/endpoints/facet-cves/endpoint.ts'
import { readInput } from '../../../../service/src/contract/read-input.ts'
import type { Database } from '../../../../service/src/database/postgres.ts'
import type { FilterValues } from '../../../../service/src/search/filters/table.ts'
import { account, createTestKey } from '../../../../service/test/support/builders.ts'
import { createAnySearch } from '../../../../service/test/support/catalog/any-search.ts'
import type { Query } from '../../../../service/test/support/catalog/naive-search.ts'
import { startTestService } from '../../../../service/test/support/service.ts'
import { findPublishedCatalog, openPublishedCatalog } from '../../matching/published-catalog.ts'
import { COUNTED_FACETS, type GroupedCounts, groupBy } from './group-by.ts'

const url = findPublishedCatalog('the counts of facets')
const SEARCHES = 300
const FACETS_PER_CALL = 5
const SIZE = 50
const CONCURRENT = 64
const MAX_UNFILTERED_MS = 100
const MAX_FILTERED_MS = 300

interface Value {
  readonly value: string | null
  readonly count: number
}

describe.skipIf(url === undefined)('Facets of the whole catalog', async () => {
  if (url === undefined) return
  const { api, given, metrics } = await startTestService({ environment: { DATABASE_READ_URL: url } })
  const { key, ...rest } = createTestKey()
  await given(account('enterprise').withKey({ key, ...rest }))
  const db = openPublishedCatalog(url)
  const searches = fc.sample(createAnySearch(await readValues(db)), { numRuns: SEARCHES, seed: 46 })

  const call = async (facets: readonly string[], { sort: _, ...query }: Query) => {
    const sent = new URLSearchParams({ ...query, facets: facets.join(','), facet_size: String(SIZE) })
    const startedAt = performance.now()
    const { status, json } = await api.get(`/api/v1/cves/facets?${sent}`, { key })
    return { status, data: json.data, ms: performance.now() - startedAt }
  }
  /** Waits until the columns are in memory. */
  const waitForColumns = () =>
    expect
      .poll(
        async () => {
          await call(['kev'], {})
          return metrics.text()
        },
        { timeout: 120_000, interval: 500 },
      )
      .toMatch(/^vis_facet_answers_total\{counted_in="memory"\} [1-9]/m)

  it(`equal a group by for ${SEARCHES} random searches and every facet`, { timeout: 7_200_000 }, async () => {
    await waitForColumns()
    const [differences, slow]: [string[], { ms: number; query: string }[]] = [[], []]
    const startedCpu = process.cpuUsage()
    let [calls, cpuMs] = [0, 0]
    for (const query of searches) {
      const expected = await groupBy(db, readFilters(query))
      for (let start = 0; start < COUNTED_FACETS.length; start += FACETS_PER_CALL) {
        const facets = COUNTED_FACETS.slice(start, start + FACETS_PER_CALL)
        const before = process.cpuUsage()
        const { status, data, ms } = await call(facets, query)
        const { user, system } = process.cpuUsage(before)
        cpuMs += (user + system) / 1000
        calls += 1
        slow.push({ ms, query: JSON.stringify(query) })
        if (status !== 200) differences.push(`${JSON.stringify(query)}: status ${status}`)
        else differences.push(...facets.flatMap((name) => compare(name, data, expected, query)))
      }
    }
    print('random searches', slow, `${(cpuMs / calls).toFixed(1)} ms of processor time per call`)
    for (const { ms, query } of slow.toSorted((a, b) => b.ms - a.ms).slice(0, 5))
      write(`  ${ms.toFixed(0)} ms ${query}`)
    write(await metrics.text().then((text) => /^vis_facet_answers_total.*$/gm.exec(text)?.[0] ?? ''))
    expect(differences).toEqual([])
    expect(quantile(slow, 0.99)).toBeLessThan(MAX_FILTERED_MS)
    expect(process.cpuUsage(startedCpu).user).toBeGreaterThan(0)
  })

  it('take little time without filters, and do not delay other calls', { timeout: 600_000 }, async () => {
    await waitForColumns()
    const facets = ['cwe', 'product', 'product_vendor', 'assigner', 'technique']
    const before = process.cpuUsage()
    const alone: { ms: number }[] = []
    for (let run = 0; run < 200; run += 1) alone.push(await call(facets, {}))
    const { user, system } = process.cpuUsage(before)
    print(
      'without filters',
      alone,
      `${((user + system) / 1000 / alone.length).toFixed(1)} ms of processor time per call`,
    )
    const quiet = await watchVictim(async () => undefined)
    const attacked = await watchVictim(async (isOver) => {
      const loop = async () => {
        while (!isOver()) await call(facets, {})
      }
      await Promise.all(Array.from({ length: CONCURRENT }, loop))
    })
    print('GET /cve/{id} alone', quiet)
    print(`GET /cve/{id} beside ${CONCURRENT} facet calls`, attacked)
    write(
      `resident memory: ${Math.round(process.memoryUsage().rss / 1_000_000)} MB, array buffers ${Math.round(process.memoryUsage().arrayBuffers / 1_000_000)} MB`,
    )
    expect(quantile(alone, 0.99)).toBeLessThan(MAX_UNFILTERED_MS)
    expect(quantile(attacked, 0.99)).toBeLessThan(2 * quantile(quiet, 0.99) + 20)
  })

  /** Sends calls of the default key's account for five seconds. */
  async function watchVictim(attack: (isOver: () => boolean) => Promise<unknown>) {
    let isOver = false
    const attacking = attack(() => isOver)
    const times: { ms: number }[] = []
    const endsAt = performance.now() + 5000
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      await api.get('/api/v1/cve/CVE-2021-44228')
      times.push({ ms: performance.now() - startedAt })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    isOver = true
    await attacking
    return times
  }
})

/** Values that occur in the catalog: frequent names and rare ones. */
async function readValues(db: Database) {
  const { rows } = await sql<{ kind: string; names: readonly string[] }>`
    select kind, (array_agg(name order by cve_count desc))[1:40] || (array_agg(name order by md5(name)))[1:40] as names
      from (select kind, name, cve_count from catalog.name_count
            union all select 'product', product, cve_count from catalog.product) as each
     where name !~ '[,&]'
     group by kind
  `.execute(db)
  const some = (kind: string) =>
    fc
      .uniqueArray(fc.constantFrom(...(rows.find((row) => row.kind === kind)?.names ?? [])), {
        minLength: 1,
        maxLength: 3,
      })
      .map((names) => names.join(','))
  const day = fc
    .integer({ min: 0, max: 9000 })
    .map((days) => new Date(Date.parse('2002-01-01') + days * 86_400_000).toISOString().slice(0, 10))
  return {
    q: fc.constantFrom(
      'log4j',
      'overflow',
      '"remote code execution"',
      'sql injection',
      'wordpress plugin',
      'kernel -linux',
      'mod_ssl',
      'denial of service OR crash',
    ),
    vendor: fc.constantFrom('nvd', 'cve', 'ghsa', 'redhat', 'msrc'),
    cwe: some('cwe'),
    technique: some('technique'),
    product: some('product'),
    product_vendor: some('vendor'),
    assigner: some('assigner'),
    published_after: day,
    published_before: day,
    modified_after: day,
    modified_before: day,
    kev_added_after: day,
    kev_added_before: day,
  }
}

function readFilters({ sort: _, ...query }: Query): FilterValues {
  const sent = new URLSearchParams({ ...query, facets: 'kev' }).toString()
  // The cast is safe: readInput returns the values of the endpoint's parameters.
  return (readInput(facetCves, { path: {}, query: sent, body: undefined }) as unknown as { query: FilterValues }).query
}

/** Ties between values at the end of the list may be cut anywhere, so each listed value is compared with its count. */
function compare(
  name: string,
  { total, facets }: { total: number; facets: Record<string, readonly Value[]> },
  expected: GroupedCounts,
  query: Query,
): readonly string[] {
  const counts = expected.facets[name] ?? new Map<string, number>()
  const values = facets[name] ?? []
  const listed = values.filter(({ value }) => value !== null)
  const frequent = [...counts]
    .filter(([value]) => value !== '')
    .map(([, count]) => count)
    .toSorted((a, b) => b - a)
  const differs =
    total !== expected.total ||
    values.some(({ value, count }) => counts.get(value ?? '') !== count) ||
    values.filter(({ value }) => value === null).length !== Number(counts.has('')) ||
    new Set(listed.map(({ value }) => value)).size !== listed.length ||
    listed.map(({ count }) => count).join() !== frequent.slice(0, SIZE).join()
  return differs ? [`${JSON.stringify(query)}: ${name}`] : []
}

function quantile(times: readonly { readonly ms: number }[], part: number): number {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

const write = (line: string) => process.stderr.write(`${line}\n`)

function print(what: string, times: readonly { readonly ms: number }[], note = ''): void {
  const [median, p99, max] = [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1))
  write(`${what}: ${times.length} calls, median ${median} ms, p99 ${p99} ms, longest ${max} ms. ${note}`)
}
