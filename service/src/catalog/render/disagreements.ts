// Finds disagreements between the sources of a CVE, as defined in docs/decisions.md (section "Disagreements"). The
// search column and `include=sources` are both rendered from this list.

import { baseSeverity, baseSeverityV2 } from '../../domain/cvss/severity.ts'
import { CISA_ADP, type DecisionFacts } from '../../domain/priority/facts.ts'
import type { DisagreementTopic, StatedDisagreement } from '../../domain/source/disagreement.ts'
import { toDisplayName, toLeadingName } from '../../domain/source/provider-names.ts'
import type { Claim, Provider, Rating, Ssvc } from '../model/claim.ts'
import type { Attributed, Chosen, Resolved } from '../model/resolved.ts'
import { toBaseMetrics } from '../resolve/ratings/ratings.ts'
import { REJECTED } from '../resolve/status.ts'
import { type DifferentLimits, type LimitBy, listDifferentLimits } from './version-limits.ts'

/** Lists disagreements in the order of `DISAGREEMENT_TOPICS`. */
export function listDisagreements(resolved: Resolved, facts: DecisionFacts): readonly StatedDisagreement[] {
  return [
    ...compareRatings('cvss_v3_1', 'CVSS 3.x', resolved.v3),
    ...compareRatings('cvss_v4_0', 'CVSS 4.0', resolved.v4),
    ...compareRatings('cvss_v2_0', 'CVSS 2.0', resolved.v2),
    ...compareWords('exploitation', 'exploitation', resolved.exploitation, ({ level }) => level),
    ...compareWords('automatable', 'automatable', resolved.ssvc, ({ automatable }: Ssvc) => automatable),
    ...compareWords('technical_impact', 'technical impact', resolved.ssvc, (ssvc: Ssvc) => ssvc.technicalImpact),
    ...compareLimits(listDifferentLimits(resolved.cpeCandidates)),
    ...compareRejections(resolved.claims),
    ...compareKevWithSsvc(facts),
  ]
}

/**
 * Providers differ if they have no base metrics in common, and disagree about the severity if they have no severity
 * level in common. Temporal and environmental metrics are not compared: they say nothing about the vulnerability.
 */
function compareRatings(
  about: DisagreementTopic,
  label: string,
  chosen: Chosen<Rating> | null,
): readonly StatedDisagreement[] {
  if (chosen === null || chosen.runnersUp.length === 0) return []
  const byProvider = groupByProvider([chosen, ...chosen.runnersUp].map(({ value }) => ({ value, by: value.by })))
  if (!haveOpposed(byProvider, ({ vector }) => toBaseMetrics(vector))) return []
  const isAboutLevel = haveOpposed(byProvider, readLevel)
  const describe = (rating: Rating) => `${rating.score.toFixed(1)} (${readLevel(rating).toLowerCase()})`
  const text = `The sources give different ${isAboutLevel ? 'severity levels' : 'base metrics'} by ${label}: ${joinStatements(byProvider, describe)}.`
  return [isAboutLevel ? { about, subject: 'score', text } : { about, text }]
}

function readLevel({ version, score }: Rating): string {
  return version === '2.0' ? baseSeverityV2(score) : baseSeverity(score)
}

/** Compares values of CISA's decision tree (SSVC). Assessments without the value are left out. */
function compareWords<T>(
  about: DisagreementTopic,
  label: string,
  chosen: Chosen<T> | null,
  read: (value: T) => string | null,
): readonly StatedDisagreement[] {
  if (chosen === null || chosen.runnersUp.length === 0) return []
  const stated = [chosen, ...chosen.runnersUp].flatMap(({ value, by }) => {
    const word = read(value)
    return word === null ? [] : { value: word, by }
  })
  const byProvider = groupByProvider(stated)
  if (!haveOpposed(byProvider, (word) => word)) return []
  return [{ about, text: `The SSVC assessments differ about ${label}: ${joinStatements(byProvider, (word) => word)}.` }]
}

/** Values by provider, in the order of precedence. */
type ByProvider<T> = ReadonlyMap<Provider, readonly T[]>

function groupByProvider<T>(stated: readonly Pick<Attributed<T>, 'value' | 'by'>[]): ByProvider<T> {
  const groups = Map.groupBy(stated, ({ by }) => by)
  return new Map([...groups].map(([by, group]) => [by, group.map(({ value }) => value)]))
}

/** True if two providers have no value in common. */
function haveOpposed<T>(byProvider: ByProvider<T>, toComparable: (value: T) => string): boolean {
  const values = [...byProvider.values()].map((group) => group.map(toComparable))
  return values.some((some, index) =>
    values.slice(index + 1).some((others) => !some.some((each) => others.includes(each))),
  )
}

/** Keeps a text about many providers short. */
const MAX_LISTED = 5

function joinStatements<T>(byProvider: ByProvider<T>, describe: (value: T) => string): string {
  const statements = [...byProvider].map(
    ([by, values]) => `${toDisplayName(by)} ${[...new Set(values.map(describe))].join(' and ')}`,
  )
  return joinListed(statements)
}

function joinListed(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED
  return [...texts.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

function compareLimits(different: readonly DifferentLimits[]): readonly StatedDisagreement[] {
  if (different.length === 0) return []
  const texts = different.map(({ product, limits }) => `${product} – ${limits.map(describeLimit).join(', ')}`)
  const text = `The sources end the affected versions differently: ${joinListed(texts)}.`
  return [{ about: 'affected', subject: 'affected', text }]
}

function describeLimit({ by, version, isIncluded }: LimitBy): string {
  return `${toDisplayName(by)} ${isIncluded ? 'up to' : 'before'} ${version}`
}

const LISTS = { nvd: 'NVD', cve: 'the CVE List', kev: 'KEV' } as const

/** NVD or the CVE List rejects the CVE, while the other one or KEV does not. */
function compareRejections(claims: readonly Claim[]): readonly StatedDisagreement[] {
  const listNames = (isRejecting: boolean) =>
    (['nvd', 'cve', 'kev'] as const).filter((source) =>
      claims.some((each) => each.source === source && (each.status === REJECTED) === isRejecting),
    )
  const [rejecting, others] = [listNames(true), listNames(false)]
  if (rejecting.length === 0 || others.length === 0) return []
  const join = (sources: readonly (keyof typeof LISTS)[]) => sources.map((each) => LISTS[each]).join(' and ')
  const text = `Rejected by ${join(rejecting)}, but not by ${join(others)}.`
  return [{ about: 'rejected', subject: 'rejected', text }]
}

/** CISA lists the CVE in KEV but does not call it exploited in its SSVC assessment, or vice versa. */
function compareKevWithSsvc({ kev, cisaExploitation, isRejected }: DecisionFacts): readonly StatedDisagreement[] {
  if (isRejected || cisaExploitation === null || (kev !== null) === (cisaExploitation === 'active')) return []
  const assessment = `${toLeadingName(CISA_ADP)} assesses the exploitation as ${cisaExploitation} (SSVC)`
  const text = kev
    ? `${assessment}, but KEV lists the CVE since ${kev.since}.`
    : `${assessment}, but KEV does not list the CVE.`
  return [{ about: 'kev_ssvc', subject: 'kev_ssvc', text }]
}
