// Collects the facts from which the priority of a CVE is computed (domain/priority).
import { assessMaturity, type MaturityEvidence } from '../../domain/exploit-maturity.ts'
import {
  type Automatable,
  CISA_ADP,
  type DecisionFacts,
  PATCH_LINK,
  type Sourced,
  type TechnicalImpact,
} from '../../domain/priority/facts.ts'
import { deriveAutomatable, deriveTechnicalImpact } from '../../domain/priority/ssvc.ts'
import type { Ssvc } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { isRejected } from '../resolve/status.ts'
import { parseVectorCached } from '../sources/parse-vector.ts'
import type { EvidenceKind, ExploitAssessment } from './exploitability.ts'
import { isListed, isUsedByRansomware } from './kev.ts'

export function collectFacts(
  { kev, euKev, exploits }: SourceData,
  resolved: Resolved,
  { hasExploit, kinds }: ExploitAssessment,
): DecisionFacts {
  const { score } = resolved
  const cisa = findCisaAssessment(resolved)
  return {
    isRejected: isRejected(resolved),
    kev: isListed(kev) ? { since: kev.dateAdded, dueDate: kev.dueDate, isUsedByRansomware: kev.knownRansomware } : null,
    euKev: isListed(euKev) ? { since: euKev.dateListed, isUsedByRansomware: isUsedByRansomware(euKev) } : null,
    activeReports: listActiveReports(resolved),
    cisaExploitation: cisa?.exploitation ?? null,
    ...findSsvcValues(resolved, cisa),
    hasPublicExploit: hasExploit,
    exploit: describeExploits(listExploits(kinds), exploits),
    hasFix: resolved.fix !== null,
    fixBy: resolved.fix?.by ?? null,
    fixEvidence: resolved.fix === null ? null : readFixEvidence(resolved.fix.value),
    score: score && { value: score.value.score, version: score.value.version, source: score.by },
  }
}

/** Evidence of the resolver that ends with a fixed version, such as `lessThan 2.1`. A commit is no version for people. */
const FIXED_VERSION = /^(?:versionEndExcluding|lessThan|changes\.at|unaffected) (?![\da-f]{12,40}$)([\w.+~:-]{1,40})$/

function readFixEvidence(evidence: string): string | null {
  if (evidence.startsWith('Patch ')) return PATCH_LINK
  return FIXED_VERSION.exec(evidence)?.[1] ?? null
}

function findCisaAssessment({ ssvc }: Resolved): Ssvc | undefined {
  return ssvc?.by === CISA_ADP ? ssvc.value : undefined
}

/** The resolver orders reports of the same level by date, newest first. */
function listActiveReports({ exploitation }: Resolved): DecisionFacts['activeReports'] {
  if (exploitation === null) return []
  return [exploitation, ...exploitation.runnersUp]
    .filter(({ value }) => value.level === 'active')
    .map(({ value: { by, date } }) => ({ by, date }))
}

interface SsvcValues {
  readonly automatable: Sourced<Automatable> | null
  readonly technicalImpact: Sourced<TechnicalImpact> | null
}

/** Takes each value from CISA's assessment, else derives it from the vector of the score. */
function findSsvcValues({ score }: Resolved, cisa: Ssvc | undefined): SsvcValues {
  const vector = score && parseVectorCached(score.value.vector)
  const source = `derived:cvss:${score?.by}`
  return {
    automatable: cisa?.automatable
      ? { value: cisa.automatable, source: CISA_ADP }
      : vector
        ? { value: deriveAutomatable(vector), source }
        : null,
    technicalImpact: cisa?.technicalImpact
      ? { value: cisa.technicalImpact, source: CISA_ADP }
      : vector
        ? { value: deriveTechnicalImpact(vector), source }
        : null,
  }
}

/** Kinds of public exploits, by the names of the table of maturities. */
const EXPLOITS = {
  metasploit: 'exploit-module',
  exploitdb: 'exploitdb',
  nuclei: 'nuclei',
  'poc-reported': 'reported-poc',
  reference: 'tagged-reference',
  poc: 'repository',
} as const satisfies Partial<Record<EvidenceKind, MaturityEvidence>>

function listExploits(kinds: readonly EvidenceKind[]): readonly MaturityEvidence[] {
  return Object.entries(EXPLOITS).flatMap(([kind, each]) => (kinds.some((found) => found === kind) ? [each] : []))
}

function describeExploits(kinds: readonly MaturityEvidence[], items: SourceData['exploits']): DecisionFacts['exploit'] {
  const { maturity, verified } = assessMaturity(kinds)
  if (verified === null) return null
  return { maturity, isVerified: verified, kinds, repositories: items.filter(({ feed }) => feed === 'poc').length }
}
