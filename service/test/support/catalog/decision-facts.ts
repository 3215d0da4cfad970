// The facts that determine the priority of a CVE in a test.
import type { DecisionFacts } from '../../../src/domain/priority/facts.ts'
import type { CveData } from './cve-builder.ts'

/** Returns the facts derived from the options of a CVE, and those set by its option `facts`. */
export function buildFacts({ kev, euKevSince, score, status, hasExploit, hasPatch, facts }: CveData): DecisionFacts {
  return {
    isRejected: status === 'Rejected',
    kev: kev
      ? {
          since: kev.dateAdded ?? '2026-08-10',
          dueDate: kev.dueDate ?? null,
          isUsedByRansomware: kev.knownRansomware ?? false,
        }
      : null,
    euKev: euKevSince === null ? null : { since: euKevSince, isUsedByRansomware: false },
    activeReports: [],
    cisaExploitation: null,
    automatable: null,
    technicalImpact: null,
    hasPublicExploit: hasExploit,
    exploit: hasExploit ? { maturity: 'poc', isVerified: true, kinds: ['tagged-reference'], repositories: 0 } : null,
    hasFix: hasPatch,
    fixBy: hasPatch ? 'nvd' : null,
    fixEvidence: null,
    advisoryBy: null,
    doubtedBy: null,
    score: score === null ? null : { value: score, version: '3.1', source: 'nvd' },
    isDisputed: false,
    isUnsupported: false,
    isEndOfLife: false,
    publishedOn: null,
    ...facts,
  }
}
