// Ratings by their score: the service computes scores from vectors, so a wanted score needs a vector that has it.
import { BASE_METRICS, type CvssVersion } from '../../../src/domain/cvss-metrics.ts'
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../../src/domain/cvss-object.ts'
import { type CvssVector, parseCvssVector } from '../../../src/domain/cvss-vector.ts'
import type { Dice } from './dice.ts'
import { valueAt } from './draw.ts'
import { type Era, PERCENTILES } from './shape.ts'

/** As NVD and the CVE List print it, with the metrics in words. */
export type MadeRating = ReturnType<typeof inWords>

const VERSIONS = ['2.0', '3.0', '3.1', '4.0'] as const

const SCORES = {
  '2.0': PERCENTILES.scoreOfVersion2,
  '3.0': PERCENTILES.scoreOfVersion30,
  '3.1': PERCENTILES.scoreOfVersion31,
  '4.0': PERCENTILES.scoreOfVersion40,
} as const

export function drawRatings(dice: Dice, { rated }: Era): readonly MadeRating[] {
  // One throw for all versions: what is grave by one of them is grave by the others.
  const gravity = dice.share()
  return VERSIONS.filter((version) => dice.share() < rated[version]).map((version) =>
    ratingNear(dice, version, Math.round(valueAt(SCORES[version], gravity) * 10)),
  )
}

/** Lists of ratings by ten times their score, made when they are first needed. */
const lists = new Map<CvssVersion, ReadonlyMap<number, readonly MadeRating[]>>()

/** Of the nearest score that there is: not every number can come out of the formulas. */
function ratingNear(dice: Dice, version: CvssVersion, tenths: number): MadeRating {
  const byScore = lists.get(version) ?? ratingsByScore(version)
  lists.set(version, byScore)
  for (let distance = 0; distance <= 100; distance += 1) {
    const near = byScore.get(tenths - distance) ?? byScore.get(tenths + distance)
    const chosen = near?.[dice.below(near.length)]
    if (chosen) return chosen
  }
  throw new Error(`CVSS ${version} has no vector at all`)
}

function ratingsByScore(version: CvssVersion): ReadonlyMap<number, readonly MadeRating[]> {
  const byScore = new Map<number, MadeRating[]>()
  for (const vectorString of vectorsOf(version)) {
    const vector = parseCvssVector(vectorString)
    if (vector === undefined) throw new Error(`${vectorString} is no vector`)
    const rating = inWords(vector)
    const tenths = Math.round(rating.baseScore * 10)
    const list = byScore.get(tenths) ?? []
    list.push(...Array.from({ length: TIMES_BY_ATTACK_VECTOR[vector.metrics.AV] }, () => rating))
    byScore.set(tenths, list)
  }
  return byScore
}

function inWords(vector: CvssVector) {
  switch (vector.version) {
    case '2.0':
      return cvssV2Object(vector)
    case '3.0':
    case '3.1':
      return cvssV3Object(vector)
    case '4.0':
      return cvssV4Object(vector)
  }
}

/** Most attacks come over a network, and hardly any needs a hand on the machine. */
const TIMES_BY_ATTACK_VECTOR = { N: 24, L: 8, A: 1, P: 1 } as const

/** Of 4.0, which has a hundred thousand vectors and takes long to score them, only those that differ in nothing else. */
const FIXED: Readonly<Record<string, string>> = { AT: 'N', UI: 'N', SI: 'N', SA: 'N' }

/** Every combination of the others. */
function* vectorsOf(version: CvssVersion): Generator<string> {
  const metrics = Object.entries(BASE_METRICS[version]).map(([name, values]) => {
    const fixed = version === '4.0' ? FIXED[name] : undefined
    return [name, fixed === undefined ? Object.keys(values) : [fixed]] as const
  })
  const prefix = version === '2.0' ? '' : `CVSS:${version}/`
  for (const parts of combinations(metrics)) yield prefix + parts.join('/')
}

function* combinations(metrics: readonly (readonly [string, readonly string[]])[]): Generator<readonly string[]> {
  const [first, ...others] = metrics
  if (first === undefined) return yield []
  const [name, values] = first
  for (const value of values) for (const rest of combinations(others)) yield [`${name}:${value}`, ...rest]
}
