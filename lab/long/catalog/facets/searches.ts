// Random searches over a real catalog, and the comparison and measurement of their answers.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { facetCves } from '../../../../service/src/api/endpoints/facet-cves/endpoint.ts'
import { readInput } from '../../../../service/src/contract/read-input.ts'
import type { Database } from '../../../../service/src/database/postgres.ts'
import type { FilterValues } from '../../../../service/src/search/filters/table.ts'
import type { Query } from '../../../../service/test/support/catalog/naive-search.ts'
import type { TestService } from '../../../../service/test/support/service.ts'
import type { GroupedCounts } from './group-by.ts'

const SIZE = 50
const FACETS_PER_CALL = 5

interface FacetValue {
  readonly value: string | null
  readonly count: number
}

/** What the calls about one search returned. */
export interface CountedFacets {
  /** The different totals; one if all calls agree. */
  readonly totals: readonly number[]
  readonly facets: Readonly<Record<string, readonly FacetValue[]>>
}

/** Values that occur in the catalog: frequent names and rare ones. */
export async function readValues(db: Database) {
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

/** Facets have no order. */
function toParameters(query: Query, more: Readonly<Record<string, string>>): URLSearchParams {
  const parameters = new URLSearchParams({ ...query, ...more })
  parameters.delete('sort')
  return parameters
}

export function readFilters(query: Query): FilterValues {
  const sent = toParameters(query, { facets: 'kev' }).toString()
  // The cast is safe: readInput returns the values of the endpoint's parameters.
  return (readInput(facetCves, { path: {}, query: sent, body: undefined }) as unknown as { query: FilterValues }).query
}

/** Ties between values at the end of the list may be cut anywhere, so each listed value is compared with its count. */
export function compare(
  name: string,
  { totals, facets }: CountedFacets,
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
    totals.join() !== String(expected.total) ||
    values.some(({ value, count }) => counts.get(value ?? '') !== count) ||
    values.filter(({ value }) => value === null).length !== Number(counts.has('')) ||
    new Set(listed.map(({ value }) => value)).size !== listed.length ||
    listed.map(({ count }) => count).join() !== frequent.slice(0, SIZE).join()
  return differs ? [`${JSON.stringify(query)}: ${name}`] : []
}

export function quantile(times: readonly { readonly ms: number }[], part: number): number {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export const write = (line: string) => process.stderr.write(`${line}\n`)

export function print(what: string, times: readonly { readonly ms: number }[], note = ''): void {
  const [median, p99, max] = [0.5, 0.99, 1].map((part) => quantile(times, part).toFixed(1))
  write(`${what}: ${times.length} calls, median ${median} ms, p99 ${p99} ms, longest ${max} ms. ${note}`)
}

/** Repeats a call for five seconds while an attack runs, and returns how long each took. */
export async function watchVictim(
  call: () => Promise<unknown>,
  attack: (isOver: () => boolean) => Promise<unknown>,
): Promise<readonly { readonly ms: number }[]> {
  const endsAt = performance.now() + 5000
  const isOver = () => performance.now() >= endsAt
  const attacking = attack(isOver)
  const times: { ms: number }[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    await call()
    times.push({ ms: performance.now() - startedAt })
    await sleep(20)
  }
  await attacking
  return times
}

export function createCalls({ api, metrics }: Pick<TestService, 'api' | 'metrics'>, key: string) {
  const call = async (facets: readonly string[], query: Query) => {
    const sent = toParameters(query, { facets: facets.join(','), facet_size: String(SIZE) })
    const startedAt = performance.now()
    const { status, json } = await api.get(`/api/v1/cves/facets?${sent}`, { key })
    return { status, data: json.data, ms: performance.now() - startedAt }
  }
  /** Counts all facets of a search, in calls of five. `counted` is undefined if a call was refused. */
  const countAll = async (names: readonly string[], query: Query) => {
    const [times, statuses]: [{ ms: number; query: string }[], number[]] = [[], []]
    const counted: { total: number; facets: Record<string, readonly FacetValue[]> }[] = []
    for (let start = 0; start < names.length; start += FACETS_PER_CALL) {
      const { status, data, ms } = await call(names.slice(start, start + FACETS_PER_CALL), query)
      times.push({ ms, query: JSON.stringify(query) })
      statuses.push(status)
      counted.push(data)
    }
    const totals = [...new Set(counted.map((each) => each?.total))]
    const all: CountedFacets = { totals, facets: Object.assign({}, ...counted.map((each) => each?.facets)) }
    return { times, statuses, counted: statuses.every((status) => status === 200) ? all : undefined }
  }
  const readCve = () => api.get('/api/v1/cve/CVE-2021-44228')
  /** Waits until the columns are in memory, with calls that the database counts in no time. */
  const waitForColumns = () =>
    expect
      .poll(
        async () => {
          await call(['kev'], { ids: 'CVE-2021-44228' })
          return metrics.text()
        },
        { timeout: 600_000, interval: 1000 },
      )
      .toMatch(/^vis_facet_answers_total\{counted_in="memory"\} [1-9]/m)
  return { call, countAll, readCve, waitForColumns }
}
