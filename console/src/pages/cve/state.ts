// The page state in its address: the open tab, the period of the EPSS chart, and the day for which the record is shown.
import { DAY_MS, readDay, toDay } from '../../text/days.ts'

/** Tabs in their order, with their labels. */
export const TABS = {
  fix: 'Fix',
  exploits: 'Exploits',
  sources: 'Sources',
  references: 'References',
  history: 'History',
} as const

export type TabName = keyof typeof TABS

/** Periods of the chart with their labels and lengths. The service returns at most five years. */
export const PERIODS = {
  '90d': ['90 days', 90],
  '1y': ['1 year', 365],
  '5y': ['5 years', 5 * 365],
} as const satisfies Readonly<Record<string, readonly [words: string, days: number]>>

export type Period = keyof typeof PERIODS

const DEFAULT_TAB: TabName = 'fix'
export const DEFAULT_PERIOD: Period = '90d'

export interface CveState {
  readonly tab: TabName
  readonly period: Period
  /** Day whose record is shown next to today's; undefined if none was chosen. */
  readonly asOf: string | undefined
  /** Whether the matrix of sources has only the values on which they differ. */
  readonly onlyDifferences: boolean
}

export function parseState({ tab, epss, as_of, differ }: Readonly<Record<string, unknown>>): CveState {
  return {
    tab: isKeyOf(TABS, tab) ? tab : DEFAULT_TAB,
    period: isKeyOf(PERIODS, epss) ? epss : DEFAULT_PERIOD,
    asOf: typeof as_of === 'string' ? readDay(as_of) : undefined,
    onlyDifferences: differ === 'true',
  }
}

/** Converts the state to a query string. Default values are left out. */
export function toSearch({ tab, period, asOf, onlyDifferences }: CveState): Readonly<Record<string, string>> {
  return {
    ...(tab === DEFAULT_TAB ? {} : { tab }),
    ...(period === DEFAULT_PERIOD ? {} : { epss: period }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(onlyDifferences ? { differ: 'true' } : {}),
  }
}

/** Returns the first day of a period that ends today. */
export function findFirstDay(period: Period, now: Date): string {
  const [, days] = PERIODS[period]
  return toDay(new Date(now.getTime() - days * DAY_MS))
}

function isKeyOf<Key extends string>(table: Readonly<Record<Key, unknown>>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(table, value)
}
