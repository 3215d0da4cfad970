// Handles a CNA's ranges without an end. A CNA lists one range per series and ends a series that has no fix with "All":
// `10.0 through All` next to `10.1 before 10.1.11` means the series 10.0, not everything after it.
import type { SchemeName } from '../../domain/version/schemes.ts'
import type { StoredRow } from '../../record/affected-row.ts'
import { NO_TEXT, type PreparedRow, type PreparedSubject, type VersionProbe } from './product-rows.ts'
import type { VersionTexts } from './version-texts.ts'

/** An end of another range from the same source that comes after the start of the open range. */
interface LaterEnd {
  readonly of: PreparedRow
  readonly end: number
}

/** Cached, because they are the same for all versions of a product. */
const laterEnds = new WeakMap<PreparedRow, readonly LaterEnd[]>()

/**
 * Returns true if the source names the end of another range between the start of this open range and the version.
 * `rows` are the rows about this CVE or advisory that apply to the component.
 */
export function isSuperseded(
  open: PreparedRow,
  { subject, rows }: { readonly subject: PreparedSubject; readonly rows: readonly PreparedRow[] },
  probe: VersionProbe | undefined,
): boolean {
  const { scheme } = open.row
  if (probe === undefined || !open.mayEndEarlier || scheme === 'commit') return false
  const ends = laterEnds.get(open) ?? findLaterEnds(open, subject.rows, scheme, probe.texts)
  laterEnds.set(open, ends)
  return ends.some(({ of, end }) => {
    const order = probe.whole.order(scheme, end)
    return (order === 0 || order === 1) && (rows === subject.rows || rows.includes(of))
  })
}

function findLaterEnds(
  open: PreparedRow,
  rows: readonly PreparedRow[],
  scheme: SchemeName,
  texts: VersionTexts,
): readonly LaterEnd[] {
  return rows
    .filter(({ row }) => isSameStatement(open.row, row))
    .flatMap((of) => [of.low, of.high].map((end) => ({ of, end })))
    .filter(({ end }) => end !== NO_TEXT && (texts.compare(scheme, end, open.low) ?? 0) > 0)
}

function isSameStatement(a: StoredRow, b: StoredRow): boolean {
  return a.source === b.source && a.product === b.product && a.vendor === b.vendor && a.target === b.target
}
