// The reasons of a priority: plain sentences, strongest first, each of which is true and understandable by itself.
import { toDisplayName } from '../provider-names.ts'
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
    describeCatalogs(facts),
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

/** One sentence for both catalogs leaves room for other reasons. */
function describeCatalogs({ kev, euKev }: DecisionFacts): string | null {
  const entries = [
    ...(kev ? [`in CISA's KEV catalog since ${kev.since}`] : []),
    ...(euKev ? [`in ENISA's EU KEV catalog (reported on ${euKev.since})`] : []),
  ]
  if (entries.length === 0) return null
  const ransomware = kev?.isUsedByRansomware || euKev?.isUsedByRansomware ? '; used in ransomware campaigns' : ''
  return `I${entries.join(' and ').slice(1)}${ransomware}.`
}

/** Names the newest report. KEV says more than a report of CISA, so it is left out beside a KEV entry. */
function describeActiveReports({ kev, activeReports }: DecisionFacts): string | null {
  const report = activeReports.find(({ by }) => kev === null || by !== CISA_ADP)
  if (report === undefined) return null
  const day = report.date === null ? '' : ` (${report.date})`
  return `${capitalise(toDisplayName(report.by))} reports that it is exploited${day}.`
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
  byCisa: 'a successful attack gives total control of the software or discloses all of its data',
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

const NO_VECTOR = 'NVD, the CVE List and advisories have no CVSS vector for it'

function describeUnknownAttack(facts: DecisionFacts): string | null {
  if (facts.automatable !== null && facts.technicalImpact !== null) return null
  return isExploited(facts)
    ? `${NO_VECTOR}, so this priority assumes that an attack can be automated and gives total control.`
    : `${NO_VECTOR}.`
}

/** Names the exploits of the highest maturity. */
function describeExploit(facts: DecisionFacts): string | null {
  const { cisaExploitation, exploit } = facts
  if (exploit === null) {
    return isExploited(facts)
      ? null
      : 'No exploit collection lists an exploit for it, and no reference is tagged as one.'
  }
  const { kinds, maturity, repositories } = exploit
  if (maturity === 'weaponized') return 'Metasploit has a module that exploits it.'
  if (kinds.includes('exploitdb') && kinds.includes('nuclei'))
    return 'Exploit-DB has an entry for it, and Nuclei has a template that tests for it.'
  if (kinds.includes('exploitdb')) return 'Exploit-DB has an entry for it.'
  if (kinds.includes('nuclei')) return 'Nuclei has a template that tests for it.'
  if (kinds.includes('reported-poc'))
    return cisaExploitation === 'poc'
      ? 'According to CISA, there is a public proof of concept.'
      : 'A vendor reports that there is a public proof of concept.'
  if (kinds.includes('tagged-reference')) return 'A reference is tagged as an exploit.'
  if (kinds.includes('repository'))
    return `PoC-in-GitHub lists ${formatCount(repositories)} for it; nobody has checked what ${repositories === 1 ? 'it contains' : 'they contain'}.`
  return 'An exploit collection, a reference or a report names a public exploit.'
}

function formatCount(repositories: number): string {
  return repositories === 1 ? '1 code repository' : `${repositories} code repositories`
}

function describeEpss(epss: EpssFact | null): string {
  if (epss === null) return 'EPSS has no score for it yet.'
  return `On ${epss.day}, EPSS estimated a probability of ${formatPercent(epss.score)} that it would be exploited within the next 30 days.`
}

/** EPSS scores have five decimals, so three decimals of a percentage show them exactly. */
function formatPercent(score: number): string {
  return `${Number((score * 100).toFixed(3))} %`
}

function describeScore({ score }: DecisionFacts): string | null {
  if (score === null) return null
  return `Its CVSS ${score.version} base score is ${score.value.toFixed(1)} (${toDisplayName(score.source)}).`
}

function describeFix({ hasFix, fixBy }: DecisionFacts): string {
  if (!hasFix) return 'None of the sources of this service names a fix.'
  if (fixBy === null) return 'A source names a fix.'
  if (fixBy === CISA_KEV) return "CISA's KEV catalog requires updates."
  return `${capitalise(toDisplayName(fixBy))} names a fix.`
}

/** Provider of the evidence that an entry of CISA's KEV catalog gives. */
const CISA_KEV = 'cisa-kev'

function capitalise(name: string): string {
  return name.startsWith('the ') ? `T${name.slice(1)}` : name
}
