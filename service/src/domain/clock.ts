/**
 * Function that returns the current time. Only commands and tests create a clock; all other code receives a clock as an
 * argument.
 */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Creates a clock that starts at the time `start` and runs at normal speed. */
export function clockFrom(start: Date, real: Clock = systemClock): Clock {
  const shiftMs = start.getTime() - real().getTime()
  return () => new Date(real().getTime() + shiftMs)
}
