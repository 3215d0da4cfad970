// Finds the hits for one page of a search sorted by relevance. A search with few hits is sorted as a whole; a search
// with many hits is read class by class (ADR 0023).
import type { CursorPosition } from '../contract/cursor.ts'
import type { Database } from '../database/postgres.ts'
import { leaveRemainingTime } from '../database/read-snapshot.ts'
import { MAX_COLLECTED } from './collect-hits.ts'
import type { Filters } from './filters/build-filters.ts'
import { estimateIfCommon, type FoundHits, MIN_COMMON, SAMPLE } from './find-hits.ts'
import type { Hit } from './keyset-page.ts'
import { findByPriority } from './priority-order.ts'
import { collectRanked, MAX_RANKED } from './rank-order.ts'
import { parsePosition, type Relevance, type RelevanceClass, type RelevancePosition, toHit } from './relevance.ts'
import { sampleHits } from './sample.ts'

/** Finds the first page of a search and the total number of hits. */
export async function findFirstRelevant(db: Database, relevance: Relevance, count: number): Promise<FoundHits> {
  const { all } = relevance
  const common = await estimateIfCommon(db, all)
  if (common !== undefined) return { total: common, hits: await readClasses(db, relevance, { count, total: common }) }
  const { found, hits } = await collectRanked(db, relevance, { filters: all, count, maxFound: MAX_COLLECTED })
  if (found <= MAX_RANKED) return { total: found, hits }
  const total = found <= MAX_COLLECTED ? found : Math.max(found, (await sampleHits(db, all, SAMPLE)).total)
  return { total, hits: await readClasses(db, relevance, { count, total }) }
}

/** Finds a later page of a search. The cursor holds the total number of hits. */
export async function findNextRelevant(
  db: Database,
  relevance: Relevance,
  cursor: CursorPosition,
  count: number,
): Promise<FoundHits> {
  const [after, total] = [parsePosition(cursor), cursor.totalEstimate]
  if (total > MAX_RANKED) return { total, hits: await readClasses(db, relevance, { count, total, after }) }
  // There were few hits on the first page, so each class has few too, and all classes are ordered by text rank.
  return { total, hits: (await collectRanked(db, relevance, { filters: relevance.all, count, after })).hits }
}

interface ClassesPage {
  readonly count: number
  /** Number of hits in all classes. */
  readonly total: number
  readonly after?: RelevancePosition
}

/** Reads one class after another, starting with the one of the position, until the page is full. */
async function readClasses(db: Database, relevance: Relevance, page: ClassesPage): Promise<readonly Hit[]> {
  const { after } = page
  const hits: Hit[] = []
  for (const { class: number, filters } of relevance.classes) {
    if (after && number < after.class) continue
    if (hits.length > 0) await leaveRemainingTime(db)
    const missing = { ...page, count: page.count - hits.length }
    const next =
      after?.class === number
        ? continueClass(db, relevance, filters, missing.count, after)
        : startClass(db, relevance, { class: number, filters }, missing)
    hits.push(...(await next))
    if (hits.length === page.count) break
  }
  return hits
}

/** Reads a class in the order chosen on its first page. */
async function continueClass(
  db: Database,
  relevance: Relevance,
  filters: Filters,
  count: number,
  after: RelevancePosition,
) {
  if (after.order === 'rank') return (await collectRanked(db, relevance, { filters, count, after })).hits
  const rows = await findByPriority(db, filters, { count, total: after.total, after })
  return rows.map((row) => toHit(after, row))
}

/** Chooses the order of a class and reads its first hits. */
async function startClass(
  db: Database,
  relevance: Relevance,
  { class: number, filters }: { readonly class: RelevanceClass; readonly filters: Filters },
  { count, total }: ClassesPage,
): Promise<readonly Hit[]> {
  const startByPriority = async (classTotal: number) => {
    const rows = await findByPriority(db, filters, { count, total: classTotal })
    return rows.map((row) => toHit({ class: number, order: 'priority', total: classTotal }, row))
  }
  const common = total >= MIN_COMMON && number >= MIN_COMMON_CLASS ? await estimateIfCommon(db, filters) : undefined
  if (common !== undefined) return startByPriority(common)
  const { found, hits } = await collectRanked(db, relevance, { filters, count, maxFound: MAX_RANKED })
  if (found <= MAX_RANKED) return hits
  return startByPriority(Math.max(found, (await sampleHits(db, filters, SAMPLE)).total))
}

/** No word occurs in so many well-known names and names of KEV entries that a class below this one could be common. */
const MIN_COMMON_CLASS: RelevanceClass = 2
