// Lists the fixed versions that the sources of a hit name.
import type { StoredRow } from '../../record/affected-row.ts'
import { findOwnHotfixes } from '../versions/divided-range.ts'
import type { PreparedRow, PreparedSubject, VersionProbe } from '../versions/product-rows.ts'

/** A fixed version, and all rows about the CVE or advisory, which show its branch. */
export interface NamedFix {
  readonly version: string
  readonly row: StoredRow
  readonly rows: readonly PreparedRow[]
}

/** The hotfixes of the component's own release come first. `rated`: the rows that make the component a hit. */
export function listFixes(
  rated: readonly { readonly row: StoredRow; readonly prepared: PreparedRow }[],
  { rows }: PreparedSubject,
  probe: VersionProbe | undefined,
): readonly NamedFix[] {
  const [first, second] = rated
  // Fast path: nearly all hits have one row.
  if (first !== undefined && second === undefined && first.prepared.dividedBy === undefined) {
    const { row } = first
    return row.fixed === null ? [] : [{ version: row.fixed, row, rows }]
  }
  const fixes = new Map<string, NamedFix>()
  const add = (version: string, row: StoredRow) => fixes.set(`${version}\n${row.source}`, { version, row, rows })
  for (const { prepared } of rated) for (const { version, row } of findOwnHotfixes(prepared, probe)) add(version, row)
  for (const { row } of rated) if (row.fixed !== null) add(row.fixed, row)
  return [...fixes.values()]
}
