// Chooses the CPE configurations of a CVE from the claims (the data of each source about the CVE).
import type { Affected, Claim, Configuration, CpeMatch, Provider } from '../model/claim.ts'
import type { ResolvedCpe } from '../model/resolved.ts'
import { listMatches } from '../sources/read-configurations.ts'
import { deriveMatches, toCpeMatches } from './cpe-matches.ts'
import { CPE, rankProvider } from './precedence.ts'

interface Candidate {
  readonly by: Provider
  readonly configurations: readonly Configuration[]
  readonly isDerived: boolean
}

/**
 * Returns all CPE matches of the provider with the highest precedence. Matches of different providers are never mixed.
 */
export function resolveCpe(claims: readonly Claim[]): ResolvedCpe {
  const candidates = CPE.flatMap(({ source, form }) =>
    claims.filter((each) => each.source === source).flatMap((each) => buildCandidates(each, form)),
  )
  const [first, ...others] = candidates.filter(isFirstOfProvider)
  if (first === undefined) return { configurations: [], matches: [], by: null, isDerived: false, runnersUp: [] }
  return {
    configurations: first.configurations,
    matches: listDistinctMatches(first.configurations),
    by: first.by,
    isDerived: first.isDerived,
    runnersUp: others.map(({ by, configurations }) => ({ value: listMatches(configurations).length, by })),
  }
}

/**
 * Returns whether a candidate (a set of CPE configurations) is the first, and so has the highest precedence, of its
 * provider. Configurations that were derived from a product name, or that NVD repeats, are therefore dropped if the
 * provider itself gave CPE names.
 */
function isFirstOfProvider({ by }: Candidate, index: number, all: readonly Candidate[]): boolean {
  return all.findIndex((each) => each.by === by) === index
}

type Form = (typeof CPE)[number]['form']

function buildCandidates(claim: Claim, form: Form): readonly Candidate[] {
  const { configurations, configurationsBy: by } = claim
  switch (form) {
    case 'configurations':
      return listMatches(configurations).some(({ vulnerable }) => vulnerable)
        ? [{ by, configurations, isDerived: false }]
        : []
    case 'cpes':
      return groupByProvider(claim.affected).flatMap((each) => buildCandidate(each, toCpeMatches(each), false))
    case 'product-names':
      return groupByProvider(claim.affected).flatMap((each) => buildCandidate(each, deriveMatches(each), true))
  }
}

function buildCandidate(affected: readonly Affected[], matches: readonly CpeMatch[], isDerived: boolean): Candidate[] {
  const [first] = affected
  if (first === undefined || matches.length === 0) return []
  const nodes = [{ operator: 'OR', negate: false, matches }] as const
  return [{ by: first.by, configurations: [{ operator: 'OR', negate: false, nodes }], isDerived }]
}

/** Groups affected products by provider, highest precedence first: for example, the CNA comes before CISA. */
function groupByProvider(affected: readonly Affected[]): readonly (readonly Affected[])[] {
  if (affected.length === 0) return []
  const groups = Map.groupBy(affected, ({ by }) => by)
  return [...groups].sort(([a], [b]) => rankProvider(a) - rankProvider(b)).map(([, group]) => group)
}

/**
 * Lists the CPE matches of all configurations without duplicates: NVD repeats the match of a platform in every
 * configuration that needs the platform.
 */
function listDistinctMatches(configurations: readonly Configuration[]): readonly CpeMatch[] {
  const matches = new Map<string, CpeMatch>()
  for (const match of listMatches(configurations)) {
    const key = buildMatchKey(match)
    if (!matches.has(key)) matches.set(key, match)
  }
  return [...matches.values()]
}

function buildMatchKey(match: CpeMatch): string {
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match
  const limits = `${versionStartIncluding}\n${versionStartExcluding}\n${versionEndIncluding}\n${versionEndExcluding}`
  return `${match.vulnerable}\n${match.criteria}\n${limits}`
}
