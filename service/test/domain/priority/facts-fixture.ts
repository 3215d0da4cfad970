import type { ExploitMaturity, MaturityEvidence } from '../../../src/domain/exploitation/exploit-maturity.ts'
import { EPSS_RULE, REFERENCE_THRESHOLDS } from '../../../src/domain/priority/epss-rule.ts'
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import type { EpssFact } from '../../../src/domain/priority/reasons.ts'

/** Builds the facts of a CVE about which nothing is known except what a test specifies. */
export function buildFacts(values: Partial<DecisionFacts> = {}): DecisionFacts {
  return {
    isRejected: false,
    kev: null,
    euKev: null,
    activeReports: [],
    cisaExploitation: null,
    automatable: null,
    technicalImpact: null,
    hasPublicExploit: false,
    exploit: null,
    hasFix: false,
    fixBy: null,
    fixEvidence: null,
    advisoryBy: null,
    doubtedBy: null,
    score: null,
    isDisputed: false,
    isUnsupported: false,
    isEndOfLife: false,
    publishedOn: null,
    ...values,
  }
}

/** Builds public exploits of the given types, the strongest of which has the given maturity. */
export function buildExploit(
  maturity: ExploitMaturity,
  kinds: readonly MaturityEvidence[],
  repositories = 0,
): NonNullable<DecisionFacts['exploit']> {
  return { maturity, isVerified: kinds.some((kind) => kind !== 'repository'), kinds, repositories }
}

export const IN_KEV = { since: '2026-07-01', dueDate: '2026-07-04', isUsedByRansomware: false }

/** Assessments by CISA. */
export const AUTOMATABLE = { value: 'yes', source: 'cisa-adp' } as const
export const NOT_AUTOMATABLE = { value: 'no', source: 'cisa-adp' } as const
export const TOTAL = { value: 'total', source: 'cisa-adp' } as const
export const PARTIAL = { value: 'partial', source: 'cisa-adp' } as const

/** An EPSS score of 2026-08-15 by the reference model, and the thresholds that it reaches, all on that day. */
export function buildEpss(score: number | null, values: Partial<EpssFact> = {}): EpssFact {
  const held = REFERENCE_THRESHOLDS.filter((threshold) => score !== null && score >= threshold).map(() => DAY)
  const thresholds = REFERENCE_THRESHOLDS
  return { score, day: DAY, held, model: EPSS_RULE.referenceModel, thresholds, knownFrom: '2026-01-01', ...values }
}

const DAY = '2026-08-15'
