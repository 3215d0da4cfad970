// Judges queries of watches in memory and in SQL, for tests that compare both.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import type { CveKey } from '../../../src/domain/cve-id.ts'
import { buildFilters } from '../../../src/search/filters/build-filters.ts'
import type { FilterValues } from '../../../src/search/filters/table.ts'
import { fromTables, joinConditions } from '../../../src/search/keyset-page.ts'
import { createFilterReader } from '../../../src/search/views/view-query.ts'
import { readFacts } from '../../../src/search/watch/facts.ts'
import { readLookups } from '../../../src/search/watch/lookups.ts'
import { isHit } from '../../../src/search/watch/query.ts'
import { QueryIndex } from '../../../src/search/watch/query-index.ts'
import { readStoredQuery } from '../../../src/search/watch/stored-query.ts'
import { type Example, WATCH_DAY } from './watch-queries.ts'

/** Reads the filters of a query string as a search on the given day does; throws if it is invalid. */
export function readFilterValues(query: string, day = WATCH_DAY): FilterValues {
  const reading = createFilterReader(day)(query)
  if ('value' in reading) return reading.value
  throw new Error(`${query}: ${reading.issues.map(({ parameter, message }) => `${parameter} ${message}`).join(', ')}`)
}

/** The keys of the CVEs that the search finds. */
export async function findInSql(db: Database, values: FilterValues): Promise<ReadonlySet<CveKey>> {
  const filters = buildFilters(values)
  const { rows } = await sql<{ keys: string }>`
    select coalesce(string_agg(cve.cve_key::text, ','), '') as keys
      from ${fromTables({ cve: true, epss: filters.readsEpss })}
     where ${joinConditions(filters.conditions)}
  `.execute(db)
  // The cast is safe: the statement returns keys.
  return new Set((rows[0]?.keys ?? '').split(',').filter((key) => key !== '') as CveKey[])
}

export async function listAllKeys(db: Database): Promise<readonly CveKey[]> {
  const { rows } = await sql<{ key: CveKey }>`select cve_key::text as key from catalog.cve order by cve_key`.execute(db)
  return rows.map(({ key }) => key)
}

/** CVEs from whose values queries are drawn, in an order that is the same in every run. */
export async function readExamples(db: Database, keys: readonly CveKey[]): Promise<readonly Example[]> {
  const facts = await readFacts(db, keys)
  const { rows } = await sql<{ key: CveKey; description: string | null }>`
    select cve_key::text as key, description::json #>> '{}' as description
      from catalog.cve_document
     where cve_key = any(${keys}::bigint[])
     order by cve_key
  `.execute(db)
  return rows.flatMap(({ key, description }) => {
    const known = facts.get(key)
    return known ? [{ facts: known, description: description ?? '' }] : []
  })
}

/** The hits of each query in memory: a bit for each CVE, by its number in the list of keys. */
type HitsInMemory = readonly Uint8Array[]

const hasBit = (bits: Uint8Array, number: number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0

const setBit = (bits: Uint8Array, number: number) => {
  bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7))
}

const CVES_PER_BATCH = 10_000

/**
 * Judges the queries through the index, and for each `aloneEvery`th CVE one by one as well. Throws if the two differ.
 */
export async function findInMemory(
  db: Database,
  queries: readonly string[],
  { keys, aloneEvery }: { readonly keys: readonly CveKey[]; readonly aloneEvery: number },
): Promise<HitsInMemory> {
  const [index, hits] = [new QueryIndex<number>(), queries.map(() => new Uint8Array((keys.length >> 3) + 1))]
  const stored = queries.map(readStoredQuery)
  for (const [number, query] of stored.entries()) index.add(query, number)
  for (let start = 0; start < keys.length; start += CVES_PER_BATCH) {
    const batch = keys.slice(start, start + CVES_PER_BATCH)
    const facts = await readFacts(db, batch)
    const lookups = await readLookups(db, index.listAsked(), facts.values())
    for (const [at, key] of batch.entries()) {
      const known = facts.get(key)
      if (!known) throw new Error(`${key} is no longer in the catalog.`)
      const matches = index.match({ before: undefined, after: known, time: WATCH_DAY }, lookups)
      const found = matches.flatMap(({ items }) => [...items])
      for (const number of found) setBit(hits[number] ?? new Uint8Array(), start + at)
      if ((start + at) % aloneEvery > 0) continue
      const alone = stored.flatMap((query, number) => (isHit(query.on(WATCH_DAY), known, lookups) ? [number] : []))
      if (alone.join() !== found.toSorted((a, b) => a - b).join())
        throw new Error(`The index finds other queries for ${key}: ${found.join()} instead of ${alone.join()}.`)
    }
  }
  return hits
}

export interface Comparison {
  /** Queries for which memory and SQL differ, each with a CVE. */
  readonly differences: readonly string[]
  /** Number of queries by their hits. */
  readonly counts: Readonly<Record<'none' | 'some' | 'all', number>>
}

/** Compares the hits in memory with those of a search, for every CVE. */
export async function compareWithSql(
  db: Database,
  queries: readonly string[],
  { keys, hits }: { readonly keys: readonly CveKey[]; readonly hits: HitsInMemory },
): Promise<Comparison> {
  const [differences, counts] = [[] as string[], { none: 0, some: 0, all: 0 }]
  for (const [number, query] of queries.entries()) {
    const found = await findInSql(db, readFilterValues(query))
    const bits = hits[number] ?? new Uint8Array()
    const other = keys.find((key, at) => found.has(key) !== hasBit(bits, at))
    if (other !== undefined) differences.push(`${query}: SQL ${found.has(other) ? 'finds' : 'does not find'} ${other}`)
    counts[found.size === 0 ? 'none' : found.size === keys.length ? 'all' : 'some'] += 1
  }
  return { differences, counts }
}
