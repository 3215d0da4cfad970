import { findBranches } from '../../domain/version/find-branches.ts'
import type { StoredRow } from '../../record/affected-row.ts'
import type { NamedFix } from './list-fixes.ts'

/** Returns the branch that the ranges of the fix's source show, such as `2.12` for 2.12.2, or null (decision E36). */
export function findFixBranch({ version, row, rows }: NamedFix): string | null {
  const statements = rows.flatMap(({ row: { isAffected, fixed, low, scheme, ...other } }) =>
    isAffected && fixed !== null && scheme !== 'commit' && isSameStatement(other, row)
      ? [{ version: fixed, start: low, series: null }]
      : [],
  )
  const at = statements.findIndex((each) => each.version === version)
  return at < 0 ? null : (findBranches(statements)[at] ?? null)
}

type Name = Pick<StoredRow, 'source' | 'vendor' | 'product' | 'target'>

function isSameStatement(a: Name, b: Name): boolean {
  return a.source === b.source && a.vendor === b.vendor && a.product === b.product && a.target === b.target
}
