// The page state in its address: the period of the EPSS chart, and the day for which the record is shown.
import { DAY_MS, readDay, toDay } from '../../text/days.ts'

/** Periods of the chart with their labels and lengths. The service returns at most five years. */
export const PERIODS = {
  '90d': ['90 days', 90],
  '1y': ['1 year', 365],
  '5y': ['5 years', 5 * 365],
} as const satisfies Readonly<Record<string, readonly [words: string, days: number]>>

export type Period = keyof typeof PERIODS

export const DEFAULT_PERIOD: Period = '90d'

export interface CveState {
  readonly period: Period
  /** Day whose record is shown next to today's; undefined if none was chosen. */
  readonly asOf: string | undefined
}

export function parseState({ epss, as_of }: Readonly<Record<string, unknown>>): CveState {
  return {
    period: typeof epss === 'string' && isPeriod(epss) ? epss : DEFAULT_PERIOD,
    asOf: typeof as_of === 'string' ? readDay(as_of) : undefined,
  }
}

/** Converts the state to a query string. Default values are left out. */
export function toSearch({ period, asOf }: CveState): Readonly<Record<string, string>> {
  return {
    ...(period === DEFAULT_PERIOD ? {} : { epss: period }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  }
}

/** Returns the first day of a period that ends today. */
export function findFirstDay(period: Period, now: Date): string {
  const [, days] = PERIODS[period]
  return toDay(new Date(now.getTime() - days * DAY_MS))
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text)
}
