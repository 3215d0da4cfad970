// Collects the facts from which the level of an advisory without a CVE follows. No catalog of exploited vulnerabilities,
// no EPSS score and no SSVC assessment can exist for it.
import { assessMaturity } from '../../domain/exploitation/exploit-maturity.ts'
import { formatDay } from '../../domain/instant.ts'
import type { DecisionFacts } from '../../domain/priority/facts.ts'
import { deriveAutomatable, deriveTechnicalImpact } from '../../domain/priority/ssvc.ts'
import type { Claim, Rating } from '../model/claim.ts'
import { SCORE_BY_VERSION } from '../resolve/precedence.ts'
import { parseVectorCached } from '../sources/fields/parse-vector.ts'

/** `claims` are the advisory's records, the leading one first. */
export function collectAdvisoryFacts(claims: readonly Claim[]): DecisionFacts {
  const rating = findRating(claims)
  const fixBy = claims.find(({ fix }) => fix !== null)?.provider ?? null
  const hasExploit = claims.some(({ references }) => references.some(({ tags }) => tags.includes('Exploit')))
  const published = claims.flatMap((claim) => claim.published ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    isRejected: claims.length === 0,
    kev: null,
    euKev: null,
    activeReports: [],
    cisaExploitation: null,
    ...readVector(rating),
    hasPublicExploit: hasExploit,
    exploit: hasExploit ? describeTaggedReference() : null,
    hasFix: fixBy !== null,
    fixBy,
    fixEvidence: null,
    advisoryBy: null,
    doubtedBy: null,
    score: rating === undefined ? null : { value: rating.score, version: rating.version, source: rating.by },
    isDisputed: false,
    isUnsupported: false,
    isEndOfLife: false,
    publishedOn: published === undefined ? null : formatDay(published),
  }
}

export function findRating(claims: readonly Claim[]): Rating | undefined {
  for (const { ratings } of claims) {
    const rated = SCORE_BY_VERSION.flatMap((version) => ratings.find((each) => each.version === version) ?? [])[0]
    if (rated !== undefined) return rated
  }
  return undefined
}

function readVector(rating: Rating | undefined): Pick<DecisionFacts, 'automatable' | 'technicalImpact'> {
  const vector = rating && parseVectorCached(rating.vector)
  if (rating === undefined || !vector) return { automatable: null, technicalImpact: null }
  const source = `derived:cvss:${rating.by}`
  return {
    automatable: { value: deriveAutomatable(vector), source },
    technicalImpact: { value: deriveTechnicalImpact(vector), source },
  }
}

function describeTaggedReference(): DecisionFacts['exploit'] {
  const kinds = ['tagged-reference'] as const
  const { maturity, verified } = assessMaturity(kinds)
  return { maturity, isVerified: verified ?? false, kinds, repositories: 0 }
}
