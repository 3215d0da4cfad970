// Lists the versions that descriptions and CNAs' solutions call fixed.
import type { Claim } from '../../model/claim.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { listSolutionStatements } from '../../sources/prose/find-solution-statements.ts'
import { toVersionKey } from './affected-ends.ts'

/** Returns keys of versions (`toVersionKey`). */
export function listFixedInTexts(claim: Claim): readonly string[] {
  const described = listFixStatements(claim.description ?? '').map(({ version }) => toVersionKey(version))
  return [...described, ...listFixedInSolutions(claim)]
}

/** Vendors' comments in NVD's record are not solutions. */
export function listFixedInSolutions({ source, solutions = [] }: Claim): readonly string[] {
  if (source !== 'cve') return []
  return solutions
    .flatMap(({ text }) => [...listFixStatements(text), ...listSolutionStatements(text)])
    .map(({ version }) => toVersionKey(version))
}
