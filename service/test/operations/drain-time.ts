/**
 * Returns the maximum time in seconds that an API node needs to stop: the configured delay, 27 s to finish open requests
 * and 10 s for pending refunds.
 */
export const computeDrainSeconds = (delayMs: number): number => delayMs / 1000 + 27 + 10
