// Lists the CPE matches whose excluded end is a fixed version.
import { formatCpe } from '../../../domain/cpe/cpe.ts'
import { ANY, unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import type { Configuration, CpeMatch } from '../../model/claim.ts'
import { listFixStatements } from '../prose/find-fix-statement.ts'
import { parseCpeCached } from './parse-cpe.ts'
import { listMatches } from './read-configurations.ts'

export type FixedMatch = CpeMatch & { readonly versionEndExcluding: string }

/**
 * Keeps the original order. Leaves out an end that the source lists as an affected version of the product, unless the
 * description calls it fixed: NVD writes "before 2019.1" next to the version 2019.1. A configuration with several nodes
 * is about one platform, so it is compared only with itself.
 */
export function listFixedMatches(
  configurations: readonly Configuration[],
  description: string | null,
): readonly FixedMatch[] {
  if (!listMatches(configurations).some(hasExcludedEnd)) return []
  const isAlone = ({ nodes }: Configuration) => nodes.length === 1
  const affected = collectAffected(configurations.filter(isAlone))
  return configurations.flatMap((each) => {
    const ended = listVulnerable([each]).filter(hasExcludedEnd)
    return dropAffected(ended, isAlone(each) ? affected : collectAffected([each]), description)
  })
}

function listVulnerable(configurations: readonly Configuration[]): readonly CpeMatch[] {
  return listMatches(configurations).filter(({ vulnerable }) => vulnerable)
}

/** Collects the keys of affected versions that are also the excluded end of a match. */
function collectAffected(configurations: readonly Configuration[]): ReadonlySet<string> {
  const vulnerable = listVulnerable(configurations)
  const ends = new Set(vulnerable.flatMap(({ versionEndExcluding: end }) => end?.toLowerCase() ?? []))
  return new Set(ends.size === 0 || vulnerable.length === 1 ? [] : vulnerable.flatMap((each) => listKeys(each, ends)))
}

function dropAffected(
  ended: readonly FixedMatch[],
  affected: ReadonlySet<string>,
  description: string | null,
): readonly FixedMatch[] {
  if (affected.size === 0) return ended
  const fixed = new Set(listFixStatements(description ?? '').map(({ version }) => version.toLowerCase()))
  return ended.filter(
    (each) =>
      fixed.has(each.versionEndExcluding.toLowerCase()) || !affected.has(buildKey(each, each.versionEndExcluding)),
  )
}

function hasExcludedEnd(match: CpeMatch): match is FixedMatch {
  return match.versionEndExcluding !== undefined
}

/** Lists the keys of the first, last or only affected version if it is one of the ends. */
function listKeys(match: CpeMatch, ends: ReadonlySet<string>): readonly string[] {
  const { versionStartIncluding, versionEndIncluding, inverted } = match
  if (inverted) return []
  const affected = [versionStartIncluding, versionEndIncluding, readOnlyVersion(match)]
  return affected.flatMap((each) => (each !== undefined && ends.has(each.toLowerCase()) ? [buildKey(match, each)] : []))
}

/** An update such as `beta1` comes before the version itself. */
function readOnlyVersion({ criteria }: CpeMatch): string | undefined {
  const name = parseCpeCached(criteria)
  const isRelease = name !== undefined && unescapeCpeValue(name.update) === undefined
  return isRelease ? unescapeCpeValue(name.version) : undefined
}

/** The key contains the edition and platform, because these have fixed versions of their own. */
function buildKey({ criteria }: CpeMatch, version: string): string {
  const name = parseCpeCached(criteria)
  const product = name === undefined ? criteria : formatCpe({ ...name, version: ANY, update: ANY })
  return `${product} ${version.toLowerCase()}`
}
