// Explains a priority in plain sentences, strongest first, each true and understandable on its own.
import { SSVC_POC } from '../exploitation/exploit-maturity.ts'
import { toDisplayName, toLeadingName } from '../source/provider-names.ts'
import { EPSS_RULE, type HeldSince, REFERENCE_THRESHOLDS, type Thresholds } from './epss-rule.ts'
import { CISA_ADP, type DecisionFacts, type FixedVersion, isExploited, type Sourced } from './facts.ts'
import { type AppliedRule, type Condition, POLICY_VERSION, UNRATED } from './policy.ts'
import { decide, type Mission, toSsvcValues } from './ssvc.ts'

export const MAX_REASONS = 6

/** Increase this when a sentence changes: the ETag of a CVE includes this version but not the sentences. */
export const REASONS_VERSION = '8'

export interface EpssFact {
  /** Null if the release has no score for the CVE. */
  readonly score: number | null
  readonly day: string
  readonly held: HeldSince
  /** Null if the release names no model. */
  readonly model: string | null
  /** Thresholds of the model. */
  readonly thresholds: Thresholds
  /** The first day whose scores are known. */
  readonly knownFrom: string
}

export const REJECTED_REASON = 'The CVE id was rejected, so the CVE has no priority.'

interface Priority {
  readonly facts: DecisionFacts
  /** Null if no EPSS release is loaded. */
  readonly epss: EpssFact | null
  /** The rule that gives the level. */
  readonly rule: AppliedRule
  /** Why a caller's context moved the level. */
  readonly moved: string | null
  readonly mission: Mission
}

/** The CVE must not be rejected. */
export function listReasons({ facts, epss, rule, moved, mission }: Priority): readonly string[] {
  const sentences = [
    moved,
    describeDispute(facts),
    describeCatalogs(facts),
    describeEndOfLife(facts),
    describeActiveReports(facts),
    describeRule(facts, rule, epss),
    describeHold(rule, epss),
    describeTree(facts, rule, mission),
    describeAttack(facts),
    describeUnknownAttack(facts),
    describeExploit(facts),
    describeEpss(epss),
    describeScore(facts),
    describeSupport(facts),
    describeFix(facts),
  ]
  return sentences.filter((sentence) => sentence !== null).slice(0, MAX_REASONS)
}

/** Combines both catalogs in one sentence, to leave room for other reasons. */
function describeCatalogs(facts: DecisionFacts): string | null {
  const { kev, euKev } = facts
  const due = kev === null || kev.dueDate === null ? '' : ` (due date for US federal agencies: ${kev.dueDate})`
  const entries = [
    ...(kev ? [`in CISA's KEV catalog since ${kev.since}${due}`] : []),
    ...(euKev ? [`in ENISA's EU KEV catalog (reported on ${euKev.since})`] : []),
  ]
  if (entries.length === 0) return null
  const ransomware = isUsedByRansomware(facts) ? '; ransomware campaigns use it' : ''
  return `This CVE is ${entries.join(' and ')}${ransomware}.`
}

function describeDispute({ isDisputed }: DecisionFacts): string | null {
  return isDisputed ? 'A source disputes that this CVE is a vulnerability.' : null
}

/** CISA's tree depends on the owner's mission, and gives `track` for some exploited CVEs. It does not know EPSS. */
function describeTree(facts: DecisionFacts, { level }: AppliedRule, mission: Mission): string | null {
  const values = toSsvcValues(facts)
  const decision = decide(values, mission)
  if (decision !== 'track' && decision !== 'track*') return null
  if (!isExploited(facts))
    return level === 'P1'
      ? `CISA's decision tree gives ${decision} for a CVE that is not known to be exploited; the policy of this service also counts its EPSS score.`
      : null
  const attack = values.automatable === 'yes' ? 'an attack that can be automated' : 'an attack that cannot be automated'
  const isAssessed = isByCisa(facts.automatable) && isByCisa(facts.technicalImpact)
  const origin = isAssessed ? '' : ' (what CISA has not assessed is read from the CVSS vector)'
  return `CISA's decision tree gives ${decision} for ${attack}, ${values.technicalImpact} technical impact${origin} and ${mission} impact on the owner's mission; the policy of this service puts every exploited CVE in P0 or P1.`
}

type Describe = (facts: DecisionFacts) => string

/** Besides these kinds of evidence, only CISA's assessment says that the CVE can be exploited. */
const UNCERTAIN: readonly string[] = ['reported-poc', 'repository', 'other-module']

/**
 * A value derived from a CVSS vector is described by what the vector says, because no one has assessed whether an
 * attack can be automated.
 */
const CONDITIONS: Readonly<Record<Condition['fact'], Describe>> = {
  exploited: () => 'it is known to be exploited',
  ransomware: () => 'ransomware campaigns use it',
  public_exploit: ({ exploit, cisaExploitation }) => {
    if (exploit?.isVerified === false) return 'PoC-in-GitHub lists code for it'
    const isAssessed = cisaExploitation === 'poc' && exploit?.kinds.every((kind) => UNCERTAIN.includes(kind))
    return isAssessed ? SSVC_POC : 'there is a public exploit'
  },
  automatable: ({ automatable, score }) =>
    isByCisa(automatable)
      ? 'an attack can be automated'
      : `its CVSS vector allows an attack over the network without ${score?.version === '2.0' ? 'authentication' : 'privileges or user interaction'}`,
  total_impact: ({ technicalImpact }) =>
    isByCisa(technicalImpact)
      ? 'an attack has total impact'
      : 'its CVSS vector names the highest impact on confidentiality and integrity',
  epss: () => 'its EPSS score is at least',
  epss_held: () => 'its EPSS score has reached',
  no_epss: () => 'EPSS has no score that would lower the level',
  score: () => 'its CVSS base score is at least',
  no_information: () => 'nothing is known about its urgency',
}

const isByCisa = (value: Sourced<unknown> | null) => value?.source === CISA_ADP

/** Returns null for an exploited CVE, because other sentences explain its level. */
function describeRule(
  facts: DecisionFacts,
  { level, title, conditions }: AppliedRule,
  epss: EpssFact | null,
): string | null {
  if (isExploited(facts)) return null
  if (level === UNRATED) return UNRATED_REASON
  const because = conditions.map(({ fact, min }) => {
    const value = fact === 'epss_held' ? findOwnThreshold(min, epss) : min
    return `${CONDITIONS[fact](facts)}${value === undefined ? '' : ` ${value}`}`
  })
  return because.length === 0
    ? `Priority policy ${POLICY_VERSION} gives this CVE ${level} (${title}): it is not known to be exploited, and no rule of a higher level applies.`
    : `Priority policy ${POLICY_VERSION} gives this CVE ${level} (${title}), because ${joinWithAnd(because)}; it is not known to be exploited.`
}

const UNRATED_REASON = `Priority policy ${POLICY_VERSION} does not rate this CVE yet: no source gives a CVSS base score, an SSVC value or evidence of an exploit, and there is no EPSS score.`

/** Returns the threshold of the release's model that stands for one of the reference model. */
function findOwnThreshold(reference: number | undefined, epss: EpssFact | null): number | undefined {
  return reference === undefined ? undefined : epss?.thresholds[REFERENCE_THRESHOLDS.indexOf(reference)]
}

/** The threshold on which a level depends, and since when the CVE holds it. */
export interface RuleHold {
  readonly threshold: number
  readonly keptFrom: number
  readonly since: string
  /** True if the CVE may have got the threshold earlier, on a day whose scores are not known. */
  readonly mayBeEarlier: boolean
}

/** Returns null if the level does not depend on EPSS. */
export function findRuleHold({ conditions }: AppliedRule, epss: EpssFact | null): RuleHold | null {
  const min = conditions.find(({ fact }) => fact === 'epss_held')?.min
  if (min === undefined || epss === null) return null
  const index = REFERENCE_THRESHOLDS.indexOf(min)
  const [threshold, since] = [epss.thresholds[index], epss.held[index]]
  if (threshold === undefined || since === undefined) return null
  return {
    threshold,
    keptFrom: roundThreshold(EPSS_RULE.keep * threshold),
    since,
    mayBeEarlier: since <= epss.knownFrom,
  }
}

/** EPSS scores have five decimals. */
const roundThreshold = (value: number) => Number(value.toFixed(5))

/** Returns null unless the score alone would not explain the level. */
function describeHold(rule: AppliedRule, epss: EpssFact | null): string | null {
  const hold = findRuleHold(rule, epss)
  if (hold === null || epss === null) return null
  const since = hold.mayBeEarlier
    ? `on ${hold.since}, the first day whose scores this service knows, or earlier`
    : `on ${hold.since}`
  if ((epss.score ?? 0) >= hold.threshold) return null
  return `Its EPSS score reached ${hold.threshold} ${since}; the level stays until the score is below ${hold.keptFrom}.`
}

function joinWithAnd(parts: readonly string[]): string {
  return parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Describes the newest report. KEV says more than a report from CISA. */
function describeActiveReports({ kev, activeReports }: DecisionFacts): string | null {
  const report = activeReports.find(({ by }) => kev === null || by !== CISA_ADP)
  if (report === undefined) return null
  const day = report.date === null ? '' : ` (${report.date})`
  return `${toLeadingName(report.by)} reports that this CVE is exploited${day}.`
}

/** Texts for one value. CVSS 2.0 needs its own, because its metrics differ. */
interface Meanings {
  readonly byCisa: string
  readonly byVector: string
  readonly byVectorV2: string
}

const AUTOMATABLE: Meanings = {
  byCisa: 'exploitation of this CVE can be automated',
  byVector: 'this CVE can be attacked over the network without privileges or user interaction',
  byVectorV2: 'this CVE can be attacked over the network without authentication',
}
const TOTAL_IMPACT: Meanings = {
  byCisa: 'an attack gives total control of the software or discloses all information on the system',
  byVector: 'an attack has high impact on confidentiality and integrity',
  byVectorV2: 'an attack has complete impact on confidentiality and integrity',
}

function describeAttack({ automatable, technicalImpact, score }: DecisionFacts): string | null {
  const [first, second] = [
    ...(automatable?.value === 'yes' ? [describeValue(automatable, AUTOMATABLE, score)] : []),
    ...(technicalImpact?.value === 'total' ? [describeValue(technicalImpact, TOTAL_IMPACT, score)] : []),
  ]
  if (first === undefined) return null
  if (second === undefined) return `According to ${first.by}, ${first.text}.`
  return first.by === second.by
    ? `According to ${first.by}, ${first.text}, and ${second.text}.`
    : `According to ${first.by}, ${first.text}; according to ${second.by}, ${second.text}.`
}

/** Derived values come from the vector of the score. */
function describeValue({ source }: Sourced<unknown>, meanings: Meanings, score: DecisionFacts['score']) {
  if (source === CISA_ADP) return { by: 'CISA', text: meanings.byCisa }
  return {
    by: `the CVSS vector from ${toDisplayName(source.replace(DERIVED, ''))}`,
    text: score?.version === '2.0' ? meanings.byVectorV2 : meanings.byVector,
  }
}

const DERIVED = /^derived:cvss:/

const NO_VECTOR = 'The data behind this priority contains no CVSS vector of this CVE'

/** Returns null for an exploited CVE used by ransomware: it has the highest level whatever the vector says. */
function describeUnknownAttack(facts: DecisionFacts): string | null {
  if (facts.automatable !== null && facts.technicalImpact !== null) return null
  return isExploited(facts) && !isUsedByRansomware(facts)
    ? `${NO_VECTOR}, so the priority assumes that an attack can be automated and has total impact.`
    : `${NO_VECTOR}.`
}

function isUsedByRansomware({ kev, euKev }: DecisionFacts): boolean {
  return (kev?.isUsedByRansomware ?? false) || (euKev?.isUsedByRansomware ?? false)
}

/** Names only the exploits of the highest maturity. */
function describeExploit(facts: DecisionFacts): string | null {
  const { cisaExploitation, exploit } = facts
  if (exploit === null) {
    return isExploited(facts)
      ? null
      : 'Exploit-DB, Metasploit, Nuclei and PoC-in-GitHub list no exploit of this CVE, and no reference is tagged as one.'
  }
  const { kinds, maturity, repositories } = exploit
  if (maturity === 'weaponized') return 'Metasploit has a module that exploits this CVE.'
  if (kinds.includes('exploitdb') && kinds.includes('nuclei'))
    return 'Exploit-DB has an entry for this CVE, and Nuclei has a template that tests for it.'
  if (kinds.includes('exploitdb')) return 'Exploit-DB has an entry for this CVE.'
  if (kinds.includes('nuclei')) return 'Nuclei has a template that tests for this CVE.'
  if (kinds.includes('reported-poc'))
    return cisaExploitation === 'poc'
      ? `According to CISA, ${SSVC_POC}.`
      : 'A vendor reports that there is a public proof of concept for this CVE.'
  if (kinds.includes('tagged-reference')) return 'A reference of this CVE is tagged as an exploit.'
  if (kinds.includes('repository'))
    return `PoC-in-GitHub lists ${formatCount(repositories)} for this CVE; this service has not checked what ${repositories === 1 ? 'it contains' : 'they contain'}.`
  return 'An exploit collection, a reference or a report names a public exploit of this CVE.'
}

function formatCount(repositories: number): string {
  return repositories === 1 ? '1 code repository' : `${repositories} code repositories`
}

function describeEpss(epss: EpssFact | null): string {
  if (epss === null) return 'No EPSS scores are loaded.'
  if (epss.score === null) return `The EPSS scores of ${epss.day} contain none for this CVE.`
  return `On ${epss.day}, EPSS estimated a probability of ${formatPercent(epss.score)} that this CVE would be exploited within the next 30 days.`
}

/** EPSS scores have five decimals, so three decimals of a percentage are exact. */
function formatPercent(score: number): string {
  return `${Number((score * 100).toFixed(3))} %`
}

function describeScore({ score }: DecisionFacts): string | null {
  if (score === null) return null
  const { version, higherV4 } = score
  const higher = higherV4 ? `; its CVSS 4.0 base score is ${formatScore(higherV4)}` : ''
  return `The CVSS ${version} base score of this CVE is ${formatScore(score)}${higher}.`
}

function formatScore({ value, source }: { readonly value: number; readonly source: string }): string {
  return `${value.toFixed(1)} (${toDisplayName(source)})`
}

function describeEndOfLife({ isEndOfLife }: DecisionFacts): string | null {
  return isEndOfLife ? "CISA's KEV catalog says that the product is end-of-life." : null
}

function describeSupport({ isUnsupported }: DecisionFacts): string | null {
  return isUnsupported ? 'A source says that the product had no support any more when this CVE was assigned.' : null
}

function describeFix({ hasFix, fixBy, fixEvidence, advisoryBy, doubtedBy }: DecisionFacts): string {
  if (!hasFix && doubtedBy !== null)
    return `${toLeadingName(doubtedBy)} names a fix of this CVE, but other data calls the fixed version affected${advisoryBy === null ? '' : `; ${describeAdvisory(advisoryBy)}`}.`
  if (!hasFix && advisoryBy !== null)
    return `The data behind this priority names no fix of this CVE, but ${describeAdvisory(advisoryBy)}.`
  if (!hasFix) return 'This service found no fix of this CVE in the data behind this priority.'
  if (fixBy === null) return 'A source names a fix of this CVE.'
  if (fixBy === CISA_KEV) return 'CISA requires US federal agencies to apply the updates for this CVE.'
  if (fixBy === EU_KEV) return 'According to ENISA, a patch for this CVE is available.'
  if (fixEvidence?.kind === 'text')
    return `A description of this CVE names ${fixEvidence.version} as a fixed version${describeProducts(fixEvidence.products)}.`
  const by = toLeadingName(fixBy)
  if (fixEvidence === null) return `${by} names a fix of this CVE.`
  if (fixEvidence.kind === 'patch-link') return `${by} links to a patch for this CVE.`
  if (fixEvidence.kind !== 'versions')
    return `${by} names ${fixEvidence.version} as a fixed version in its text about a solution of this CVE${describeProducts(fixEvidence.products)}.`
  const named = `${by} names ${describeVersions(fixEvidence.versions, fixEvidence.hasMore)}`
  if (fixEvidence.unfixed === null) return `${named}.`
  const own = fixEvidence.unfixed.length === 0 ? 'the affected product itself' : listProducts(fixEvidence.unfixed)
  return `${named}; no source names one of ${own}.`
}

/** The tag is the source's; the page can also be that of a third party. */
function describeAdvisory(by: string): string {
  return `${toDisplayName(by)} tags a link as the vendor's advisory, which this service has not read`
}

const MAX_PRODUCTS = 2

/** A sentence with a version must say whose version it is, even if a text leaves that open. */
function describeProducts(products: readonly string[]): string {
  if (products.length === 0) return '; no source names the affected product in a field of its own'
  return ` (affected: ${listProducts(products)})`
}

function listProducts(products: readonly string[]): string {
  const shown = products.slice(0, MAX_PRODUCTS).map(toWords)
  return products.length > MAX_PRODUCTS ? `${shown.join(', ')} and more` : joinWithAnd(shown)
}

/** Names the product too, because a version of one product or branch does not fix another. */
function describeVersions(versions: readonly FixedVersion[], hasMore: boolean): string {
  const [first] = versions
  if (first !== undefined && versions.length === 1 && !hasMore) {
    return `${describeVersion(first)} as the fixed version of ${toProduct(first.product)} for this CVE`
  }
  const products = [...new Set(versions.map(({ product }) => product))]
  const parts = products.map((product) => {
    const fixed = versions.filter((each) => each.product === product).map(describeVersion)
    return `${toProduct(product)} (${fixed.join(', ')})`
  })
  return `fixed versions of ${joinWithAnd(parts)}${hasMore ? ' and more' : ''} for this CVE`
}

function describeVersion({ version, branch }: FixedVersion): string {
  return branch === null ? version : `${version} in branch ${branch}`
}

function toProduct(product: string): string {
  return product === '' ? 'an affected product' : toWords(product)
}

/** CPE names have underscores between words. */
function toWords(product: string): string {
  return product.replaceAll('_', ' ')
}

/** KEV catalogs say that a fix exists, but not which one. */
const CISA_KEV = 'cisa-kev'
const EU_KEV = 'eu-kev'
