/** Only commands and tests create a clock; all other code receives one. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Starts at `start` and runs at normal speed. */
export function clockFrom(start: Date, real: Clock = systemClock): Clock {
  const shiftMs = start.getTime() - real().getTime()
  return () => new Date(real().getTime() + shiftMs)
}
