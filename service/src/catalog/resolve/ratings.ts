import type { Rating, Statement } from '../model/claim.ts'
import { compareText, SCORE_BY_VERSION, speakerRank } from './precedence.ts'

/**
 * All that were given, each once, in the order of decision C3. Where one speaker gives several of a version, the worst
 * case counts. NVD repeats the CNA's, so the same words of the same speaker are one rating.
 */
export function orderRatings(statements: readonly Statement[]): readonly Rating[] {
  const ratings = new Map<string, Rating>()
  for (const rating of statements.flatMap((each) => each.ratings)) {
    const key = `${rating.by} ${rating.vector}`
    const other = ratings.get(key)
    if (other === undefined || compareRatings(rating, other) < 0) ratings.set(key, rating)
  }
  return [...ratings.values()].sort(compareRatings)
}

function compareRatings(a: Rating, b: Rating): number {
  return (
    SCORE_BY_VERSION.indexOf(a.version) - SCORE_BY_VERSION.indexOf(b.version) ||
    speakerRank(a.by) - speakerRank(b.by) ||
    Number(b.isPrimary) - Number(a.isPrimary) ||
    b.score - a.score ||
    compareText(a.by, b.by) ||
    compareText(a.vector, b.vector) ||
    (b.statedScore ?? -1) - (a.statedScore ?? -1)
  )
}
