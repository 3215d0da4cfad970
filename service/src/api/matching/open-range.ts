// Ranges of a CNA without an end. CNAs list one range per series and write the end of a series that gets no fix as "All":
// `10.0 through All` beside `10.1 before 10.1.11` means the series 10.0, not everything after it.
import { SCHEMES } from '../../domain/version/schemes.ts'
import type { AffectedRow } from './affected-row.ts'
import type { ComponentVersion } from './component.ts'

const CNA = /^(?:derived:)?cna:/

/** Returns whether another range of the same source may end this one. */
export function mayEndEarlier({ versions, low, high, source }: AffectedRow): boolean {
  return versions === null && low !== null && high === null && CNA.test(source)
}

/**
 * Returns whether the source names an end of another range between the start of this open range and the version. `rows`
 * are the rows about the same CVE or advisory.
 */
export function isSuperseded(
  row: AffectedRow,
  rows: readonly AffectedRow[],
  version: ComponentVersion | null,
): boolean {
  if (version === null || !mayEndEarlier(row)) return false
  return rows.some(
    (other) => isSameStatement(row, other) && [other.low, other.high].some((end) => isBetween(row, end, version)),
  )
}

function isSameStatement(a: AffectedRow, b: AffectedRow): boolean {
  return a.source === b.source && a.product === b.product && a.vendor === b.vendor && a.target === b.target
}

function isBetween({ low, scheme }: AffectedRow, end: string | null, { text }: ComponentVersion): boolean {
  if (low === null || end === null || scheme === 'commit') return false
  const order = SCHEMES[scheme]
  const [afterStart, beforeVersion] = [order.compare(end, low), order.compare(end, text)]
  return afterStart !== undefined && afterStart > 0 && beforeVersion !== undefined && beforeVersion <= 0
}
