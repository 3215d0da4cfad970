// Texts for answers about affected components.
import type { MatchedComponent, MatchResult } from 'vis-sdk'

type FixedVersions = MatchedComponent['matches'][number]['fixed_in']

export function listFixedVersions(fixedIn: FixedVersions): string {
  return [...new Set(fixedIn.map(({ version }) => version))].join(', ') || '-'
}

/** Returns the number of components by verdict. */
export function describeVerdicts(summary: MatchResult['summary']): string {
  return [
    `affected ${summary.affected}`,
    `possibly affected ${summary.possibly_affected}`,
    `not affected ${summary.not_affected}`,
    `unknown product ${summary.unknown_product}`,
    `unknown version ${summary.unknown_version}`,
  ].join(', ')
}
