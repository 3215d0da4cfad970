// Draws CVSS ratings with a given score. The service computes scores from vectors, so each score needs a matching
// vector.
import { BASE_METRICS, type CvssVersion } from '../../../src/domain/cvss/cvss-metrics.ts'
import { cvssV2Object, cvssV3Object, cvssV4Object } from '../../../src/domain/cvss/cvss-object.ts'
import { type CvssVector, parseCvssVector } from '../../../src/domain/cvss/cvss-vector.ts'
import type { Dice } from './dice.ts'
import { getValueAt } from './draw.ts'
import { type Era, PERCENTILES } from './shape.ts'

/** A CVSS object as NVD and the CVE List write it, with the metrics as words such as NETWORK. */
export type GeneratedRating = ReturnType<typeof toCvssObject>

const VERSIONS = ['2.0', '3.0', '3.1', '4.0'] as const

const SCORES = {
  '2.0': PERCENTILES.scoreV2,
  '3.0': PERCENTILES.scoreV30,
  '3.1': PERCENTILES.scoreV31,
  '4.0': PERCENTILES.scoreV40,
} as const

export function drawRatings(dice: Dice, { rated }: Era): readonly GeneratedRating[] {
  // One random number for all CVSS versions, because a CVE with a high score in one version has a high score in the
  // others.
  const severity = dice.share()
  return VERSIONS.filter((version) => dice.share() < rated[version]).map((version) =>
    drawRatingNear(dice, version, Math.round(getValueAt(SCORES[version], severity) * 10)),
  )
}

/** Cache of all possible CVSS ratings by CVSS version and by ten times their score, computed on first use. */
const ratingsByVersion = new Map<CvssVersion, ReadonlyMap<number, readonly GeneratedRating[]>>()

/**
 * Draws a CVSS rating whose score is as near as possible to the given score, because the CVSS formulas do not produce
 * every score.
 */
function drawRatingNear(dice: Dice, version: CvssVersion, tenths: number): GeneratedRating {
  const byScore = ratingsByVersion.get(version) ?? groupRatingsByScore(version)
  ratingsByVersion.set(version, byScore)
  for (let distance = 0; distance <= 100; distance += 1) {
    const near = byScore.get(tenths - distance) ?? byScore.get(tenths + distance)
    const chosen = near?.[dice.below(near.length)]
    if (chosen) return chosen
  }
  throw new Error(`CVSS ${version} has no vectors.`)
}

function groupRatingsByScore(version: CvssVersion): ReadonlyMap<number, readonly GeneratedRating[]> {
  const byScore = new Map<number, GeneratedRating[]>()
  for (const vectorString of listVectors(version)) {
    const vector = parseCvssVector(vectorString)
    if (vector === undefined) throw new Error(`${vectorString} is not a CVSS vector.`)
    const rating = toCvssObject(vector)
    const tenths = Math.round(rating.baseScore * 10)
    const list = byScore.get(tenths) ?? []
    list.push(...Array.from({ length: WEIGHTS_BY_ATTACK_VECTOR[vector.metrics.AV] }, () => rating))
    byScore.set(tenths, list)
  }
  return byScore
}

function toCvssObject(vector: CvssVector) {
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

/** Relative frequency of attack vectors: most attacks use a network, few need physical access. */
const WEIGHTS_BY_ATTACK_VECTOR = { N: 24, L: 8, A: 1, P: 1 } as const

/**
 * Metrics of CVSS 4.0 that have the same value in all generated vectors: scoring all of the 100,000 vectors would take
 * too long.
 */
const FIXED_METRICS: Readonly<Record<string, string>> = { AT: 'N', UI: 'N', SI: 'N', SA: 'N' }

/** Generates every combination of values of the CVSS metrics that have no fixed value. */
function* listVectors(version: CvssVersion): Generator<string> {
  const metrics = Object.entries(BASE_METRICS[version]).map(([name, values]) => {
    const fixed = version === '4.0' ? FIXED_METRICS[name] : undefined
    return [name, fixed === undefined ? Object.keys(values) : [fixed]] as const
  })
  const prefix = version === '2.0' ? '' : `CVSS:${version}/`
  for (const parts of generateCombinations(metrics)) yield prefix + parts.join('/')
}

function* generateCombinations(
  metrics: readonly (readonly [string, readonly string[]])[],
): Generator<readonly string[]> {
  const [first, ...others] = metrics
  if (first === undefined) return yield []
  const [name, values] = first
  for (const value of values) for (const rest of generateCombinations(others)) yield [`${name}:${value}`, ...rest]
}
