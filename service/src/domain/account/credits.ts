// Credit arithmetic. The price of an endpoint is the `credits` member of its definition in api/endpoints.

/** Counts in half credits, because no price may be a floating-point fraction (decision A8). */
export function toHalfCredits(credits: number): number {
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

/** Used credits are rounded up, the limit down (decision A8). */
export function toCreditFigures(usedHalf: number, limitHalf: number): CreditFigures {
  const [limit, used] = [Math.floor(limitHalf / 2), Math.ceil(usedHalf / 2)]
  // After a change to a smaller plan, used credits can exceed the limit.
  return { limit, used, remaining: Math.max(0, limit - used), percentageUsed: computePercentage(usedHalf, limitHalf) }
}

/** Returns 0 to 100, with two decimals. */
function computePercentage(usedHalf: number, limitHalf: number): number {
  if (limitHalf === 0) return usedHalf > 0 ? 100 : 0
  return Math.min(100, Math.round((usedHalf / limitHalf) * 10_000) / 100)
}
