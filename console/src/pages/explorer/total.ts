// The number of matching CVEs. The service counts small numbers exactly and estimates large ones.
import { formatNumber } from '../../text/format.ts'

/** A total up to this number is exact; a larger one may be an estimate. */
const MAX_EXACT_TOTAL = 1000

export interface Total {
  readonly count: number
  readonly isExact: boolean
}

interface LoadedList {
  readonly rows: readonly unknown[]
  readonly totalEstimate: number | undefined
  readonly hasNextPage: boolean
  /** Whether the rows still belong to the previous search. */
  readonly isPlaceholderData: boolean
}

/** Finds the total. `counted` is the exact number from the facets, if they counted all matching CVEs. */
export function findTotal(list: LoadedList, counted: number | undefined): Total | undefined {
  const { rows, totalEstimate, hasNextPage, isPlaceholderData } = list
  if (totalEstimate === undefined) return undefined
  if (!hasNextPage) return { count: rows.length, isExact: true }
  if (totalEstimate <= MAX_EXACT_TOTAL || isPlaceholderData || counted === undefined)
    return { count: totalEstimate, isExact: totalEstimate <= MAX_EXACT_TOTAL }
  // The list may be some minutes older than the counts.
  return { count: Math.max(counted, rows.length), isExact: true }
}

/** Number of digits shown for an estimate. More would suggest an accuracy that it does not have. */
const ESTIMATE_DIGITS = 3

/** Formats an exact number as it is, and an estimate with three significant digits: `about 225,000`. */
export function describeTotal({ count, isExact }: Total): string {
  return isExact ? formatNumber(count) : `about ${formatNumber(Number(count.toPrecision(ESTIMATE_DIGITS)))}`
}
