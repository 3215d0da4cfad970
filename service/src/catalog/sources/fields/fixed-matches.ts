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

/** By key. `start`: only as the first version of a bounded range, as in `before 6.0.0 and 6.0.0 through 6.0.4`. */
type AffectedVersions = ReadonlyMap<string, 'start' | 'listed'>

/** Collects affected versions that are also the excluded end of a match. */
function collectAffected(configurations: readonly Configuration[]): AffectedVersions {
  const vulnerable = listVulnerable(configurations)
  const ends = new Set(vulnerable.flatMap(({ versionEndExcluding: end }) => end?.toLowerCase() ?? []))
  if (ends.size === 0 || vulnerable.length === 1) return new Map()
  const found = vulnerable.flatMap((each) => listKeys(each, ends))
  // What is listed in another way comes last and replaces the start.
  return new Map(found.toSorted(([, a], [, b]) => Number(a !== 'start') - Number(b !== 'start')))
}

function dropAffected(
  ended: readonly FixedMatch[],
  affected: AffectedVersions,
  description: string | null,
): readonly FixedMatch[] {
  if (affected.size === 0) return ended
  const stated = listFixStatements(description ?? '')
  const isFixed = (version: string, isStart: boolean) =>
    stated.some((each) => each.version.toLowerCase() === version && !(isStart && each.phrase === 'before'))
  return ended.filter((each) => {
    const kind = affected.get(buildKey(each, each.versionEndExcluding))
    return kind === undefined || isFixed(each.versionEndExcluding.toLowerCase(), kind === 'start')
  })
}

function hasExcludedEnd(match: CpeMatch): match is FixedMatch {
  return match.versionEndExcluding !== undefined
}

/** Lists the keys of the first, last or only affected version if it is one of the ends. */
function listKeys(match: CpeMatch, ends: ReadonlySet<string>): readonly (readonly [string, 'start' | 'listed'])[] {
  const { versionStartIncluding, versionEndIncluding, versionEndExcluding, inverted } = match
  if (inverted) return []
  const isBounded = (versionEndIncluding ?? versionEndExcluding) !== undefined
  const affected = [
    [versionStartIncluding, isBounded ? 'start' : 'listed'],
    [versionEndIncluding, 'listed'],
    [readOnlyVersion(match), 'listed'],
  ] as const
  return affected.flatMap(([version, kind]) =>
    version !== undefined && ends.has(version.toLowerCase()) ? [[buildKey(match, version), kind] as const] : [],
  )
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
