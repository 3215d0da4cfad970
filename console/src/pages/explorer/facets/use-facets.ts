// The counts of the visible facets. A facet that is scrolled out of view, or whose panel is closed, is not read.
import { keepPreviousData, queryOptions, useQueries } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { FacetFilters } from 'vis-sdk'
import { FACET_NAMES, type FacetName } from '../../../text/search/facet-specs.ts'
import type { ExplorerState } from '../state.ts'
import { ignoresFilter, listFacetFilters } from './facet-filters.ts'
import { type FacetCounts, readFacet } from './read-facet.ts'

/** Age at which counts are read again, the same as for the list next to them. */
const STALE_MS = 10 * 60_000

interface ShownCounts extends FacetCounts {
  /** Whether the counts still belong to the previous filters, because those for the new ones have not arrived yet. */
  readonly isOutdated: boolean
}

export interface FacetReads {
  /** Returns the counts of a facet, or undefined if there are none yet. */
  readonly get: (name: FacetName) => ShownCounts | undefined
  /** Called by each element that shows a facet when it enters or leaves the view. */
  readonly onSight: (place: string, name: FacetName, isInSight: boolean) => void
  /** Number of CVEs that match all filters; undefined until a facet that takes part in all of them is counted. */
  readonly total: number | undefined
  readonly isReading: boolean
  readonly error: unknown
  /** Retries the facets that could not be read. */
  readonly retry: () => void
}

export function useFacets(state: ExplorerState): FacetReads {
  const [places, setPlaces] = useState<readonly string[]>([])
  const onSight = useCallback((place: string, name: FacetName, isInSight: boolean) => {
    const entry = `${place} ${name}`
    setPlaces((before) => [...before.filter((each) => each !== entry), ...(isInSight ? [entry] : [])])
  }, [])
  const results = useQueries({
    queries: FACET_NAMES.map((name) => ({
      ...facetQuery(name, listFacetFilters(state, name)),
      enabled: places.some((each) => each.endsWith(` ${name}`)),
    })),
  })
  const inSight = results.filter((_, index) => places.some((each) => each.endsWith(` ${FACET_NAMES[index]}`)))
  const all = results.find(({ data, isPlaceholderData }, index) => {
    const name = FACET_NAMES[index]
    return data && !isPlaceholderData && name && !ignoresFilter(state, name)
  })?.data
  const failed = inSight.filter(({ error }) => error)
  return {
    get: (name) => {
      const { data, isPlaceholderData } = results[FACET_NAMES.indexOf(name)] ?? {}
      return data && { ...data, isOutdated: isPlaceholderData === true }
    },
    onSight,
    total: all?.total,
    isReading: inSight.some(({ isFetching }) => isFetching),
    error: failed[0]?.error ?? undefined,
    retry: () => {
      for (const { refetch } of failed) void refetch()
    },
  }
}

export function facetQuery(name: FacetName, filters: FacetFilters) {
  return queryOptions({
    queryKey: ['facet', name, filters],
    queryFn: ({ signal }) => readFacet(name, filters, signal),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    refetchOnReconnect: false,
  })
}
