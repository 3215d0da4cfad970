// How far the signed-in member has read the change log. The marker moves when the member says so, and when the page is left.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { client, leavingClient } from '../../data/client.ts'
import { useSession } from '../../data/use-session.ts'

/**
 * Read once: while the console stays open, the marker stays where it was, so that a person can look at one new CVE after
 * the other. The service already has the position that the next visit starts from.
 */
const ownMemberQuery = queryOptions({
  queryKey: ['own-member'],
  queryFn: ({ signal }) => client.ownMember({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export interface Seen {
  /** Position up to which the member has seen the log; undefined on a first visit, and for a session opened with a key. */
  readonly position: string | undefined
  /** When the member left the page last. */
  readonly at: string | undefined
  /** Marks everything that is shown as seen. */
  readonly markAll: () => void
  readonly isMarking: boolean
  /** Whether the position is still being read. False as soon as the first try has failed. */
  readonly isReading: boolean
  readonly hasFailed: boolean
}

/** `reaches` is the position of the newest change that the page shows. */
export function useSeen(reaches: string | undefined): Seen {
  const isMember = Boolean(useSession()?.member)
  const { data, isLoading, failureCount } = useQuery({ ...ownMemberQuery, enabled: isMember })
  const queryClient = useQueryClient()
  const mark = useMutation({
    mutationFn: (position: string) => client.markSeen(position),
    onSuccess: (member) => queryClient.setQueryData(ownMemberQuery.queryKey, member),
  })
  useMarkOnLeave(isMember, reaches)
  return {
    position: data?.seen?.position,
    at: data?.seen?.seen_at,
    markAll: () => reaches !== undefined && mark.mutate(reaches),
    isMarking: mark.isPending,
    isReading: isLoading && failureCount === 0,
    hasFailed: mark.isError,
  }
}

function useMarkOnLeave(isMember: boolean, reaches: string | undefined): void {
  const shown = useRef(reaches)
  useEffect(() => {
    shown.current = reaches ?? shown.current
  }, [reaches])
  useEffect(() => {
    if (!isMember) return
    const leave = () => {
      // The person has left, so nobody could act on a failure: the same rows are new next time.
      if (shown.current !== undefined) leavingClient.markSeen(shown.current).catch(() => {})
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [isMember])
}
