// Scores, recomputed from the base metrics (decision C5): what sources print beside a vector is not always its score.
import calculator from 'ae-cvss-calculator'
import type { CvssVector } from './cvss-vector.ts'

interface Scores {
  readonly base: number
  readonly exploitability: number | undefined
  readonly impact: number | undefined
}

/** From 0.0 to 10.0, with one decimal. For 4.0 this is CVSS-B: threat and environmental metrics do not count. */
export function baseScore(vector: CvssVector): number {
  return scoresOf(vector).base
}

/** With one decimal, as NVD prints it; 4.0 has no such score. */
export function exploitabilityScore(vector: CvssVector): number | undefined {
  return scoresOf(vector).exploitability
}

/** With one decimal, as NVD prints it; 4.0 has no such score. */
export function impactScore(vector: CvssVector): number | undefined {
  return scoresOf(vector).impact
}

// A few thousand base vectors make up nearly all records, and a score of 4.0 takes long to compute. All that can be
// written would be some 110,000, nearly all of them of 4.0.
const MAX_CACHED = 32_768
const remembered = new Map<string, Scores>()

function scoresOf(vector: CvssVector): Scores {
  const known = remembered.get(vector.baseVector)
  if (known !== undefined) return known
  const scores = compute(vector)
  const oldest = remembered.size < MAX_CACHED ? undefined : remembered.keys().next().value
  if (oldest !== undefined) remembered.delete(oldest)
  remembered.set(vector.baseVector, scores)
  return scores
}

function compute({ version, baseVector }: CvssVector): Scores {
  switch (version) {
    case '2.0':
      return withParts(new calculator.Cvss2(baseVector))
    case '3.0':
      return withParts(new calculator.Cvss3P0(baseVector))
    case '3.1':
      return withParts(new calculator.Cvss3P1(baseVector))
    case '4.0':
      return {
        base: unsigned(new calculator.Cvss4P0(baseVector).calculateOverallScore()),
        exploitability: undefined,
        impact: undefined,
      }
  }
}

type VectorWithParts = InstanceType<typeof calculator.Cvss2 | typeof calculator.Cvss3P0 | typeof calculator.Cvss3P1>

function withParts(vector: VectorWithParts): Scores {
  // There are only base metrics in it: its overall score is the base score.
  const { overall, exploitability, impact } = vector.calculateScores()
  return { base: unsigned(overall), exploitability, impact: impact === undefined ? undefined : unsigned(impact) }
}

/** Formulas that subtract end at -0 where nothing is at stake, and no source writes that. */
function unsigned(score: number): number {
  return score === 0 ? 0 : score
}
