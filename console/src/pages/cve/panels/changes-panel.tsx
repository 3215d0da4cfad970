// Changes to a CVE since the service began to keep its change log, newest first.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../../../kit/controls/button.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { ErrorState } from '../../../kit/states/error-state.tsx'
import { QueryState } from '../../../kit/states/query-state.tsx'
import { WhenInSight } from '../../../kit/when-in-sight.tsx'
import { changesQuery } from '../queries.ts'
import { ChangeList } from './change-list.tsx'

export function ChangesPanel({ id }: { readonly id: string }) {
  return (
    <Panel title="Changes" note="newest first">
      <WhenInSight height={96}>
        <Changes id={id} />
      </WhenInSight>
    </Panel>
  )
}

function Changes({ id }: { readonly id: string }) {
  const query = useInfiniteQuery(changesQuery(id))
  const { hasNextPage, isFetchingNextPage, fetchNextPage, error } = query
  return (
    <QueryState query={query} label="Loading the changes" lines={4}>
      {({ pages }) => (
        <>
          <ChangeList changes={pages.flatMap(({ items }) => items)} since={pages[0]?.completeSince} />
          {hasNextPage && (
            <Button className="mt-2" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {isFetchingNextPage ? 'Loading' : 'Show earlier changes'}
            </Button>
          )}
          {error && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
        </>
      )}
    </QueryState>
  )
}
