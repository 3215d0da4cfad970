/** Only commands and tests create a clock; all other code receives one. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** Runs at normal speed from `start` on. */
export function clockFrom(start: Date, real: Clock = systemClock): Clock {
  const shiftMs = start.getTime() - real().getTime()
  return () => new Date(real().getTime() + shiftMs)
}
