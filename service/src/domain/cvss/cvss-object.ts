// CVSS objects in responses, with FIRST's member names (decisions C4, C10) and the score that we compute.
import { BASE_METRICS } from './cvss-metrics.ts'
import { baseScore } from './cvss-score.ts'
import type { CvssV2Vector, CvssV3Vector, CvssV4Vector, CvssVector } from './cvss-vector.ts'
import { baseSeverity, baseSeverityV2 } from './severity.ts'

/** FIRST's schema for CVSS 2.0 has no `baseSeverity`, so the words are NVD's (decision E2). */
export function cvssV2Object(vector: CvssV2Vector) {
  const { metrics } = vector
  const names = BASE_METRICS[vector.version]
  return {
    ...describeScore(vector, baseSeverityV2),
    accessVector: names.AV[metrics.AV],
    accessComplexity: names.AC[metrics.AC],
    authentication: names.Au[metrics.Au],
    confidentialityImpact: names.C[metrics.C],
    integrityImpact: names.I[metrics.I],
    availabilityImpact: names.A[metrics.A],
  }
}

export function cvssV3Object(vector: CvssV3Vector) {
  const { metrics } = vector
  const names = BASE_METRICS[vector.version]
  return {
    ...describeScore(vector, baseSeverity),
    attackVector: names.AV[metrics.AV],
    attackComplexity: names.AC[metrics.AC],
    privilegesRequired: names.PR[metrics.PR],
    userInteraction: names.UI[metrics.UI],
    scope: names.S[metrics.S],
    confidentialityImpact: names.C[metrics.C],
    integrityImpact: names.I[metrics.I],
    availabilityImpact: names.A[metrics.A],
  }
}

export function cvssV4Object(vector: CvssV4Vector) {
  const { metrics } = vector
  const names = BASE_METRICS[vector.version]
  return {
    ...describeScore(vector, baseSeverity),
    attackVector: names.AV[metrics.AV],
    attackComplexity: names.AC[metrics.AC],
    attackRequirements: names.AT[metrics.AT],
    privilegesRequired: names.PR[metrics.PR],
    userInteraction: names.UI[metrics.UI],
    vulnConfidentialityImpact: names.VC[metrics.VC],
    vulnIntegrityImpact: names.VI[metrics.VI],
    vulnAvailabilityImpact: names.VA[metrics.VA],
    subConfidentialityImpact: names.SC[metrics.SC],
    subIntegrityImpact: names.SI[metrics.SI],
    subAvailabilityImpact: names.SA[metrics.SA],
  }
}

function describeScore<V extends CvssVector, Severity>(vector: V, rate: (score: number) => Severity) {
  const score = baseScore(vector)
  const version: V['version'] = vector.version
  return { version, vectorString: vector.vector, baseScore: score, baseSeverity: rate(score) }
}

const ATTACK_VECTORS = { N: 'network', A: 'adjacent', L: 'local', P: 'physical' } as const

export type AttackVector = (typeof ATTACK_VECTORS)[keyof typeof ATTACK_VECTORS]

/** Uses the same words for all CVSS versions (decision C17). */
export function attackVectorWord({ metrics }: Pick<CvssVector, 'metrics'>): AttackVector {
  return ATTACK_VECTORS[metrics.AV]
}
