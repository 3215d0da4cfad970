// Reads the changes of a week and counts all changes in it.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Change, ChangeSummary } from 'vis-sdk'
import { readChanges } from '../../data/change-window.ts'
import { client } from '../../data/client.ts'
import { shiftDay } from '../../text/months.ts'
import { type ChangesState, toFilters, toSearch } from './state.ts'

/** The most that one call returns. */
const PAGE_SIZE = 500

export interface Week {
  readonly from: string
  readonly to: string
}

interface ChangePage {
  readonly changes: readonly Change[]
  /** Time since which the log has every change, if that is later than the beginning of the week. */
  readonly begins: string | undefined
  /** Where to continue; undefined at the end of the week. */
  readonly next: string | undefined
}

export function changesQuery(week: Week, state: ChangesState) {
  return infiniteQueryOptions({
    queryKey: ['changes', 'week', week.from, week.to, { ...toSearch(state), week: '' }],
    queryFn: async ({ pageParam, signal }): Promise<ChangePage> => {
      const read = await readChanges(pageParam, { ...toFilters(state), limit: PAGE_SIZE }, signal)
      const end = shiftDay(week.to, 1)
      const changes = read.changes.filter(({ recorded_at }) => recorded_at < end)
      const isOver = changes.length < read.changes.length
      return { changes, begins: read.begins, next: isOver ? undefined : read.next }
    },
    initialPageParam: week.from,
    getNextPageParam: ({ next }) => next,
  })
}

export type Counts = Pick<ChangeSummary, 'by_type' | 'by_cause'>

/** Counts all changes of the week, of every cause; null if they are too many for one call. */
export function countsQuery(week: Week, isNewest: boolean) {
  return queryOptions({
    queryKey: ['changes', 'counts', week.from, week.to],
    queryFn: async ({ signal }): Promise<Counts | null> => {
      const [all, later] = await Promise.all([
        client.changeSummary(week.from, { signal }),
        // A count ends at a position of the log, not at a time, so the changes after a past week are counted, too.
        isNewest ? undefined : client.changeSummary(shiftDay(week.to, 1), { signal }),
      ])
      if (all.has_more || later?.has_more) return null
      return {
        by_type: subtract(all.by_type, later?.by_type ?? {}),
        by_cause: subtract(all.by_cause, later?.by_cause ?? {}),
      }
    },
  })
}

function subtract<Members extends Readonly<Record<string, number | undefined>>>(
  all: Members,
  later: Readonly<Record<string, number | undefined>>,
): Members {
  // The cast is safe: the result has the members of the first argument.
  return Object.fromEntries(
    Object.entries(all).map(([name, count]) => [name, (count ?? 0) - (later[name] ?? 0)]),
  ) as Members
}
