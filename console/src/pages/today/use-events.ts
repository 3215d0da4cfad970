import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MAX_ROW_IDS, type RowFacts, useRowFacts } from '../../data/row-facts.ts'
import type { Week } from './model/weeks.ts'
import { eventsQuery, type WeekEvents } from './queries.ts'
import { type Seen, useSeen } from './use-seen.ts'

export interface EventsRead {
  readonly query: UseQueryResult<WeekEvents>
  readonly facts: ReadonlyMap<string, RowFacts> | undefined
  /** Undefined for a week before the newest one: the marker is about its events only. */
  readonly seen: Seen | undefined
  /** Whether a part that decides how high the list is has not arrived: the events, the names in the rows, or the marker. */
  readonly isReading: boolean
}

export function useEvents(week: Week, isNewest: boolean): EventsRead {
  const query = useQuery(eventsQuery(week))
  const { events } = query.data ?? {}
  const { facts, isReading } = useRowFacts(
    useMemo(() => events?.slice(0, MAX_ROW_IDS).map(({ cveId }) => cveId) ?? [], [events]),
  )
  const seen = useSeen(isNewest ? query.data?.reaches : undefined)
  return {
    query,
    facts,
    seen: isNewest ? seen : undefined,
    isReading: query.isPending || isReading || (isNewest && seen.isReading),
  }
}
