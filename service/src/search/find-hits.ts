// Finds the hits for one page of a search, in steps that depend on how many hits there are (ADR 0023).
import type { Database } from '../database/postgres.ts'
import { leaveRemainingTime } from '../database/read-snapshot.ts'
import { scanInOrder } from './bounded-scan.ts'
import { collectHits } from './collect-hits.ts'
import type { Filters } from './filters/build-filters.ts'
import { findAmongAllHits, type Hit, type KeysetQuery } from './keyset-page.ts'
import { type Sample, type SampleSize, sampleHits } from './sample.ts'

/** A search with at most this many hits has an exact total; otherwise the total may be an estimate (decision D9). */
const MAX_EXACT_TOTAL = 1000

export interface FoundHits {
  readonly total: number
  /** The first `count` hits in sort order. */
  readonly hits: readonly Hit[]
}

/** Finds the first page of a search and the total number of hits. */
export async function findFirstHits(db: Database, query: KeysetQuery, count: number): Promise<FoundHits> {
  const common = await estimateIfCommon(db, query.filters)
  if (common !== undefined) return { total: common, hits: await findInOrder(db, query, count, common) }
  const { found, isComplete, hits } = await collectHits(db, query, count)
  if (isComplete) return { total: found, hits }
  const total = Math.max(found, (await sampleHits(db, query.filters, SAMPLE)).total)
  return { total, hits: await findInOrder(db, query, count, total) }
}

/** Finds a later page of a search. The cursor holds the total number of hits. */
export async function findNextHits(db: Database, query: KeysetQuery, count: number): Promise<FoundHits> {
  const total = query.after?.totalEstimate ?? 0
  return { total, hits: await findInOrder(db, query, count, total) }
}

/** Finds the hits after the cursor position in a search with about `total` hits. */
async function findInOrder(db: Database, query: KeysetQuery, count: number, total: number): Promise<readonly Hit[]> {
  const scanned = total > MAX_EXACT_TOTAL ? await scanInOrder(db, query, { count, total }) : []
  if (scanned.length === count) return scanned
  await leaveRemainingTime(db)
  return findAmongAllHits(db, query, { count, total })
}

/** A first look takes less than a millisecond. It recognises a common search, for which not all hits are collected. */
export const FIRST_LOOK: SampleSize = { rows: 256, hits: 256 }
export const SAMPLE: SampleSize = { rows: 2048, hits: 256 }

/**
 * A search is common if the first look estimates at least this many hits, based on at least MIN_HITS hits. A search
 * with MAX_EXACT_TOTAL hits or fewer looks that common in one case out of 10⁹.
 */
export const MIN_COMMON = 12_000
const MIN_HITS = 12

/** With this many hits, the first look needs no larger sample: the error of its estimate is about a twelfth. */
const ENOUGH_HITS = 128

/** Returns the estimated number of hits for a common search, or undefined for any other search. */
export async function estimateIfCommon(db: Database, filters: Filters): Promise<number | undefined> {
  if (filters.findsFew) return undefined
  const first = await sampleHits(db, filters, FIRST_LOOK)
  if (first.total < MIN_COMMON || first.hits < MIN_HITS) return undefined
  const { total }: Sample = first.hits >= ENOUGH_HITS ? first : await sampleHits(db, filters, SAMPLE)
  return total < MIN_COMMON / 2 ? undefined : total
}
