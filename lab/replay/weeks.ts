// The weeks of a replay: the day on which the first load happens, and the days of the imports after it. Everything that
// has a date belongs to the first import on or after its date.

/** Imports happen at noon, after FIRST has published the scores of the day. */
export const toImportTime = (day: string) => `${day}T14:00:00Z`

export interface Weeks {
  /** In order; the first is the day of the first load. */
  readonly days: readonly string[]
  /** Returns the index of the first import on or after the time; undefined if it is after the last one. */
  place(time: string): number | undefined
}

/** `time` may be a day, or a time with or without its zone. Only times in UTC occur. */
export function createWeeks(days: readonly string[]): Weeks {
  const limits = days.map((day) => toImportTime(day))
  const place = (time: string) => {
    const at = limits.findIndex((limit) => time < limit)
    return at < 0 ? undefined : at
  }
  return { days, place }
}
