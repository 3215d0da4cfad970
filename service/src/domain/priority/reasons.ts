// The reasons of a priority: plain sentences, strongest first, each of which is true and understandable by itself.
import { CISA_ADP, type DecisionFacts, isExploited, type Sourced } from './facts.ts'

export const MAX_REASONS = 6

/** An EPSS score with the day of its release. */
export interface EpssFact {
  readonly score: number
  readonly day: string
}

export const REJECTED_REASON = 'The CVE id was rejected, so the CVE has no priority.'

/** Lists the reasons of a CVE that is not rejected. `moved` says why a caller's context moved the level. */
export function listReasons(facts: DecisionFacts, epss: EpssFact | null, moved: string | null): readonly string[] {
  const sentences = [
    moved,
    describeKev(facts),
    describeEuKev(facts),
    describeActiveReports(facts),
    describeAttack(facts),
    describeUnknownAttack(facts),
    describeExploit(facts),
    describeEpss(epss),
    describeScore(facts),
    describeFix(facts),
  ]
  return sentences.filter((sentence) => sentence !== null).slice(0, MAX_REASONS)
}

function describeKev({ kev }: DecisionFacts): string | null {
  return kev && `In CISA's KEV catalog since ${kev.since}${describeRansomware(kev)}.`
}

function describeEuKev({ euKev }: DecisionFacts): string | null {
  return euKev && `In ENISA's EU KEV catalog since ${euKev.since}${describeRansomware(euKev)}.`
}

function describeRansomware({ isUsedByRansomware }: { readonly isUsedByRansomware: boolean }): string {
  return isUsedByRansomware ? '; used in ransomware campaigns' : ''
}

/** Names the newest report. KEV says more than a report of CISA, so it is left out beside a KEV entry. */
function describeActiveReports({ kev, activeReports }: DecisionFacts): string | null {
  const report = activeReports.find(({ by }) => kev === null || by !== CISA_ADP)
  if (report === undefined) return null
  const day = report.date === null ? '' : ` (${report.date})`
  return `${toDisplayName(report.by)} reports that it is exploited${day}.`
}

/** Texts for one value: from CISA's assessment, from a CVSS vector, and from a CVSS 2.0 vector, which has other metrics. */
interface Meanings {
  readonly byCisa: string
  readonly byVector: string
  readonly byVectorV2: string
}

const AUTOMATABLE: Meanings = {
  byCisa: 'exploitation can be automated',
  byVector: 'it can be attacked over the network without privileges or user interaction',
  byVectorV2: 'it can be attacked over the network without authentication',
}
const TOTAL_IMPACT: Meanings = {
  byCisa: 'a successful attack gives total control of the software or its data',
  byVector: 'it has high impact on confidentiality and integrity',
  byVectorV2: 'it has complete impact on confidentiality and integrity',
}

/** Describes how the CVE can be attacked, by CISA's assessment or by the CVSS vector. */
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

function describeUnknownAttack(facts: DecisionFacts): string | null {
  if (facts.automatable !== null && facts.technicalImpact !== null) return null
  return isExploited(facts)
    ? 'No source gives it a CVSS score yet, so what is unknown counts as the worse case.'
    : 'No source gives it a CVSS score yet.'
}

function describeExploit(facts: DecisionFacts): string | null {
  const { exploit } = facts
  if (exploit === null) return isExploited(facts) ? null : 'No source names a public exploit.'
  if (exploit.maturity === 'weaponized') return 'Metasploit has a module that exploits it.'
  if (exploit.maturity === 'functional') return 'Exploit-DB or Nuclei has code that tests or exploits it.'
  return exploit.isVerified
    ? 'A public proof of concept exists.'
    : 'Code repositories claim to contain a proof of concept; no other source confirms it.'
}

function describeEpss(epss: EpssFact | null): string {
  if (epss === null) return 'EPSS has no score for it yet.'
  return `EPSS estimates a probability of ${formatPercent(epss.score)} that it is exploited within 30 days (${epss.day}).`
}

/** EPSS scores have five decimals, so three decimals of a percentage show them exactly. */
function formatPercent(score: number): string {
  return `${Number((score * 100).toFixed(3))} %`
}

function describeScore({ score }: DecisionFacts): string | null {
  if (score === null) return null
  return `Its CVSS ${score.version} base score is ${score.value.toFixed(1)} (${toDisplayName(score.source)}).`
}

function describeFix({ hasFix }: DecisionFacts): string {
  return hasFix ? 'A fix exists.' : 'No source names a fix.'
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  nvd: 'NVD',
  [CISA_ADP]: 'CISA',
  ghsa: 'GitHub',
  redhat: 'Red Hat',
  msrc: 'Microsoft',
}

/** Returns the name of a provider for people: `NVD`, or the organisation's own name of a CNA. */
function toDisplayName(provider: string): string {
  return DISPLAY_NAMES[provider] ?? provider.replace(/^(?:cna|adp):/, '')
}
