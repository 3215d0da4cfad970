// Chooses the CPE configurations for a CVE.
import type { Affected, Claim, Configuration, ConfigurationNode, CpeMatch, Provider } from '../../model/claim.ts'
import type { Conclusion } from '../../model/conclusion.ts'
import type { CpeCandidate, ResolvedCpe } from '../../model/resolved.ts'
import type { ProductNames } from '../../model/source-data.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { isAdp } from '../../sources/provider.ts'
import { CPE, rankProductProvider } from '../precedence.ts'
import { findTimes } from '../provenance.ts'
import { dropCommits, isLimitedByCommits } from './commit-limits.ts'
import { checkCpes } from './contradicted-cpes.ts'
import { type BuiltMatches, deriveMatches, listProductCriteria, readProductKey, toCpeMatches } from './cpe-matches.ts'
import { toDistributionPackage } from './distribution-package.ts'

/** Lists every provider's candidates, highest precedence first. */
export function listCpeCandidates(claims: readonly Claim[], productNames?: ProductNames): readonly CpeCandidate[] {
  const built = CPE.flatMap(({ source, form }) =>
    claims.filter((each) => each.source === source).flatMap((each) => buildCandidates(each, form, productNames)),
  )
  if (built.length === 0) return []
  const times = findTimes(claims, listProductStatements)
  return built.map((each) => ({ ...each, time: times.get(each.by) ?? null }))
}

function listProductStatements({ configurations, configurationsBy, affected }: Claim): readonly { by: Provider }[] {
  return configurations.length > 0 ? [{ by: configurationsBy }, ...affected] : affected
}

/**
 * Matches from different providers are never mixed. Providers that give versions come before those that give only
 * commits.
 */
export function chooseCpe(candidates: readonly CpeCandidate[]): ResolvedCpe {
  const [first, ...others] = listProviderCandidates(candidates)
  if (first === undefined)
    return { configurations: [], matches: [], by: null, time: null, isDerived: false, runnersUp: [] }
  return {
    configurations: first.configurations,
    matches: listDistinctMatches(first.configurations, first.by),
    by: first.by,
    time: first.time,
    isDerived: first.isDerived,
    runnersUp: others.map(({ by, time, configurations, isDerived }) => ({
      value: listMatches(configurations).length,
      by,
      time,
      isDerived,
    })),
  }
}

/**
 * An ADP that contradicts the CNA comes after it. Names that NVD does not use are no better than the ADP's, so the CNA's
 * products come first only if all of their names are known.
 */
export function putOwnersFirst(
  candidates: readonly CpeCandidate[],
  conclusions: readonly Conclusion[],
): readonly CpeCandidate[] {
  const contradicted = new Set(conclusions.flatMap(({ against }) => against.filter(isAdp)))
  if (contradicted.size === 0) return candidates
  const first = candidates.findIndex(({ by }) => contradicted.has(by))
  const owner = candidates.findIndex((each, index) => index > first && first >= 0 && isByOwner(each))
  if (owner < 0) return candidates
  const others = candidates.toSpliced(owner, 1)
  return others.toSpliced(first, 0, ...candidates.slice(owner, owner + 1))
}

function isByOwner({ by, source, isByCommit, configurations }: CpeCandidate): boolean {
  return (
    source === 'cve' &&
    by.startsWith('cna:') &&
    !isByCommit &&
    !listMatches(configurations).some(({ unmapped }) => unmapped === true)
  )
}

/** Lists one candidate per provider, highest precedence first. */
export function listProviderCandidates(candidates: readonly CpeCandidate[]): readonly CpeCandidate[] {
  const ordered = candidates.some(({ isByCommit }) => isByCommit)
    ? candidates.toSorted((a, b) => Number(a.isByCommit) - Number(b.isByCommit))
    : candidates
  return ordered.filter(isFirstOfProvider)
}

/** A provider's own configurations take precedence over those derived from its product names or repeated by NVD. */
function isFirstOfProvider({ by }: CpeCandidate, index: number, all: readonly CpeCandidate[]): boolean {
  return all.findIndex((each) => each.by === by) === index
}

/**
 * Drops products whose versions are those of a package inside them: a match for a distribution would say that every
 * package in it is affected.
 */
export function dropDistributions(
  candidate: CpeCandidate,
  claims: readonly Claim[],
  productNames?: ProductNames,
): CpeCandidate {
  const { source, by, configurations } = candidate
  const isOfPackage = (each: Affected) => each.by === by && each.areVersionsOfPackage === true
  const claim = claims.find((each) => each.source === source && each.affected.some(isOfPackage))
  if (claim === undefined || claim.configurations === configurations) return candidate
  if (candidate.isDerived) return dropDerivedDistributions(candidate, claim, productNames)
  const others = claim.affected.filter((each) => each.by === by && !isOfPackage(each))
  return { ...candidate, configurations: toConfigurations(toCpeMatches(others)) }
}

/** Products without a row for their package keep their matches. */
function dropDerivedDistributions(
  candidate: CpeCandidate,
  { affected }: Claim,
  productNames?: ProductNames,
): CpeCandidate {
  const own = Map.groupBy(
    affected.filter(({ by }) => by === candidate.by),
    (each) => toDistributionPackage(each) !== undefined,
  )
  const listKeys = (entries: readonly Affected[] = []) =>
    new Set(entries.flatMap((each) => listProductCriteria(each, productNames)).map(readProductKey))
  const kept = listKeys(own.get(false))
  const dropped = new Set([...listKeys(own.get(true))].filter((each) => !kept.has(each)))
  if (dropped.size === 0) return candidate
  const keep = ({ criteria }: CpeMatch) => !dropped.has(readProductKey(criteria))
  const configurations = candidate.configurations.map((each) => ({
    ...each,
    nodes: each.nodes.map((node) => ({ ...node, matches: node.matches.filter(keep) })),
  }))
  return { ...candidate, configurations }
}

type BuiltCandidate = Omit<CpeCandidate, 'time'>
type Form = (typeof CPE)[number]['form']

function buildCandidates(claim: Claim, form: Form, productNames?: ProductNames): readonly BuiltCandidate[] {
  const { source, affected } = claim
  switch (form) {
    case 'configurations':
      return buildFromConfigurations(claim)
    case 'cpes':
      return groupByProvider(affected).flatMap((each) => buildFromNames(source, each, productNames))
    case 'product-names':
      return groupByProvider(affected).flatMap((each) =>
        buildCandidate(source, each, { ...deriveMatches(each, productNames), isDerived: true }),
      )
  }
}

function buildFromConfigurations({ configurations, configurationsBy: by, source }: Claim): readonly BuiltCandidate[] {
  const vulnerable = listMatches(configurations).filter((each) => each.vulnerable)
  if (vulnerable.length === 0) return []
  const isByCommit = source !== 'nvd' && vulnerable.every(isLimitedByCommits)
  return [{ source, by, configurations, isDerived: false, isByCommit }]
}

/**
 * If a CNA names distributions by CPE and the affected package by its name, the package comes first: a match for a
 * distribution would say that every package in it is affected.
 */
function buildFromNames(
  source: CpeCandidate['source'],
  affected: readonly Affected[],
  productNames?: ProductNames,
): readonly BuiltCandidate[] {
  const upstream = affected.some((each) => each.isDistribution)
    ? affected.filter((each) => !each.isDistribution && each.cpes.length === 0)
    : []
  const derived = upstream.length === 0 ? undefined : deriveMatches(upstream, productNames)
  if (derived !== undefined && toConfigurations(derived).length > 0)
    return buildCandidate(source, affected, { ...derived, isDerived: true })
  const checked = checkCpes(affected, productNames)
  const stated = addMatches(toCpeMatches(checked.stated), deriveMatches(checked.renamed, productNames))
  // Matches for systems on devices are derived from the versions of the devices.
  return buildCandidate(source, affected, { ...stated, isDerived: stated.onDevices !== undefined })
}

function addMatches(built: BuiltMatches, { matches }: BuiltMatches): BuiltMatches {
  return matches.length === 0 ? built : { ...built, matches: [...built.matches, ...matches], isByCommit: false }
}

function buildCandidate(
  source: CpeCandidate['source'],
  affected: readonly Affected[],
  built: BuiltMatches & { readonly isDerived: boolean },
): readonly BuiltCandidate[] {
  const [first] = affected
  const configurations = toConfigurations(built)
  if (first === undefined || configurations.length === 0) return []
  return [{ source, by: first.by, configurations, isDerived: built.isDerived, isByCommit: built.isByCommit }]
}

function toConfigurations({ matches, onDevices = [] }: BuiltMatches): readonly Configuration[] {
  const nodes = matches.length === 0 ? [] : [toNode(matches)]
  return [
    ...(nodes.length === 0 ? [] : [{ operator: 'OR', negate: false, nodes } as const]),
    ...onDevices.map(({ systems, devices }) => {
      const both = [toNode(systems), toNode(devices)]
      return { operator: 'AND', negate: false, nodes: both } as const
    }),
  ]
}

function toNode(matches: readonly CpeMatch[]): ConfigurationNode {
  return { operator: 'OR', negate: false, matches }
}

/** Returns the highest precedence first: the CNA comes before CISA. */
function groupByProvider(affected: readonly Affected[]): readonly (readonly Affected[])[] {
  if (affected.length === 0) return []
  const groups = Map.groupBy(affected, ({ by }) => by)
  return [...groups].sort(([a], [b]) => rankProductProvider(a) - rankProductProvider(b)).map(([, group]) => group)
}

/**
 * NVD repeats the match for a platform in every configuration that needs it. Commits are not versions, so commit limits
 * are left out, except in NVD's matches, which are served unchanged.
 */
function listDistinctMatches(configurations: readonly Configuration[], by: Provider): readonly CpeMatch[] {
  const all = listMatches(configurations)
  if (all.length < 2) return by === 'nvd' ? all : all.map(dropCommits)
  const matches = new Map<string, CpeMatch>()
  for (const each of all) {
    const match = by === 'nvd' ? each : dropCommits(each)
    const key = buildMatchKey(match)
    if (!matches.has(key)) matches.set(key, match)
  }
  return [...matches.values()]
}

/** Ignores NVD's id for the match. */
export function buildMatchKey(match: CpeMatch): string {
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match
  const limits = `${versionStartIncluding}\n${versionStartExcluding}\n${versionEndIncluding}\n${versionEndExcluding}`
  return `${match.vulnerable}\n${match.criteria}\n${limits}`
}
