// How many CVEs became urgent per day, and since when the service records it. Two pages read it: Today, and a list of the
// CVEs that became urgent.
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** Statistics change when feeds are imported. Each read counts, so going back and forth reads them only once. */
export const STATISTICS_MS = 10 * 60_000

export const urgentQuery = queryOptions({
  queryKey: ['stats', 'became_urgent'],
  queryFn: ({ signal }) => client.statsSeries('became_urgent', { by: 'priority', signal }),
  staleTime: STATISTICS_MS,
})
