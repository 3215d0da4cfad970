// The cache of all reads. A 401 of any read ends in the sign-in page.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isVisError } from 'vis-sdk'
import { computeRetryDelayMs, shouldRetry } from './retry.ts'

/** The catalog changes every few minutes. */
const FRESH_MS = 60_000
/** Loaded pages of a list stay in memory for half an hour, so that "back" finds them. */
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
      queries: {
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        retry: shouldRetry,
        retryDelay: computeRetryDelayMs,
        refetchOnWindowFocus: false,
      },
    },
  })
}
