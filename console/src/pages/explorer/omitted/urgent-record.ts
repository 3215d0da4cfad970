// What a list of the CVEs that became urgent cannot know: their levels before the service began to record changes.
import { useQuery } from '@tanstack/react-query'
import { urgentQuery } from '../../../data/urgent-query.ts'
import type { ExplorerState } from '../state.ts'
import { describeUrgentRecord } from './omissions.ts'

/**
 * Returns a sentence about the days of the filter that were not recorded; undefined if all of them were, or if the list
 * does not depend on them.
 */
export function useUrgentRecord({ filters }: ExplorerState): string | undefined {
  const after = filters.became_urgent_after
  const { data } = useQuery({ ...urgentQuery, enabled: after !== undefined })
  return after === undefined || !data ? undefined : describeUrgentRecord(after, data.complete_since)
}
