// What a list of the CVEs that became urgent cannot know: their levels before the service began to record changes.
import { useQuery } from '@tanstack/react-query'
import { urgentQuery } from '../../../data/urgent-query.ts'
import type { ExplorerState } from '../state.ts'
import { describeUrgentRecord } from './omissions.ts'

interface UrgentRecord {
  /** About the days of the filter that were not recorded; undefined if all of them were, or if the list does not depend on them. */
  readonly sentence: string | undefined
  /** False until it is known whether there is a sentence. */
  readonly isKnown: boolean
}

export function useUrgentRecord({ filters }: ExplorerState): UrgentRecord {
  const after = filters.became_urgent_after
  const { data, isPending } = useQuery({ ...urgentQuery, enabled: after !== undefined })
  if (after === undefined) return { sentence: undefined, isKnown: true }
  return { sentence: data && describeUrgentRecord(after, data.complete_since), isKnown: !isPending }
}
