// CVSS as it is served: FIRST's names and words (decisions C4, C10), with the score that we computed.
import { BASE_METRICS } from './cvss-metrics.ts'
import { baseScore } from './cvss-score.ts'
import type { CvssV2Vector, CvssV3Vector, CvssV4Vector, CvssVector } from './cvss-vector.ts'
import { baseSeverity } from './severity.ts'

/** Without `baseSeverity`, as in FIRST's schema: 2.0 has none. */
export function cvssV2Object(vector: CvssV2Vector) {
  const { metrics } = vector
  const words = BASE_METRICS[vector.version]
  return {
    version: vector.version,
    vectorString: vector.vector,
    baseScore: baseScore(vector),
    accessVector: words.AV[metrics.AV],
    accessComplexity: words.AC[metrics.AC],
    authentication: words.Au[metrics.Au],
    confidentialityImpact: words.C[metrics.C],
    integrityImpact: words.I[metrics.I],
    availabilityImpact: words.A[metrics.A],
  }
}

/** For 3.0 as well, which then says so in `version`. */
export function cvssV3Object(vector: CvssV3Vector) {
  const { metrics } = vector
  const words = BASE_METRICS[vector.version]
  const score = baseScore(vector)
  return {
    version: vector.version,
    vectorString: vector.vector,
    baseScore: score,
    baseSeverity: baseSeverity(score),
    attackVector: words.AV[metrics.AV],
    attackComplexity: words.AC[metrics.AC],
    privilegesRequired: words.PR[metrics.PR],
    userInteraction: words.UI[metrics.UI],
    scope: words.S[metrics.S],
    confidentialityImpact: words.C[metrics.C],
    integrityImpact: words.I[metrics.I],
    availabilityImpact: words.A[metrics.A],
  }
}

export function cvssV4Object(vector: CvssV4Vector) {
  const { metrics } = vector
  const words = BASE_METRICS[vector.version]
  const score = baseScore(vector)
  return {
    version: vector.version,
    vectorString: vector.vector,
    baseScore: score,
    baseSeverity: baseSeverity(score),
    attackVector: words.AV[metrics.AV],
    attackComplexity: words.AC[metrics.AC],
    attackRequirements: words.AT[metrics.AT],
    privilegesRequired: words.PR[metrics.PR],
    userInteraction: words.UI[metrics.UI],
    vulnConfidentialityImpact: words.VC[metrics.VC],
    vulnIntegrityImpact: words.VI[metrics.VI],
    vulnAvailabilityImpact: words.VA[metrics.VA],
    subConfidentialityImpact: words.SC[metrics.SC],
    subIntegrityImpact: words.SI[metrics.SI],
    subAvailabilityImpact: words.SA[metrics.SA],
  }
}

const ATTACK_VECTORS = { N: 'network', A: 'adjacent', L: 'local', P: 'physical' } as const

export type AttackVector = (typeof ATTACK_VECTORS)[keyof typeof ATTACK_VECTORS]

/** One word for all versions (decision C17), in lower case; 2.0 knows nothing physical. */
export function attackVectorWord({ metrics }: Pick<CvssVector, 'metrics'>): AttackVector {
  return ATTACK_VECTORS[metrics.AV]
}
