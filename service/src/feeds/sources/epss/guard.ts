import type { Guard } from '../../guard.ts'

const MAX_DRIFT = 0.5
const MIN_ROWS_TO_JUDGE = 1000

/** Single scores jump; the mean of all of them does so only when the model changes, and then it is not compared. */
export const refuseDrift: Guard = {
  name: 'scores-drifted',
  complaint: ({ drift, existing, staged }) => {
    if (!drift || Math.min(existing, staged) < MIN_ROWS_TO_JUDGE) return undefined
    const { before, after } = drift
    return Math.abs(after - before) > before * MAX_DRIFT
      ? `its mean score is ${after.toFixed(5)}, where ours is ${before.toFixed(5)}, from the same model`
      : undefined
  },
}
