// Orders ratings. NVD copies the ratings of CNAs and CISA from the CVE List, and its copy can be older than the
// author's record.
import type { Claim, Rating } from '../../model/claim.ts'
import type { Attributed, Chosen } from '../../model/resolved.ts'
import { parseVectorCached } from '../../sources/fields/parse-vector.ts'
import { choose, compareText, rankProvider, SCORE_BY_VERSION } from '../precedence.ts'
import { attribute, orderOwnFirst } from '../provenance.ts'

interface OrderedRatings {
  /** Ratings in order of precedence, highest first, without duplicates. */
  readonly current: readonly Attributed<Rating>[]
  /** Ratings that are only in NVD's copy, because the author's newer record has different ones. */
  readonly replaced: readonly Attributed<Rating>[]
}

/**
 * Orders ratings by decision C3, then by score, highest first. A provider's ratings with equal base metrics count as
 * one, because NVD adds undefined metrics to the CVE List's ratings or leaves out temporal ones. The author's own
 * wording is kept.
 */
export function orderRatings(claims: readonly Claim[]): OrderedRatings {
  const ratings = new Map<string, Attributed<Rating>>()
  // Ratings are sorted, because their order within a record must not matter.
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

/** Never chooses a replaced rating. */
export function chooseRating(
  { current, replaced }: OrderedRatings,
  versions: readonly Rating['version'][],
): Chosen<Rating> | null {
  const select = (ratings: readonly Attributed<Rating>[]) =>
    ratings.filter(({ value }) => versions.includes(value.version))
  const chosen = choose(select(current))
  return chosen && { ...chosen, runnersUp: [...chosen.runnersUp, ...select(replaced)] }
}

/** Equal for ratings by CVSS 3.0 and 3.1 with the same metrics. */
export function toBaseMetrics(vector: string): string {
  return (parseVectorCached(vector)?.baseVector ?? vector).replace(/^CVSS:3\.\d\//, '')
}

function toKey({ by, vector }: Rating): string {
  return `${by} ${parseVectorCached(vector)?.baseVector}`
}

/** If the author's newer record has no rating at all, NVD's copy is kept: it may be the CVE's only score. */
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
