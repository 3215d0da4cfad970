// Finds a contradiction between sources about one version: a source calls it affected, and another ends a range with it.
import { type StoredRow, stripDerived } from '../../record/affected-row.ts'
import type { Placement } from '../versions/place-version.ts'
import { NO_TEXT, type PreparedRow, type VersionProbe } from '../versions/product-rows.ts'

interface Placed {
  readonly row: StoredRow
  readonly prepared: PreparedRow
  readonly placement: Placement
}

const toProvider = ({ row }: Placed) => stripDerived(row.source)

/**
 * Returns whether another source names exactly this version as the first fixed one. `inside`: the rows that call the
 * version affected. What a CNA or a distribution states about the version of its own product outweighs the other source
 * (`isOwn`).
 */
export function isNamedAsFixed(
  {
    inside,
    placed,
    isOwn,
  }: {
    readonly inside: readonly Placed[]
    readonly placed: readonly Placed[]
    readonly isOwn: (row: StoredRow) => boolean
  },
  probe: VersionProbe | undefined,
): boolean {
  if (probe === undefined || inside.some(({ row }) => isOwn(row) && isExplicit(row))) return false
  const affecting = new Set(inside.map(toProvider))
  return placed.some((each) => !affecting.has(toProvider(each)) && endsAt(each, probe))
}

/**
 * A range without an end only shows that its source knew no fix. A CNA's ranges include their start, except for those
 * between the versions that it calls unaffected: these are affected by its default only.
 */
function isExplicit({ versions, low, isLowIncluded, high }: StoredRow): boolean {
  return versions !== null || (high !== null && (low === null || isLowIncluded))
}

function endsAt({ row, prepared, placement }: Placed, { whole }: VersionProbe): boolean {
  if (!row.isAffected || placement !== 'outside' || row.scheme === 'commit') return false
  return prepared.high !== NO_TEXT && whole.order(row.scheme, prepared.high) === 0
}
