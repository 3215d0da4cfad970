// The facts from which a CVE's priority is computed, stored with the CVE in a compact form. They exclude EPSS, which
// changes daily.
import type { ExploitMaturity, MaturityEvidence } from '../exploitation/exploit-maturity.ts'

/** SSVC values under CERT/CC's names, least urgent first. */
export const EXPLOITATIONS = ['none', 'poc', 'active'] as const
export const AUTOMATABLES = ['no', 'yes'] as const
export const TECHNICAL_IMPACTS = ['partial', 'total'] as const

export type Exploitation = (typeof EXPLOITATIONS)[number]
export type Automatable = (typeof AUTOMATABLES)[number]
export type TechnicalImpact = (typeof TECHNICAL_IMPACTS)[number]

/** `source` is `cisa-adp`, or `derived:cvss:<provider>` for a value from a CVSS vector. */
export interface Sourced<T> {
  readonly value: T
  readonly source: string
}

export const CISA_ADP = 'cisa-adp'

/**
 * `text` and `solution` stand for a fixed version named in a description or in the provider's text about a solution.
 */
export type FixEvidence =
  | {
      readonly kind: 'versions'
      readonly versions: readonly FixedVersion[]
      readonly hasMore: boolean
      /**
       * The products of the CVE, if the versions are those of products that contain them, such as a distribution's
       * packages, and no source names one of the products themselves; else null.
       */
      readonly unfixed: readonly string[] | null
    }
  | { readonly kind: 'patch-link' }
  | {
      readonly kind: 'text' | 'solution'
      readonly version: string
      /** The products of the CVE. A text names no product in a form that programs can read. */
      readonly products: readonly string[]
    }

export interface FixedVersion {
  /** Empty if the evidence names no product. */
  readonly product: string
  readonly version: string
  /** Branch of the product, such as `2.12`; null if no source shows one. */
  readonly branch: string | null
}

export interface DecisionFacts {
  readonly isRejected: boolean
  readonly kev: KevFacts | null
  readonly euKev: EuKevFacts | null
  /** Reports of active exploitation, newest first. */
  readonly activeReports: readonly ActiveReport[]
  /** Exploitation according to CISA's SSVC assessment. */
  readonly cisaExploitation: Exploitation | null
  readonly automatable: Sourced<Automatable> | null
  readonly technicalImpact: Sourced<TechnicalImpact> | null
  /** Whether there is a public exploit (decision C15). */
  readonly hasPublicExploit: boolean
  /** The most mature public exploit. Reports of exploitation are not public exploits. */
  readonly exploit: ExploitFact | null
  /** Whether a source names a fix (decision C16). */
  readonly hasFix: boolean
  /** The provider with the best evidence of a fix. */
  readonly fixBy: string | null
  /** The evidence from `fixBy`; null if it only says that a fix exists, as a KEV entry does. */
  readonly fixEvidence: FixEvidence | null
  /** Provider that tags a link as the vendor's advisory; null if a source names a fix. Nobody has read the page. */
  readonly advisoryBy: string | null
  /** Provider whose fixed version other data calls affected; null if a source names a fix that is not doubted. */
  readonly doubtedBy: string | null
  /** The score used for filters and sorting (decision C3). */
  readonly score: ScoreFact | null
  /** Whether a source disputes that the CVE is a vulnerability. */
  readonly isDisputed: boolean
  /** Whether a source says that the product had no support any more when the CVE was assigned. */
  readonly isUnsupported: boolean
  /** Whether CISA's KEV entry says that the product is end-of-life; that it could be does not count. */
  readonly isEndOfLife: boolean
  /** The day on which the CVE was published; kept only for a CVE that these facts do not rate. */
  readonly publishedOn: string | null
}

interface KevFacts {
  /** The day on which CISA added the entry. */
  readonly since: string
  readonly dueDate: string | null
  readonly isUsedByRansomware: boolean
}

interface EuKevFacts {
  /** The day of the report to ENISA; ENISA does not state when it listed the CVE. */
  readonly since: string
  readonly isUsedByRansomware: boolean
}

interface ActiveReport {
  readonly by: string
  readonly date: string | null
}

interface ExploitFact {
  readonly maturity: ExploitMaturity
  /** False if all exploits are unverified code repositories (decision E24). */
  readonly isVerified: boolean
  /** Types of all public exploits. */
  readonly kinds: readonly MaturityEvidence[]
  /** Number of code repositories in PoC-in-GitHub. */
  readonly repositories: number
}

interface ScoreFact extends SourcedScore {
  readonly version: string
  /** The CVSS 4.0 score, if `value` is a lower score of another version. */
  readonly higherV4?: SourcedScore
}

interface SourcedScore {
  readonly value: number
  readonly source: string
}

/**
 * `v`: versions, `d`: versions of products that contain the CVE's own, `p`: patch link, `t`: text, `s`: text about a solution; then what the
 * evidence names. Flags are present only if true.
 */
type StoredEvidence = readonly ['p'] | StoredVersions | StoredText

type StoredVersions = readonly [
  'v' | 'd',
  versions: readonly StoredVersion[],
  hasMore?: 0 | 1,
  unfixed?: readonly string[],
]
type StoredText = readonly ['t' | 's', version: string, products?: readonly string[]]

type StoredVersion = readonly [product: string, version: string, branch?: string]

/** Members that are false, null or empty are omitted, because most CVEs have few facts. */
interface StoredFacts {
  readonly rejected?: true
  readonly kev?: readonly [since: string, dueDate: string | null, isUsedByRansomware: boolean]
  readonly eu_kev?: readonly [since: string, isUsedByRansomware: boolean]
  readonly active?: readonly (readonly [by: string, date: string | null])[]
  readonly exploitation?: Exploitation
  readonly automatable?: readonly [Automatable, source: string]
  readonly impact?: readonly [TechnicalImpact, source: string]
  readonly public_exploit?: true
  readonly exploit?: readonly [
    ExploitMaturity,
    isVerified: boolean,
    kinds: readonly MaturityEvidence[],
    repositories: number,
  ]
  /** Provider and evidence, the provider alone if it gives no evidence, or true if no provider is known. */
  readonly fix?: readonly [by: string, evidence: StoredEvidence] | string | true
  readonly advisory?: string
  readonly doubted?: string
  readonly score?: readonly [
    value: number,
    version: string,
    source: string,
    higherV4?: readonly [value: number, source: string],
  ]
  readonly disputed?: true
  readonly unsupported?: true
  readonly end_of_life?: true
  readonly published?: string
}

/** Equal facts give equal JSON text. */
export function toStoredFacts(facts: DecisionFacts): StoredFacts {
  const { kev, euKev, activeReports, cisaExploitation, automatable, technicalImpact, exploit, score } = facts
  return {
    ...(facts.isRejected && { rejected: true }),
    ...(kev && { kev: [kev.since, kev.dueDate, kev.isUsedByRansomware] }),
    ...(euKev && { eu_kev: [euKev.since, euKev.isUsedByRansomware] }),
    ...(activeReports.length > 0 && { active: activeReports.map(({ by, date }) => [by, date] as const) }),
    ...(cisaExploitation && { exploitation: cisaExploitation }),
    ...(automatable && { automatable: [automatable.value, automatable.source] }),
    ...(technicalImpact && { impact: [technicalImpact.value, technicalImpact.source] }),
    ...(facts.hasPublicExploit && { public_exploit: true }),
    ...(exploit && { exploit: [exploit.maturity, exploit.isVerified, exploit.kinds, exploit.repositories] }),
    ...(facts.hasFix && { fix: toStoredFix(facts) }),
    ...(facts.advisoryBy !== null && { advisory: facts.advisoryBy }),
    ...(facts.doubtedBy !== null && { doubted: facts.doubtedBy }),
    ...(score && { score: toStoredScore(score) }),
    ...(facts.isDisputed && { disputed: true }),
    ...(facts.isUnsupported && { unsupported: true }),
    ...(facts.isEndOfLife && { end_of_life: true }),
    ...(facts.publishedOn !== null && hasNoInformation(facts) && { published: facts.publishedOn }),
  }
}

function toStoredScore({ value, version, source, higherV4 }: ScoreFact): NonNullable<StoredFacts['score']> {
  return higherV4 ? [value, version, source, [higherV4.value, higherV4.source]] : [value, version, source]
}

function readScore([value, version, source, higherV4]: NonNullable<StoredFacts['score']>): ScoreFact {
  const score = { value, version, source }
  return higherV4 ? { ...score, higherV4: { value: higherV4[0], source: higherV4[1] } } : score
}

function toStoredFix({ fixBy, fixEvidence }: DecisionFacts): NonNullable<StoredFacts['fix']> {
  if (fixBy === null) return true
  return fixEvidence === null ? fixBy : [fixBy, toStoredEvidence(fixEvidence)]
}

function toStoredEvidence(evidence: FixEvidence): StoredEvidence {
  if (evidence.kind === 'patch-link') return ['p']
  if (evidence.kind !== 'versions') {
    const letter = evidence.kind === 'text' ? 't' : 's'
    return evidence.products.length > 0 ? [letter, evidence.version, evidence.products] : [letter, evidence.version]
  }
  const versions = evidence.versions.map(
    ({ product, version, branch }): StoredVersion =>
      branch === null ? [product, version] : [product, version, branch],
  )
  if (evidence.unfixed !== null) return ['d', versions, evidence.hasMore ? 1 : 0, evidence.unfixed]
  return evidence.hasMore ? ['v', versions, 1] : ['v', versions]
}

function isOfText(evidence: StoredVersions | StoredText): evidence is StoredText {
  return evidence[0] === 't' || evidence[0] === 's'
}

function readEvidence(evidence: StoredEvidence): FixEvidence {
  if (evidence[0] === 'p') return { kind: 'patch-link' }
  if (isOfText(evidence)) {
    const [letter, version, products = []] = evidence
    return { kind: letter === 't' ? 'text' : 'solution', version, products }
  }
  const [letter, stored, hasMore, unfixed = []] = evidence
  const versions = stored.map(([product, version, branch = null]) => ({ product, version, branch }))
  return { kind: 'versions', versions, hasMore: hasMore === 1, unfixed: letter === 'd' ? unfixed : null }
}

export function readFacts(text: string): DecisionFacts {
  const stored = JSON.parse(text) as StoredFacts
  const { kev, eu_kev: euKev, automatable, impact, exploit, fix, score } = stored
  return {
    isRejected: stored.rejected ?? false,
    kev: kev ? { since: kev[0], dueDate: kev[1], isUsedByRansomware: kev[2] } : null,
    euKev: euKev ? { since: euKev[0], isUsedByRansomware: euKev[1] } : null,
    activeReports: (stored.active ?? []).map(([by, date]) => ({ by, date })),
    cisaExploitation: stored.exploitation ?? null,
    automatable: automatable ? { value: automatable[0], source: automatable[1] } : null,
    technicalImpact: impact ? { value: impact[0], source: impact[1] } : null,
    hasPublicExploit: stored.public_exploit ?? false,
    exploit: exploit
      ? { maturity: exploit[0], isVerified: exploit[1], kinds: exploit[2], repositories: exploit[3] }
      : null,
    hasFix: fix !== undefined,
    fixBy: typeof fix === 'object' ? fix[0] : typeof fix === 'string' ? fix : null,
    fixEvidence: typeof fix === 'object' ? readEvidence(fix[1]) : null,
    advisoryBy: stored.advisory ?? null,
    doubtedBy: stored.doubted ?? null,
    score: score ? readScore(score) : null,
    isDisputed: stored.disputed ?? false,
    isUnsupported: stored.unsupported ?? false,
    isEndOfLife: stored.end_of_life ?? false,
    publishedOn: stored.published ?? null,
  }
}

/** True if a KEV catalog lists the CVE (decision E23) or a provider reports exploitation. */
export function isExploited({ kev, euKev, activeReports }: DecisionFacts): boolean {
  return kev !== null || euKev !== null || activeReports.length > 0
}

/** True if these facts rate the CVE in no way; an EPSS score still can (decision E33). */
export function hasNoInformation(facts: DecisionFacts): boolean {
  const { cisaExploitation, automatable, technicalImpact, exploit, hasPublicExploit, score } = facts
  return (
    !facts.isRejected &&
    !isExploited(facts) &&
    !hasPublicExploit &&
    [cisaExploitation, automatable, technicalImpact, exploit, score].every((fact) => fact === null)
  )
}
