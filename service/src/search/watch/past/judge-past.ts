// Judges past changes for one query, with the rules of the evaluator (domain/watch/find-kinds.ts).
import type { Database } from '../../../database/postgres.ts'
import { findKinds, findOwnCause } from '../../../domain/watch/find-kinds.ts'
import type { WatchKind } from '../../../domain/watch/kinds.ts'
import { listAsked, readLookups } from '../lookups.ts'
import { type CompiledQuery, type Lookups, listFailed } from '../query.ts'
import type { StoredQuery } from '../stored-query.ts'
import type { PastChange } from './read-past.ts'

export interface PastJudgement {
  readonly change: PastChange
  readonly before: boolean
  readonly after: boolean
  /** The filters that say no after the change; empty if the CVE is in the search, or not in the catalog. */
  readonly failed: readonly string[]
  /** All words of `on` that apply, whatever a watch asks for. */
  readonly kinds: readonly WatchKind[]
  /** For `entered`: the filters that did not hold before; `published` for a new CVE. */
  readonly enteredBy: readonly string[]
  /** The CVE entered or left by a change of our own, which is told with others of its kind. */
  readonly isRecalculated: boolean
}

export type FindQuery = (change: PastChange) => StoredQuery

/** All statements read in one snapshot of the catalog. */
export async function judgePast(
  db: Database,
  changes: readonly PastChange[],
  findQuery: FindQuery,
): Promise<readonly PastJudgement[]> {
  const queries = new Set(changes.map((change) => findQuery(change).on(change.row.at)))
  const facts = changes.flatMap(({ around: { before, after } }) => [before, after]).filter((each) => each !== undefined)
  const lookups = await readLookups(db, listAsked(queries), facts)
  return changes.map((change) => judge(change, findQuery(change).on(change.row.at), lookups))
}

function judge(change: PastChange, query: CompiledQuery, lookups: Lookups): PastJudgement {
  const { row, around } = change
  const failedBefore = around.before && listFailed(query, around.before, lookups)
  const failedAfter = around.after && listFailed(query, around.after, lookups)
  const membership = { before: failedBefore?.length === 0, after: failedAfter?.length === 0 }
  const kinds = findKinds(row, membership)
  return {
    change,
    ...membership,
    failed: failedAfter ?? [],
    kinds,
    enteredBy: kinds.includes('entered') ? (failedBefore ?? ['published']) : [],
    isRecalculated: findOwnCause(row) !== undefined && membership.before !== membership.after,
  }
}
