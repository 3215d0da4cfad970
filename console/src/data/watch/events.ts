// The events of the account: what its watches told, and how far the signed-in member has read them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { WatchKind } from 'vis-sdk'
import { client } from '../client.ts'

const PAGE_SIZE = 50

export interface EventChoice {
  readonly watch: string | undefined
  readonly team: string | undefined
  readonly on: readonly WatchKind[]
  /** Only muted events, or only others; undefined for both. */
  readonly muted: boolean | undefined
}

/** The events, newest first. */
export const eventsQuery = ({ watch, team, on, muted }: EventChoice) =>
  infiniteQueryOptions({
    queryKey: ['events', watch ?? '', team ?? '', on.join(), muted ?? ''],
    queryFn: ({ pageParam, signal }) =>
      client.events({
        before: pageParam,
        limit: PAGE_SIZE,
        ...(watch === undefined ? {} : { watch }),
        ...(team === undefined ? {} : { team }),
        ...(on.length === 0 ? {} : { on: [...on] }),
        ...(muted === undefined ? {} : { muted }),
        signal,
      }),
    initialPageParam: 'now',
    getNextPageParam: ({ next_before: next }) => next ?? undefined,
    // What was loaded stays: the page says that there is more, and the person asks for it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** How far the member has read, for the number in the navigation. */
export const unreadQuery = queryOptions({
  queryKey: ['unread'],
  queryFn: async ({ signal }) => (await client.ownMember({ signal })).seen_events ?? null,
  staleTime: 5 * 60_000,
})
