// Draws random values whose distribution is given by a table of percentiles.
import type { Dice } from './dice.ts'

/** Percentile ranks for which a percentile table lists values. */
export const RANKS = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 100] as const

/** One value for each percentile rank in RANKS, in ascending order. */
export type Percentiles = readonly number[]

/**
 * Returns the value below which the given share of all values lies, interpolated between two values of the percentile
 * table.
 */
export function getValueAt(percentiles: Percentiles, share: number): number {
  const rank = share * 100
  const above = RANKS.findIndex((each) => each > rank)
  const [low, high] = [percentiles[above - 1] ?? 0, percentiles[above] ?? 0]
  const [from, to] = [RANKS[above - 1] ?? 0, RANKS[above] ?? 100]
  const fraction = (rank - from) / (to - from)
  // Interpolates geometrically: counts and lengths have long tails, so linear interpolation would give far too many
  // large values.
  return low > 0 ? low * (high / low) ** fraction : high * fraction
}

/**
 * Inverse of getValueAt: returns the share of values below the given value. Not usable for percentile tables that begin
 * with zeros.
 */
export function getShareBelow(percentiles: Percentiles, value: number): number {
  const above = percentiles.findIndex((each) => each > value)
  if (above === -1) return 1
  const [low, high] = [percentiles[above - 1] ?? value, percentiles[above] ?? value]
  const [from, to] = [RANKS[above - 1] ?? 0, RANKS[above] ?? 0]
  return (from + (to - from) * (Math.log(value / low) / Math.log(high / low))) / 100
}

/** Possible values, each with its relative frequency. */
export type Weights<T extends string | number = string> = readonly (readonly [T, number])[]

export function drawOne<T extends string | number>(dice: Dice, weights: Weights<T>): T {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = dice.share() * total
  for (const [value, weight] of weights) {
    if (rest < weight) return value
    rest -= weight
  }
  throw new Error('The table of weights is empty.')
}
