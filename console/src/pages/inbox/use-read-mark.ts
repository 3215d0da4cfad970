// How far the signed-in member has read the events. The mark moves when the person says so, and when the page was left:
// while the page is open, what was unread keeps its dot.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { client, leavingClient } from '../../data/client.ts'
import { useSession } from '../../data/use-session.ts'
import { unreadQuery } from '../../data/watch/events.ts'

const readMarkQuery = queryOptions({
  queryKey: ['read-mark'],
  queryFn: async ({ signal }) => (await client.ownMember({ signal })).seen_events ?? null,
  staleTime: Number.POSITIVE_INFINITY,
  // The next visit reads it again.
  gcTime: 0,
})

export interface ReadMark {
  /** Number of the newest event that the member has read; undefined for a session that was opened with a key. */
  readonly nr: number | undefined
  readonly isLoading: boolean
  /** Marks the event and all older ones as read. */
  readonly markUpTo: (nr: number) => void
  readonly isMarking: boolean
  readonly error: unknown
}

/** `newest` is the number of the newest event that the page shows. */
export function useReadMark(newest: number | undefined): ReadMark {
  const isMember = Boolean(useSession()?.member)
  const queryClient = useQueryClient()
  const { data, isPending } = useQuery({ ...readMarkQuery, enabled: isMember })
  const mark = useMutation({
    mutationFn: (nr: number) => client.markSeen({ events: nr }),
    onSuccess: ({ seen_events: events = null }) => {
      queryClient.setQueryData(readMarkQuery.queryKey, events)
      queryClient.setQueryData(unreadQuery.queryKey, events)
    },
  })
  useMarkOnLeave(isMember, newest)
  return {
    nr: data?.seen_nr,
    isLoading: isMember && isPending,
    markUpTo: (nr) => mark.mutate(nr),
    isMarking: mark.isPending,
    error: mark.error,
  }
}

function useMarkOnLeave(isMember: boolean, newest: number | undefined): void {
  const queryClient = useQueryClient()
  const shown = useRef(newest)
  useEffect(() => {
    shown.current = newest ?? shown.current
  }, [newest])
  useEffect(() => {
    if (!isMember) return undefined
    const leave = async () => {
      if (shown.current === undefined) return
      // The person has left, so nobody could act on a failure: the same events are unread next time.
      const own = await leavingClient.markSeen({ events: shown.current }).catch(() => undefined)
      if (own?.seen_events) queryClient.setQueryData(unreadQuery.queryKey, own.seen_events)
    }
    const onPageHide = () => void leave()
    window.addEventListener('pagehide', onPageHide)
    return () => {
      window.removeEventListener('pagehide', onPageHide)
      void leave()
    }
  }, [isMember, queryClient])
}
