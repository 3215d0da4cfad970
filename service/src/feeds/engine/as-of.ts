// Dates a delivery (one file or page of an upstream). Data without a date would otherwise never become stale.
import type { AsOfBasis } from '../../domain/source/data-age.ts'
import type { Delivery } from '../feed.ts'

export interface AsOf {
  readonly at: Date
  readonly basis: AsOfBasis
  /** The delivery replaces all stored records, so their time no longer counts. */
  readonly isReplaced: boolean
}

/** `newestAt`: the newest time that upstream states for a record of the delivery. */
export function findAsOf(
  { kind, slice, upstreamAt, deliveredAt }: Delivery<unknown>,
  newestAt: Date | null,
  now: Date,
): AsOf {
  if (upstreamAt !== undefined) return { at: upstreamAt, basis: 'released', isReplaced: false }
  if (newestAt !== null) return { at: newestAt, basis: 'newest_record', isReplaced: false }
  const isReplaced = kind === 'snapshot' && slice === undefined
  const at = deliveredAt !== undefined && deliveredAt < now ? deliveredAt : now
  return { at, basis: 'delivered', isReplaced }
}
