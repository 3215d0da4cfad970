// Connects the page to its address and to the service.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Watch } from 'vis-sdk'
import { useWatchChange, watchesQuery, watchNamesQuery } from '../../data/watch/watches.ts'
import type { OpenDialog } from './open-dialog.ts'
import { parseState, type WatchesState } from './state.ts'
import type { WatchAction } from './watch-table.tsx'

export function useWatchesPage() {
  const state = parseState(useSearch({ strict: false }))
  const navigate = useNavigate()
  const query = useInfiniteQuery(watchesQuery(state.team))
  const names = useQuery(watchNamesQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const [message, setMessage] = useState('')
  const quick = useWatchChange()
  const first = query.data?.pages[0]
  const show = (next: Partial<WatchesState>) => {
    const entries = Object.entries({ ...state, ...next }).filter(([, value]) => value !== undefined)
    void navigate({ to: '/watches', search: Object.fromEntries(entries), replace: true, resetScroll: false })
  }
  const act = (action: WatchAction, watch: Watch) => {
    const { id, revision } = watch
    setMessage('')
    if (action === 'explain') show({ ask: id })
    else if (action === 'wake') quick.mutate({ kind: 'snooze', id, until: undefined })
    else if (action === 'pause' || action === 'resume')
      quick.mutate({ kind: 'change', id, update: { revision, paused: action === 'pause' } })
    else setDialog({ kind: action, watch })
  }
  return {
    state,
    show,
    query,
    first,
    watches: query.data?.pages.flatMap((page) => page.watches) ?? [],
    names: names.data?.watches ?? [],
    mayChange: first?.rights.saves_shared ?? false,
    dialog,
    setDialog,
    act,
    error: quick.error,
    /** What was done. */
    message,
    finish: (text: string) => {
      setDialog(undefined)
      setMessage(text)
    },
  }
}
