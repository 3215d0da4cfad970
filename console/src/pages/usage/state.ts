// The state of the usage page, kept in its address: `?month=2026-08&by=key`.
import { readMonth } from '../../text/months.ts'
import { GROUPINGS, type Grouping } from './grouping.ts'

export interface UsageState {
  /** The month that was chosen; undefined for the current month. */
  readonly month: string | undefined
  readonly grouping: Grouping
}

export function parseState(search: Readonly<Record<string, unknown>>): UsageState {
  return {
    month: readMonth(search['month']),
    grouping: GROUPINGS.find((each) => each === search['by']) ?? 'endpoint',
  }
}

/** Converts a state to a query string. The current month and the first grouping are left out. */
export function toSearch({ month, grouping }: UsageState): Readonly<Record<string, string>> {
  return { ...(month ? { month } : {}), ...(grouping === 'endpoint' ? {} : { by: grouping }) }
}
