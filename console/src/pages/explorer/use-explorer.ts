// Connects the list to the page's address and to the service.
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { View, ViewList } from 'vis-sdk'
import { client } from '../../data/client.ts'
import { viewsQuery } from '../../data/views.ts'
import { toRequest } from './request.ts'
import type { Row } from './row.ts'
import { type ExplorerState, parseState, toSearch } from './state.ts'
import { differsFromView, readView } from './views/view-state.ts'

export type SetState = (next: ExplorerState, options?: { readonly keepsScroll?: boolean }) => void

/** Age at which a list is read again when the page opens. */
const STALE_MS = 10 * 60_000

interface ExplorerAddress {
  readonly state: ExplorerState
  readonly setState: SetState
  /** The view in the address, also if the list was changed since. */
  readonly view: View | undefined
  /** Undefined until the views are loaded. */
  readonly views: ViewList | undefined
  /** False while the address names a view that is not loaded yet. */
  readonly isKnown: boolean
}

/**
 * Returns the state in the address and a function that changes it. An address with the id of a view alone stands for
 * what the view finds today. An open preview stays open.
 */
export function useExplorerState(): ExplorerAddress {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data: views, isPending } = useQuery(viewsQuery)
  const { view: viewId, preview: _, ...parameters } = search
  const view = viewId === undefined ? undefined : views?.views.find(({ id }) => id === viewId)
  const isAsSaved = viewId !== undefined && Object.keys(parameters).length === 0
  const state = useMemo(() => (isAsSaved && view ? readView(view) : parseState(search)), [isAsSaved, view, search])
  const preview = parsePreview(search)
  const setState: SetState = (next, { keepsScroll = false } = {}) =>
    void navigate({
      to: '/cves',
      search: { ...toAddress(next, view), ...(preview === undefined ? {} : { preview }) },
      resetScroll: !keepsScroll,
    })
  return { state, setState, view, views, isKnown: !isAsSaved || !isPending }
}

/** The id of the view stays in the address after a change, so that the view can be changed or left. */
function toAddress(state: ExplorerState, view: View | undefined): Readonly<Record<string, string>> {
  if (view && !differsFromView(state, view)) return { view: view.id }
  const search = toSearch(state)
  // Without a parameter of its own, the address would stand for the view itself.
  return view && Object.keys(search).length > 0 ? { ...search, view: view.id } : search
}

interface CurrentRow {
  /** Position of the row that keys act on; -1 if there is none. */
  readonly index: number
  readonly setIndex: (index: number) => void
  /** The CVE in the preview; undefined if the preview is closed. */
  readonly preview: Row | undefined
  readonly setPreview: (isOpen: boolean) => void
  /** Whether the preview is open, also before the rows are loaded. */
  readonly isOpen: boolean
}

/** The current row. The preview, which shows it, is part of the address: "back" from a CVE opens it again. */
export function useCurrentRow(rows: readonly Row[]): CurrentRow {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const [currentId, setCurrentId] = useState<string>()
  const previewId = parsePreview(search)
  const isOpen = previewId !== undefined
  const show = (preview: string | undefined) =>
    void navigate({
      to: '/cves',
      search: (others: Readonly<Record<string, string>>) => {
        const next = new Map(Object.entries(others))
        if (preview === undefined) next.delete('preview')
        else next.set('preview', preview)
        return Object.fromEntries(next)
      },
      replace: true,
      resetScroll: false,
    })
  const found = rows.findIndex(({ cve_id }) => cve_id === (previewId ?? currentId))
  // A new search may not find the CVE in the preview.
  const index = isOpen ? Math.max(0, found) : found
  return {
    index,
    setIndex: (next) => {
      const id = rows[next]?.cve_id
      setCurrentId(id)
      if (isOpen && id !== undefined && id !== previewId) show(id)
    },
    preview: isOpen ? rows[index] : undefined,
    setPreview: (opens) => {
      setCurrentId(rows[index]?.cve_id)
      show(opens ? rows[Math.max(0, index)]?.cve_id : undefined)
    },
    isOpen,
  }
}

function parsePreview({ preview }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof preview === 'string' && CVE_ID.test(preview) ? preview : undefined
}

const CVE_ID = /^CVE-\d{4}-\d{4,19}$/

/** Loads the list page by page. The rows of the last search stay until those of the new one arrive. */
export function useCves(state: ExplorerState, isKnown: boolean) {
  const query = useInfiniteQuery({ ...cvesQuery(state), enabled: isKnown })
  // The cast is safe: ROW_FIELDS contains cve_id.
  const rows = useMemo(
    (): readonly Row[] => query.data?.pages.flatMap(({ items }) => items as readonly Row[]) ?? [],
    [query.data],
  )
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
