// Counts how much of upstream's own index a data set holds (decision E29). Only counts prove that a data set is
// complete, so the count is unknown unless upstream, or the operator's file, states it.
import { sql, type Transaction } from 'kysely'
import type { Delivery } from '../feed.ts'
import type { MergeCounts } from '../store.ts'
import type { RunCounters } from './counters.ts'

/** How a delivery (one file or page of an upstream) changes what is known about upstream's index. */
export type Extent =
  /** Upstream's whole index: the delivery contains it. */
  | { readonly kind: 'whole'; readonly indexCount: number; readonly unheldCount: number }
  /** A part of it. `indexCount`: the whole count, if upstream states it now. */
  | { readonly kind: 'part'; readonly added: number; readonly unheldCount: number; readonly indexCount: number | null }
  /** Files from a directory. `indexCount` comes from the operator's file of counts. */
  | { readonly kind: 'directory'; readonly indexCount: number | null }

interface Counts {
  readonly counters: RunCounters
  readonly merged: MergeCounts
}

/** `fromDirectory`: undefined for a download. Files that are upstream's whole index count like a download. */
export function findExtent(
  { kind, slice, indexCount }: Delivery<unknown>,
  { counters, merged }: Counts,
  fromDirectory: { readonly indexCount: number | null; readonly isWhole: boolean } | undefined,
): Extent {
  if (fromDirectory && !fromDirectory.isWhole) return { kind: 'directory', indexCount: fromDirectory.indexCount }
  const { read, duplicates, rejected } = counters
  if (kind === 'snapshot' && slice === undefined)
    return { kind: 'whole', indexCount: read - duplicates, unheldCount: rejected }
  return {
    kind: 'part',
    added: merged.inserted - merged.removed + rejected,
    unheldCount: rejected,
    indexCount: indexCount ?? null,
  }
}

/** Runs in the transaction that stores the delivery, after the number of stored records was updated. */
export async function recordExtent(tx: Transaction<unknown>, feed: string, extent: Extent): Promise<void> {
  await sql`update catalog.dataset set ${toAssignments(extent)} where name = ${feed}`.execute(tx)
}

function toAssignments(extent: Extent) {
  switch (extent.kind) {
    case 'whole':
      return sql`index_count = ${extent.indexCount}, unheld_count = ${extent.unheldCount}`
    case 'part': {
      const unheld = sql`unheld_count + ${extent.unheldCount}`
      const index =
        extent.indexCount === null
          ? sql`index_count + ${extent.added}`
          : sql`greatest(${extent.indexCount}, table_count + ${unheld})`
      return sql`unheld_count = ${unheld}, index_count = ${index}`
    }
    case 'directory':
      return sql`
        index_count = ${extent.indexCount}::bigint,
        unheld_count = greatest(coalesce(${extent.indexCount}::bigint, 0) - table_count, 0)`
  }
}
