// Orders the CVSS ratings of a CVE by precedence. NVD copies the ratings of CNAs and of CISA from the CVE List, and its
// copy can be older than the record of their author.
import type { Claim, Rating } from '../../model/claim.ts'
import type { Attributed, Chosen } from '../../model/resolved.ts'
import { parseVectorCached } from '../../sources/fields/parse-vector.ts'
import { choose, compareText, rankProvider, SCORE_BY_VERSION } from '../precedence.ts'
import { attribute, orderOwnFirst } from '../provenance.ts'

interface OrderedRatings {
  /** Ratings without duplicates, highest precedence first. */
  readonly current: readonly Attributed<Rating>[]
  /** Older ratings, which only NVD's copy still contains: the newer record of their author has other ratings. */
  readonly replaced: readonly Attributed<Rating>[]
}

/**
 * Orders all CVSS ratings by decision C3. Several ratings of one provider and CVSS version are ordered by score, highest
 * first. Ratings of one provider with equal base metrics count as one, because NVD repeats the ratings of the CVE List
 * and adds undefined metrics to them or leaves out temporal ones; the rating in the author's own words is kept.
 */
export function orderRatings(claims: readonly Claim[]): OrderedRatings {
  const ratings = new Map<string, Attributed<Rating>>()
  // Within a record, the order must not decide.
  for (const claim of orderOwnFirst(claims))
    for (const rating of claim.ratings.toSorted(compareRatings)) {
      const key = toKey(rating)
      if (!ratings.has(key)) ratings.set(key, attribute(rating, claim, rating.by))
    }
  const replaced = findReplaced(claims)
  const ordered = [...ratings.values()].sort((a, b) => compareRatings(a.value, b.value))
  return {
    current: ordered.filter(({ value }) => !replaced.has(value)),
    replaced: ordered.filter(({ value }) => replaced.has(value)),
  }
}

/** Chooses the rating of the given CVSS versions with the highest precedence. A replaced rating is never chosen. */
export function chooseRating(
  { current, replaced }: OrderedRatings,
  versions: readonly Rating['version'][],
): Chosen<Rating> | null {
  const select = (ratings: readonly Attributed<Rating>[]) =>
    ratings.filter(({ value }) => versions.includes(value.version))
  const chosen = choose(select(current))
  return chosen && { ...chosen, runnersUp: [...chosen.runnersUp, ...select(replaced)] }
}

function toKey({ by, vector }: Rating): string {
  return `${by} ${parseVectorCached(vector)?.baseVector}`
}

/**
 * Finds the ratings in NVD's record whose author has a newer record in the CVE List with other ratings only. If the newer
 * record has no rating of the author at all, NVD's copy counts: it may be the only score of the CVE.
 */
function findReplaced(claims: readonly Claim[]): ReadonlySet<Rating> {
  const own = claims.find(({ source }) => source === 'cve')
  const copy = claims.find(({ source }) => source === 'nvd')
  if (own === undefined || copy === undefined || own.modified <= copy.modified) return new Set()
  const authors = new Set(own.ratings.map(({ by }) => by))
  const keys = new Set(own.ratings.map(toKey))
  return new Set(copy.ratings.filter((rating) => authors.has(rating.by) && !keys.has(toKey(rating))))
}

function compareRatings(a: Rating, b: Rating): number {
  return (
    SCORE_BY_VERSION.indexOf(a.version) - SCORE_BY_VERSION.indexOf(b.version) ||
    rankProvider(a.by) - rankProvider(b.by) ||
    b.score - a.score ||
    compareText(a.by, b.by) ||
    compareText(a.vector, b.vector) ||
    (b.statedScore ?? -1) - (a.statedScore ?? -1)
  )
}
