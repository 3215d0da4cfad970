// Orders the CVSS ratings of a CVE by precedence.
import type { Claim, Rating } from '../model/claim.ts'
import { compareText, rankProvider, SCORE_BY_VERSION } from './precedence.ts'

/**
 * Returns all CVSS ratings without duplicates, in the order of decision C3. Several ratings of one provider and CVSS
 * version are ordered by score, highest first. Equal vectors of one provider count as one rating, because NVD repeats
 * the CNA's ratings.
 */
export function orderRatings(claims: readonly Claim[]): readonly Rating[] {
  const ratings = new Map<string, Rating>()
  for (const rating of claims.flatMap((each) => each.ratings)) {
    const key = `${rating.by} ${rating.vector}`
    const earlier = ratings.get(key)
    if (earlier === undefined || compareRatings(rating, earlier) < 0) ratings.set(key, rating)
  }
  return [...ratings.values()].sort(compareRatings)
}

function compareRatings(a: Rating, b: Rating): number {
  return (
    SCORE_BY_VERSION.indexOf(a.version) - SCORE_BY_VERSION.indexOf(b.version) ||
    rankProvider(a.by) - rankProvider(b.by) ||
    Number(b.isPrimary) - Number(a.isPrimary) ||
    b.score - a.score ||
    compareText(a.by, b.by) ||
    compareText(a.vector, b.vector) ||
    (b.statedScore ?? -1) - (a.statedScore ?? -1)
  )
}
