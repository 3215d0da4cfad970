// Reads ratings. The score is computed from the vector (decision C5); a score without a vector is ignored.
import { baseScore } from '../../../domain/cvss/cvss-score.ts'

import type { Provider, Rating } from '../../model/claim.ts'
import { parseVectorCached } from './parse-vector.ts'

interface RatingInput {
  readonly by: Provider
  readonly vector: string | null
  readonly score: number | null
}

type Computed = Pick<Rating, 'version' | 'vector' | 'score'>

/** Returns undefined if the vector is malformed or missing, because the score cannot be verified. */
export function readRating(input: RatingInput): Rating | undefined {
  const computed = input.vector === null ? undefined : compute(input.vector)
  if (computed === undefined) return undefined
  return { by: input.by, ...computed, statedScore: input.score }
}

function compute(text: string): Computed | undefined {
  const parsed = parseVectorCached(text)
  return parsed && { version: parsed.version, vector: parsed.vector, score: baseScore(parsed) }
}
