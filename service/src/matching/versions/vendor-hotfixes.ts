// Divides an affected range at the hotfixes that its vendor names. A record often has only `10.2.0 before 10.2.9-h1`,
// while the vendor's own document also calls 10.2.3-h13 fixed for release 10.2.3 and ends its list with 10.2.9-h1. As
// both end with the same fix, they are about the same fixes, and the document is the more exact one.
import { isCsafVendor } from '../../domain/source/csaf-sources.ts'
import { type StoredRow, stripDerived } from '../../record/affected-row.ts'
import type { VersionTexts } from './version-texts.ts'

/** A row whose versions are indexes of texts (product-rows.ts). */
interface IndexedRow {
  readonly row: StoredRow
  readonly low: number
  readonly high: number
  readonly fixed: number
}

export interface Hotfix {
  readonly version: string
  readonly index: number
  readonly row: StoredRow
}

/** Returns the hotfix with which an unaffected row about a single release begins (catalog/affected/fix-lists.ts). */
export function readHotfix({ row, low: index }: Pick<IndexedRow, 'row' | 'low'>): Hotfix | undefined {
  const { isAffected, fixed, low } = row
  if (isAffected || fixed === null || low === null || !isCsafVendor(stripDerived(row.source))) return undefined
  return { version: low, index, row }
}

/** Adds to each affected range the hotfixes of a vendor whose list ends with the same fix. */
export function findDividing<Row extends IndexedRow>(
  rows: readonly Row[],
  texts: VersionTexts,
): readonly (Row & { readonly dividedBy?: readonly Row[] })[] {
  const hotfixes = rows.filter((each) => readHotfix(each) !== undefined)
  if (hotfixes.length === 0) return rows
  const bySubject = Map.groupBy(hotfixes, ({ row }) => row.subjectKey)
  return rows.map((each) => {
    const { row, high } = each
    if (!row.isAffected || row.isVague || row.high === null || row.isHighIncluded || row.scheme === 'commit')
      return each
    const { scheme } = row
    const dividedBy = (bySubject.get(row.subjectKey) ?? []).filter(
      (other) => isSameProduct(other.row, row) && texts.compare(scheme, other.fixed, high) === 0,
    )
    return dividedBy.length === 0 ? each : { ...each, dividedBy }
  })
}

function isSameProduct(a: StoredRow, b: StoredRow): boolean {
  return a.vendor === b.vendor && a.product === b.product && a.target === b.target && a.edition === b.edition
}
