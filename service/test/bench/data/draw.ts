// Values in the proportions of a table.
import type { Dice } from './dice.ts'

/** Where each value of the table stands among a hundred. */
export const RANKS = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 100] as const

/** A value for each of RANKS, rising. */
export type Percentiles = readonly number[]

/** The value that the given share of all values lie below; between two of the table, along a curve. */
export function valueAt(percentiles: Percentiles, share: number): number {
  const rank = share * 100
  const above = RANKS.findIndex((each) => each > rank)
  const [low, high] = [percentiles[above - 1] ?? 0, percentiles[above] ?? 0]
  const [from, to] = [RANKS[above - 1] ?? 0, RANKS[above] ?? 100]
  const way = (rank - from) / (to - from)
  // Counts and lengths have long tails: a straight line to the largest would make far too many large ones.
  return low > 0 ? low * (high / low) ** way : high * way
}

/** The other way round: which share of all values lie below this one. Not for tables that begin with zeros. */
export function shareBelow(percentiles: Percentiles, value: number): number {
  const above = percentiles.findIndex((each) => each > value)
  if (above === -1) return 1
  const [low, high] = [percentiles[above - 1] ?? value, percentiles[above] ?? value]
  const [from, to] = [RANKS[above - 1] ?? 0, RANKS[above] ?? 0]
  return (from + (to - from) * (Math.log(value / low) / Math.log(high / low))) / 100
}

/** What may be drawn, and how often in proportion to the others. */
export type Weights<T extends string | number = string> = readonly (readonly [T, number])[]

export function drawOne<T extends string | number>(dice: Dice, weights: Weights<T>): T {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = dice.share() * total
  for (const [value, weight] of weights) {
    if (rest < weight) return value
    rest -= weight
  }
  throw new Error('there is nothing to draw from')
}
