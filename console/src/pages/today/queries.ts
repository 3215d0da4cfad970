// The reads of the page. Those of the statistics have no parameter that depends on the clock, so the start script can send
// them before the console knows the service's time.
import { queryOptions } from '@tanstack/react-query'
import type { KevEntry } from 'vis-sdk'
import { readChanges } from '../../data/change-window.ts'
import { client } from '../../data/client.ts'
import { STATISTICS_MS } from '../../data/urgent-query.ts'
import { type CveEvent, EVENT_TYPES, listEvents } from '../../text/event.ts'
import { shiftDay } from '../../text/months.ts'
import { listKevEvents } from './model/kev-events.ts'

export const kevPerDayQuery = queryOptions({
  queryKey: ['stats', 'kev_added', 'day'],
  queryFn: ({ signal }) => client.statsSeries('kev_added', { by: 'catalog', signal }),
  staleTime: STATISTICS_MS,
})

export const kevPerMonthQuery = queryOptions({
  queryKey: ['stats', 'kev_added', 'month'],
  queryFn: ({ signal }) => client.statsSeries('kev_added', { by: 'ransomware', bucket: 'month', signal }),
  staleTime: STATISTICS_MS,
})

export const exploitQuery = queryOptions({
  queryKey: ['stats', 'exploit_added'],
  queryFn: ({ signal }) => client.statsSeries('exploit_added', { signal }),
  staleTime: STATISTICS_MS,
})

export const unratedQuery = queryOptions({
  queryKey: ['stats', 'unrated'],
  queryFn: ({ signal }) => client.statsSeries('unrated', { signal }),
  staleTime: STATISTICS_MS,
})

/**
 * The present number of CVEs that are not assessed, for a catalog whose history is too short to tell it. It is counted as
 * in the list that the tile opens.
 */
export const unratedNowQuery = queryOptions({
  queryKey: ['facet', 'priority', 'unrated'],
  queryFn: async ({ signal }) => (await client.facets(['priority'], { priority: ['unrated'], signal })).total,
  staleTime: STATISTICS_MS,
})

/** More would be too small for their names. */
const MAX_VENDORS = 12

export type VendorMetric = 'became_urgent' | 'kev_added'

export function vendorsQuery(metric: VendorMetric) {
  return queryOptions({
    queryKey: ['stats', 'vendors', metric],
    queryFn: ({ signal }) => client.statsTop('vendor', metric, { limit: MAX_VENDORS, signal }),
    staleTime: STATISTICS_MS,
  })
}

const MAX_CHANGES = 500
/** More than CISA has ever added within four weeks. */
const MAX_KEV = 100

export interface WeekEvents {
  readonly events: readonly CveEvent[]
  /** Set if the recording began after the first day. */
  readonly begins: string | undefined
  /** Position of the newest change. */
  readonly reaches: string | undefined
  readonly isCut: boolean
}

/** The events of the days from `from` to `to`, one for each CVE that has the level P0 or P1 now. */
export function eventsQuery({ from, to }: { readonly from: string; readonly to: string }) {
  return queryOptions({
    queryKey: ['changes', 'events', from, to],
    queryFn: async ({ signal }): Promise<WeekEvents> => {
      const filters = { types: [...EVENT_TYPES], priority: ['P0', 'P1'], limit: MAX_CHANGES } as const
      const { changes, begins, next, reaches } = await readChanges(
        from,
        { ...filters, priority: [...filters.priority] },
        signal,
      )
      const end = shiftDay(to, 1)
      const own = changes.filter(({ recorded_at }) => recorded_at < end)
      const logged = listEvents(own)
      // Before its first day, the log has nothing: CISA's own dates still say what it added.
      const known = new Set(logged.map(({ cveId }) => cveId))
      const early = begins === undefined ? [] : listKevEvents(await readKev(signal), { from, to: end })
      return {
        events: [...logged, ...early.filter(({ cveId }) => !known.has(cveId))].toSorted(
          (a, b) => b.day.localeCompare(a.day) || b.seq - a.seq,
        ),
        begins,
        reaches,
        isCut: next !== undefined && own.length === changes.length,
      }
    },
  })
}

async function readKev(signal: AbortSignal): Promise<readonly KevEntry[]> {
  return (await client.kev({ limit: MAX_KEV, signal }).page()).items
}
