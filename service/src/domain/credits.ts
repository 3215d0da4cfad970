/** Prices are counted in integer half-credits, so that half a credit never meets floating point (decision A8). */
export function halfCredits(credits: number): number {
  const halves = credits * 2
  if (!Number.isInteger(halves) || halves < 0) {
    throw new RangeError(`a price must be a multiple of half a credit, not ${credits}`)
  }
  return halves
}

export interface CreditFigures {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly percentageUsed: number
}

/** As the API writes them: whole credits, half a credit that was spent counts as one, and none is promised that is not there (decision A8). */
export function creditFigures(usedHalf: number, limitHalf: number): CreditFigures {
  const [limit, used] = [Math.floor(limitHalf / 2), Math.ceil(usedHalf / 2)]
  // After a downgrade more may be used than is allowed.
  return { limit, used, remaining: Math.max(0, limit - used), percentageUsed: percentage(usedHalf, limitHalf) }
}

/** 0 to 100, two decimals, from the exact value. */
function percentage(usedHalf: number, limitHalf: number): number {
  if (limitHalf === 0) return usedHalf > 0 ? 100 : 0
  return Math.min(100, Math.round((usedHalf / limitHalf) * 10_000) / 100)
}
