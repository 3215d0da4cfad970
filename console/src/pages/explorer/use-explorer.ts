// Connects the list to the page's address and to the service.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { client } from '../../data/client.ts'
import type { Row } from './columns.ts'
import { toRequest } from './request.ts'
import { type ExplorerState, parseState, toSearch } from './state.ts'

export type SetState = (next: ExplorerState, options?: { readonly keepsScroll?: boolean }) => void

/** Age at which a list is read again when the page opens. */
const STALE_MS = 10 * 60_000

/** Returns the state in the address and a function that changes it. */
export function useExplorerState(): readonly [ExplorerState, SetState] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => parseState(search), [search])
  const setState: SetState = (next, { keepsScroll = false } = {}) =>
    void navigate({ to: '/cves', search: toSearch(next), resetScroll: !keepsScroll })
  return [state, setState]
}

/** Loads the list page by page. The rows of the last search stay until those of the new one arrive. */
export function useCves(state: ExplorerState) {
  const query = useInfiniteQuery(cvesQuery(state))
  // The cast is safe: listFields always requests cve_id.
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items as readonly Row[]) ?? [], [query.data])
  const { totalEstimate, unknownNames = [] } = query.data?.pages[0] ?? {}
  return { ...query, rows, totalEstimate, unknownNames }
}

function cvesQuery(state: ExplorerState) {
  const request = toRequest(state)
  return infiniteQueryOptions({
    queryKey: ['cves', request],
    queryFn: ({ pageParam, signal }) =>
      client.search({ ...request, ...(pageParam === undefined ? {} : { after: pageParam }), signal }).page(),
    // The cast sets the type of the cursor; undefined is the beginning of the list.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
    placeholderData: keepPreviousData,
    // A list does not change while a person looks at it. A single-page list is read again when the person returns to it
    // after some minutes. A longer list stays, because the person would lose their position, and shows its age.
    staleTime: STALE_MS,
    refetchOnMount: ({ state: { data } }) => (data?.pages.length ?? 0) <= 1,
    refetchOnReconnect: false,
  })
}
