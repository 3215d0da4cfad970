// LEV (likely exploited vulnerability) estimates from EPSS scores how likely it is that a CVE was exploited in a
// period. Mell and Spring, NIST Cybersecurity White Paper 41 (May 2025), equation LEV,
// https://doi.org/10.6028/NIST.CSWP.41:
//
//   LEV(v, d0, dn) >= 1 - product over di in dates(d0, dn, 30) of (1 - epss(v, di) * weight(di, dn, 30))
//
// dates(d0, dn, 30) is d0 and every 30th day after it up to dn; weight(di, dn, 30) is the number of days from di to dn,
// both included and at most 30, divided by 30. An EPSS score covers the next 30 days, so each 30-day window counts
// once. NIST describes the result as a lower bound with an unknown margin of error.
import { addDays, countDays } from './days.ts'

const WINDOW_DAYS = 30
const DECIMALS = 5

interface ScoredDay {
  readonly date: string
  readonly score: number
  readonly model: string | null
}

export interface Lev {
  readonly score: number
  /** First and last day with a score: d0 and dn of the equation. */
  readonly from: string
  readonly to: string
  /** Number of days, including the first and the last. */
  readonly days: number
  /** True if scores from different EPSS models are combined. */
  readonly spans_model_change: boolean
}

/** A few days of scores say little about a period, and their LEV would look like a finding (decision E35). */
export const MIN_LEV_DAYS = 30

/** Why there is no LEV, as explained to callers. */
export const NO_LEV_REASONS = {
  exploited: 'The CVE is known to be exploited, so there is nothing to estimate.',
  too_few_scores: `The window has fewer than ${MIN_LEV_DAYS} days with a score.`,
} as const

export type NoLevReason = keyof typeof NO_LEV_REASONS

export function findNoLevReason(series: readonly ScoredDay[], isExploited: boolean): NoLevReason | null {
  if (isExploited) return 'exploited'
  return series.length < MIN_LEV_DAYS ? 'too_few_scores' : null
}

/** `series` starts with the oldest day. A day without a score uses the last score before it. */
export function computeLev(series: readonly ScoredDay[]): Lev | null {
  const [first, last] = [series[0], series.at(-1)]
  if (!first || !last) return null
  let notExploited = 1
  let index = 0
  for (let day = first.date; day <= last.date; day = addDays(day, WINDOW_DAYS)) {
    while ((series[index + 1]?.date ?? '9999') <= day) index += 1
    const weight = Math.min(WINDOW_DAYS, countDays(day, last.date) + 1) / WINDOW_DAYS
    notExploited *= 1 - (series[index]?.score ?? 0) * weight
  }
  return {
    score: Number((1 - notExploited).toFixed(DECIMALS)),
    from: first.date,
    to: last.date,
    days: countDays(first.date, last.date) + 1,
    spans_model_change: series.some(({ model }) => model !== first.model),
  }
}
