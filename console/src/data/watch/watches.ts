// The watches of the account, and the calls that change them.
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { DescribedWatch, NewWatch, Watch, WatchUpdate } from 'vis-sdk'
import { client } from '../client.ts'
import { viewsQuery } from '../views.ts'

export const WATCHES_KEY = 'watches'
/** Most watches that the service counts in one call. */
const PAGE_SIZE = 25

/** The watches with the number of CVEs that each matches now. */
export const watchesQuery = (team: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [WATCHES_KEY, 'counted', team ?? ''],
    queryFn: ({ pageParam, signal }) =>
      client.watchPage({
        counts: true,
        limit: PAGE_SIZE,
        ...(team === undefined ? {} : { team }),
        ...(pageParam === undefined ? {} : { after: pageParam }),
        signal,
      }),
    // The cast sets the type of the cursor; undefined is the beginning of the list.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination: { hasMore, nextCursor } }) => (hasMore ? nextCursor : undefined),
  })

/** Most watches that one call lists. */
const MAX_LISTED = 200

/** Names, teams and searches, without counts, and what the person may do. */
export const watchNamesQuery = queryOptions({
  queryKey: [WATCHES_KEY, 'names'],
  queryFn: ({ signal }) => client.watchPage({ limit: MAX_LISTED, signal }),
})

type WatchChange =
  | { readonly kind: 'create'; readonly watch: NewWatch }
  | { readonly kind: 'change'; readonly id: string; readonly update: WatchUpdate }
  | { readonly kind: 'snooze'; readonly id: string; readonly until: string | undefined }
  | { readonly kind: 'remove'; readonly watch: Pick<Watch, 'id' | 'revision'>; readonly keepsView: boolean }

/** Changes a watch and reads the watches again. The result is undefined after a removal. */
export function useWatchChange() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (change: WatchChange): Promise<DescribedWatch | undefined> => {
      switch (change.kind) {
        case 'create':
          return client.createWatch(change.watch)
        case 'change':
          return client.changeWatch(change.id, change.update)
        case 'snooze':
          return client.snoozeWatch(change.id, change.until)
        case 'remove': {
          const { id, revision } = change.watch
          await client.removeWatch(id, { revision, keep_view: change.keepsView })
          return undefined
        }
      }
    },
    // Also after a failure: a colleague may have changed the watch. A watch is a view, so the views change with it.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: [WATCHES_KEY] }),
        queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: ['unread'] }),
      ]),
  })
}
