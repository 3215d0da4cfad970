// A vector and what was said of it, as a rating: its score is computed (decision C5), and without a vector there is none.
import { baseScore } from '../../domain/cvss-score.ts'

import type { Rating, Speaker } from '../model/claim.ts'
import { vectorOf } from './parse-vector.ts'

export interface SaidRating {
  readonly by: Speaker
  readonly isPrimary: boolean
  readonly vector: string | null
  readonly score: number | null
}

type Computed = Pick<Rating, 'version' | 'vector' | 'score'>

/** Undefined for a vector that is malformed or missing: a score that nobody can check is worse than none. */
export function readRating(said: SaidRating): Rating | undefined {
  const computed = said.vector === null ? undefined : compute(said.vector)
  if (computed === undefined) return undefined
  return { by: said.by, isPrimary: said.isPrimary, ...computed, statedScore: said.score }
}

function compute(text: string): Computed | undefined {
  const parsed = vectorOf(text)
  return parsed && { version: parsed.version, vector: parsed.vector, score: baseScore(parsed) }
}
