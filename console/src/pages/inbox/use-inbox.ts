// Connects the inbox to its address and to the service.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { eventsQuery } from '../../data/watch/events.ts'
import { useUnread } from '../../data/watch/use-unread.ts'
import { watchNamesQuery } from '../../data/watch/watches.ts'
import { groupByDay, groupEvents, type InboxItem } from '../../text/watch/events.ts'
import { type InboxState, parseState, toSearch } from './state.ts'
import { type ReadMark, useReadMark } from './use-read-mark.ts'

export type Inbox = ReturnType<typeof useInbox>

export function useInbox() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => parseState(search), [search])
  const { watch, team, on, show } = state
  const muted = show === 'all' ? undefined : show === 'muted'
  const query = useInfiniteQuery(eventsQuery({ watch, team, on, muted }))
  const names = useQuery(watchNamesQuery)
  const unread = useUnread()
  const newest = query.data?.pages[0]?.newest_nr
  const mark = useReadMark(newest)
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.watch_events) ?? [], [query.data])
  const days = useMemo(
    () => groupByDay(groupEvents(events).filter((item) => isShown(item, state, mark))),
    [events, state, mark],
  )
  const items = days.flatMap(([, own]) => own)
  const setState = (next: Partial<InboxState>, { replaces = true } = {}) =>
    void navigate({
      to: '/inbox',
      search: toSearch({ ...state, ...next }),
      replace: replaces,
      resetScroll: false,
    })
  const opened = items.find(({ events: own }) => own.some(({ nr }) => nr === state.event))
  return {
    state,
    setState,
    query,
    mark,
    days,
    items,
    /** The item in the address, which a narrow window shows alone. */
    opened,
    /** The item that a wide window shows beside the list. */
    current: opened ?? items[0],
    watches: names.data?.watches ?? [],
    mayChange: names.data?.rights.saves_shared ?? false,
    /** Events that arrived since the list was read. */
    newerCount: newest === undefined || unread === undefined ? 0 : Math.max(0, unread.newest - newest),
  }
}

export const isUnread = ({ nr, isMuted }: InboxItem, { nr: read }: Pick<ReadMark, 'nr'>): boolean =>
  read !== undefined && nr > read && !isMuted

/** The service chooses by everything else. What is unread is the newest part of the list. */
function isShown(item: InboxItem, { show }: InboxState, mark: ReadMark): boolean {
  return show !== 'unread' || isUnread(item, mark)
}
