import type { Guard } from '../../guard.ts'

const MAX_DRIFT = 0.5
const MIN_ROWS_TO_JUDGE = 1000

/**
 * Rejects an EPSS file if the mean of its scores differs by more than half from the mean of the stored scores. Single
 * scores may jump, but the mean jumps only with a new version of the EPSS model. Means of two model versions are
 * therefore not compared.
 */
export const meanScoreDrift: Guard = {
  name: 'scores-drifted',
  check: ({ drift, existing, staged }) => {
    if (!drift || Math.min(existing, staged) < MIN_ROWS_TO_JUDGE) return undefined
    const { before, after } = drift
    return Math.abs(after - before) > before * MAX_DRIFT
      ? `the mean score is ${after.toFixed(5)}, but the stored mean score of the same model is ${before.toFixed(5)}`
      : undefined
  },
}
