// Lists the versions that descriptions and CNAs' solutions call fixed.
import type { Claim } from '../../model/claim.ts'
import type { FixStatement } from '../../model/fix-evidence.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { listSolutionStatements } from '../../sources/prose/find-solution-statements.ts'
import { toVersionKey } from './affected-ends.ts'

/** Returns keys of versions (`toVersionKey`). */
export function listFixedInTexts(claim: Claim): readonly string[] {
  return listStatementsInTexts(claim).map(({ version }) => toVersionKey(version))
}

export function listFixedInSolutions(claim: Claim): readonly string[] {
  return listInSolutions(claim).map(({ version }) => toVersionKey(version))
}

/** True if a text says that the version contains the fix: `before 6.0.0 and 6.0.0 through 6.0.4` does not. */
export function isCalledFixed(version: string, claim: Claim): boolean {
  const key = toVersionKey(version)
  return listStatementsInTexts(claim).some((each) => each.phrase !== 'before' && toVersionKey(each.version) === key)
}

function listStatementsInTexts(claim: Claim): readonly FixStatement[] {
  return [...listFixStatements(claim.description ?? ''), ...listInSolutions(claim)]
}

/** Vendors' comments in NVD's record are not solutions. */
function listInSolutions({ source, solutions = [] }: Claim): readonly FixStatement[] {
  if (source !== 'cve') return []
  return solutions.flatMap(({ text }) => [...listFixStatements(text), ...listSolutionStatements(text)])
}
