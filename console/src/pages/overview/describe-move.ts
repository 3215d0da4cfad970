// Describes the movement of an EPSS score.
import type { EpssMover } from 'vis-sdk'

/** A smaller ratio is less informative than the difference. */
const MIN_RATIO = 1.5

/** Describes a movement: `+12.3 points, 4.1 times`. A point is one percentage point of probability. */
export function describeMove({ delta, ratio }: Pick<EpssMover, 'delta' | 'ratio'>): string {
  const points = delta * 100
  const digits = Math.abs(points) < 1 ? 2 : 1
  const difference = `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(digits)} points`
  if (ratio === null || ratio < MIN_RATIO || delta < 0) return difference
  return `${difference}, ${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en')} times`
}
