/** Where "now" comes from: only commands and tests make one, everything else is given it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** A clock that started at `start` when it was made and runs on at the usual speed. */
export function clockFrom(start: Date, real: Clock = systemClock): Clock {
  const shiftMs = start.getTime() - real().getTime()
  return () => new Date(real().getTime() + shiftMs)
}
