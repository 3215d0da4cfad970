// The cache for all reads. A 401 from any read leads to the sign-in page.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isVisError } from 'vis-sdk'
import { sessionQuery } from './queries.ts'
import { computeRetryDelayMs, shouldRetry } from './retry.ts'

/** The catalog changes every few minutes. */
const FRESH_MS = 60_000
/** Loaded list pages stay in memory for half an hour, so that "back" finds them. */
const KEPT_MS = 30 * 60_000

/** Creates the cache. `onSignedOut` is called when the service answers 401. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isVisError(error) && error.status === 401) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.['isPublic'] !== true) onError(error)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        if (mutation.meta?.['isPublic'] !== true) onError(error)
      },
    }),
    defaultOptions: {
      // In a closed network, a browser may report that it is offline although it can reach the service.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        retry: shouldRetry,
        retryDelay: computeRetryDelayMs,
        refetchOnWindowFocus: false,
      },
    },
  })
}

/** Removes all of the account's data from the page, and reloads the session if the page shows it. */
export async function dropAccountData(queryClient: QueryClient): Promise<void> {
  queryClient.getMutationCache().clear()
  queryClient.removeQueries({ predicate: ({ queryKey: [name] }) => name !== sessionQuery.queryKey[0] })
  // `queryClient.clear()` would cancel a running read of the session without starting another one.
  await queryClient.resetQueries({ queryKey: sessionQuery.queryKey })
}
