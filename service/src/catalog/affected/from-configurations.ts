// Creates rows from the CPE configurations of NVD, overrides and CNAs, and from those that we derive from CNAs' product
// names.

import { type AffectedRow, DERIVED } from '../../record/affected-row.ts'
import type { Configuration, CpeMatch } from '../model/claim.ts'
import type { CpeCandidate } from '../model/resolved.ts'
import { dropCommits } from '../resolve/products/commit-limits.ts'
import { listFixedMatches } from '../sources/fields/fixed-matches.ts'
import { createConditions } from './conditions.ts'
import { type MatchedName, readCriteria, readVersions } from './read-criteria.ts'

export function collectFromCandidate(
  { by, isDerived, configurations }: Pick<CpeCandidate, 'by' | 'isDerived' | 'configurations'>,
  description: string | null = null,
): readonly AffectedRow[] {
  // NVD's matches are served unchanged; other providers' commits are dropped, because they are not versions.
  const keep = by === 'nvd' ? (match: CpeMatch) => match : dropCommits
  // Derived configurations come from products, whose ends the record does not compare with each other.
  const fixed = isDerived ? undefined : new Set<CpeMatch>(listFixedMatches(configurations, description))
  return configurations.flatMap((each) =>
    each.negate
      ? []
      : collectFromConfiguration(each, { by, isDerived }, { keep, hasFix: (match) => fixed?.has(match) ?? true }),
  )
}

function collectFromConfiguration(
  configuration: Configuration,
  { by, isDerived }: Pick<CpeCandidate, 'by' | 'isDerived'>,
  { keep, hasFix }: { readonly keep: (match: CpeMatch) => CpeMatch; readonly hasFix: (match: CpeMatch) => boolean },
): readonly AffectedRow[] {
  const findCondition = createConditions(configuration)
  const rows: AffectedRow[] = []
  for (const node of configuration.nodes) {
    if (node.negate) continue
    for (const match of node.matches) {
      if (!match.vulnerable) continue
      const kept = keep(match)
      const name = readCriteria(kept.criteria)
      // A match can be derived from a version such as `5.x` although the source names the product by CPE.
      const source = isDerived || match.derived ? `${DERIVED}${by}` : by
      if (name === undefined) continue
      const row = toRow(name, kept, { source, condition: findCondition(node, match) })
      const isFixed = match.versionEndExcluding === undefined || (hasFix(match) && !match.endsBranch)
      rows.push(isFixed ? row : { ...row, fixed: null })
    }
  }
  return rows
}

function toRow(
  name: MatchedName,
  match: CpeMatch,
  { source, condition }: Pick<AffectedRow, 'source' | 'condition'>,
): AffectedRow {
  const { version, limits, isVague, endsSeries = false } = readVersions(name, match)
  const { kind, vendor, product, target, edition } = name
  return {
    kind,
    vendor,
    product,
    target,
    edition,
    ...limits,
    scheme: 'generic',
    versions: version === null ? null : [version],
    isVague,
    isAffected: true,
    fixed: isVague || endsSeries ? null : limits.isHighIncluded ? (match.fixedAt ?? null) : limits.high,
    condition,
    source,
  }
}
