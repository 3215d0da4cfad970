// The rows of the fix strip: the fixed versions of the first product, by branch. A hotfix of an older release of the branch
// can contain the fix, too, so none of them is called the first.
import type { Cve } from 'vis-sdk'
import { type Fix, type FixGroup, groupFixes } from './fix-groups.ts'
import { compareVersions } from './version-order.ts'

export interface FixRow {
  readonly key: string
  /** Branch such as `11.1`; undefined if no source shows branches. */
  readonly branch: string | undefined
  readonly version: string
  readonly source: string
  readonly isDoubted: boolean
  readonly isDerived: boolean
}

export interface FixStrip {
  readonly product: string
  readonly rows: readonly FixRow[]
  /** Number of branches of this product that are not among the rows. */
  readonly moreBranches: number
  readonly moreProducts: number
}

/** Returns undefined if no source names a fixed version of a product that the CVE is about. */
export function buildFixStrip(
  cve: Pick<Cve, 'fixes' | 'fixes_omitted' | 'kev'>,
  maxRows: number,
): FixStrip | undefined {
  const { groups } = groupFixes(cve)
  const [first] = groups
  if (first === undefined) return undefined
  const rows = listRows(first)
  return {
    product: first.name,
    rows: rows.slice(0, maxRows),
    moreBranches: Math.max(0, rows.length - maxRows),
    moreProducts: groups.length - 1,
  }
}

/** Newest branch first: that is where most systems are. */
function listRows({ fixes }: Pick<FixGroup, 'fixes'>): readonly FixRow[] {
  const undisputed = fixes.filter(({ doubted }) => doubted !== true)
  // A version that other sources contradict is shown only if there is no other.
  return (undisputed.length > 0 ? undisputed : fixes)
    .map(toRow)
    .toSorted((a, b) => compareVersions(b.version, a.version))
}

function toRow({ branch, version, source, doubted, derived }: Fix): FixRow {
  return {
    key: `${branch ?? ''} ${version} ${source}`,
    branch: branch ?? undefined,
    version,
    source,
    isDoubted: doubted === true,
    isDerived: derived === true,
  }
}
