// Orders the CVSS ratings of a CVE by precedence. NVD copies the ratings of CNAs and of CISA from the CVE List, and its
// copy can be older than the record of their author.
import type { Claim, Rating } from '../../model/claim.ts'
import type { Chosen } from '../../model/resolved.ts'
import { parseVectorCached } from '../../sources/fields/parse-vector.ts'
import { choose, compareText, rankProvider, SCORE_BY_VERSION } from '../precedence.ts'

interface OrderedRatings {
  /** Ratings without duplicates, highest precedence first. */
  readonly current: readonly Rating[]
  /** Older ratings, which only NVD's copy still contains: the newer record of their author has other ratings. */
  readonly replaced: readonly Rating[]
}

/**
 * Orders all CVSS ratings by decision C3. Several ratings of one provider and CVSS version are ordered by score, highest
 * first. Ratings of one provider with equal base metrics count as one, because NVD repeats the ratings of the CVE List
 * and adds undefined metrics to them or leaves out temporal ones; the rating in the author's own words is kept.
 */
export function orderRatings(claims: readonly Claim[]): OrderedRatings {
  const ratings = new Map<string, Rating>()
  // The CVE List comes first, so that its rating is kept and not NVD's copy. Within a record, the order must not decide.
  for (const rating of claims.toSorted(compareOwnFirst).flatMap((each) => each.ratings.toSorted(compareRatings))) {
    const key = toKey(rating)
    if (!ratings.has(key)) ratings.set(key, rating)
  }
  const replaced = findReplaced(claims)
  const ordered = [...ratings.values()].sort(compareRatings)
  return {
    current: ordered.filter((each) => !replaced.has(each)),
    replaced: ordered.filter((each) => replaced.has(each)),
  }
}

/** Chooses the rating of the given CVSS versions with the highest precedence. A replaced rating is never chosen. */
export function chooseRating(
  { current, replaced }: OrderedRatings,
  versions: readonly Rating['version'][],
): Chosen<Rating> | null {
  const select = (ratings: readonly Rating[]) =>
    ratings.filter(({ version }) => versions.includes(version)).map((rating) => ({ value: rating, by: rating.by }))
  const chosen = choose(select(current))
  return chosen && { ...chosen, runnersUp: [...chosen.runnersUp, ...select(replaced)] }
}

function compareOwnFirst(a: Claim, b: Claim): number {
  return Number(b.source === 'cve') - Number(a.source === 'cve')
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
