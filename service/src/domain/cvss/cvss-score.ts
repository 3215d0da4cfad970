// Computes scores from the base metrics (decision C5), because published scores are not always right.
import calculator from 'ae-cvss-calculator'
import type { CvssVector } from './cvss-vector.ts'

interface Scores {
  readonly base: number
  readonly exploitability: number | undefined
  readonly impact: number | undefined
}

/** Returns 0.0 to 10.0. For CVSS 4.0 this is CVSS-B, without threat and environmental metrics. */
export function baseScore(vector: CvssVector): number {
  return readScores(vector).base
}

/** Rounds as NVD does; undefined for CVSS 4.0, which has no subscores. */
export function exploitabilityScore(vector: CvssVector): number | undefined {
  return readScores(vector).exploitability
}

/** Rounds as NVD does; undefined for CVSS 4.0, which has no subscores. */
export function impactScore(vector: CvssVector): number | undefined {
  return readScores(vector).impact
}

// Nearly all records share a few thousand base vectors, and CVSS 4.0 scores are slow to compute. About 110,000 base
// vectors are possible, nearly all of them in CVSS 4.0.
const MAX_CACHED = 32_768
const cache = new Map<string, Scores>()

function readScores(vector: CvssVector): Scores {
  const cached = cache.get(vector.baseVector)
  if (cached !== undefined) return cached
  const scores = computeScores(vector)
  const oldest = cache.size < MAX_CACHED ? undefined : cache.keys().next().value
  if (oldest !== undefined) cache.delete(oldest)
  cache.set(vector.baseVector, scores)
  return scores
}

function computeScores({ version, baseVector }: CvssVector): Scores {
  switch (version) {
    case '2.0':
      return computeWithSubscores(new calculator.Cvss2(baseVector))
    case '3.0':
      return computeWithSubscores(new calculator.Cvss3P0(baseVector))
    case '3.1':
      return computeWithSubscores(new calculator.Cvss3P1(baseVector))
    case '4.0':
      return {
        base: dropNegativeZero(new calculator.Cvss4P0(baseVector).calculateOverallScore()),
        exploitability: undefined,
        impact: undefined,
      }
  }
}

type VectorWithSubscores = InstanceType<typeof calculator.Cvss2 | typeof calculator.Cvss3P0 | typeof calculator.Cvss3P1>

function computeWithSubscores(vector: VectorWithSubscores): Scores {
  // With base metrics only, the overall score is the base score.
  const { overall, exploitability, impact } = vector.calculateScores()
  return {
    base: dropNegativeZero(overall),
    exploitability,
    impact: impact === undefined ? undefined : dropNegativeZero(impact),
  }
}

/** The CVSS formulas return -0 for a vector without impact. */
function dropNegativeZero(score: number): number {
  return score === 0 ? 0 : score
}
