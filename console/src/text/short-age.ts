// The age of something in a narrow column: `3 h`, `18 d`, `7 mo`, `4 y`.
const HOUR_MS = 3_600_000
const UNITS = [
  ['y', 365.25 * 24 * HOUR_MS, 2],
  ['mo', 30.44 * 24 * HOUR_MS, 2],
  ['d', 24 * HOUR_MS, 1],
  ['h', HOUR_MS, 1],
] as const

/** Two of a unit are needed for years and months: "60 d" is more exact than "1 mo". */
export function formatShortAge(time: string, now: Date): string {
  const ageMs = now.getTime() - new Date(time).getTime()
  if (Number.isNaN(ageMs)) return time
  const unit = UNITS.find(([, length, min]) => ageMs >= min * length)
  return unit ? `${Math.floor(ageMs / unit[1])} ${unit[0]}` : 'new'
}
