/** Prices are counted in integer half-credits, so that half a credit never meets floating point (decision A8). */
export function halfCredits(credits: number): number {
  const halves = credits * 2
  if (!Number.isInteger(halves) || halves < 0) {
    throw new RangeError(`a price must be a multiple of half a credit, not ${credits}`)
  }
  return halves
}
