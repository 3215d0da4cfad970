// Formats numbers and times. All times are shown in UTC, because analysts in several time zones compare them.

const NUMBER = new Intl.NumberFormat('en')
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export function formatNumber(value: number): string {
  return NUMBER.format(value)
}

export function formatCredits(credits: number): string {
  return `${formatNumber(credits)} ${credits === 1 ? 'credit' : 'credits'}`
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Formats a CVSS base score with one decimal: `9.8`. */
export function formatScore(score: number): string {
  return score.toFixed(1)
}

/**
 * Formats a probability as a percentage. Small and large values keep two digits and are never rounded to 0 % or 100 %,
 * because EPSS never states certainty. EPSS has five decimals, so three digits show its largest values exactly.
 */
export function formatProbability(probability: number): string {
  const percent = probability * 100
  if (percent > 0 && percent < 0.01) return '< 0.01 %'
  if (percent >= 100) return '100 %'
  if (percent >= 99.995) return `${Math.min(percent, 99.999).toFixed(3)} %`
  return `${percent.toFixed(percent > 99 || percent < 1 ? 2 : 1)} %`
}

/** Above 99 %, EPSS does not tell probabilities apart, so the number would look more exact than it is. */
const MAX_SHOWN_EPSS = 0.99

export function formatEpss(score: number): string {
  return score > MAX_SHOWN_EPSS ? '> 99 %' : formatProbability(score)
}

/** Returns the day of a time from the API: `2026-08-22`. */
export function formatDay(time: string): string {
  return time.slice(0, 10)
}

/** Formats a time from the API in UTC: `2026-08-22 23:59 UTC`. */
export function formatTime(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Describes a time relative to now: `3 days ago`, `in 2 weeks`. */
export function formatTimeAgo(time: string, now: Date): string {
  const seconds = (new Date(time).getTime() - now.getTime()) / 1000
  if (Number.isNaN(seconds)) return time
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  return unit ? RELATIVE.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now'
}

/** Formats a duration for a countdown: `45 s`, `2 min 5 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
