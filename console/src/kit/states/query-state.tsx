// Shows a read in each of its states: loading, failed, rate limited, or loaded.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { Loading } from './loading.tsx'

interface QueryStateProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** Text that screen readers announce while the data is being loaded, such as `Loading the CVE`. */
  readonly label: string
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}

/** Data that has been loaded stays on the page, even if a later read fails. */
export function QueryState<Data>({ query, label, lines = 4, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <Loading label={label} lines={lines} />
}
