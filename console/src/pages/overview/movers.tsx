// The CVEs whose EPSS score rose most within a week.
import { useQuery } from '@tanstack/react-query'
import { Panel } from '../../kit/panel.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { MoversTable } from './movers-table.tsx'
import { moversQuery } from './queries.ts'

export function MoversPanel() {
  const query = useQuery(moversQuery)
  const { from, to } = query.data?.window ?? {}
  return (
    <Panel
      title="EPSS movers"
      note={from && to ? `largest rises, ${from} to ${to}` : 'largest rises within 7 days'}
      isFlush
    >
      <QueryState query={query} label="Loading the EPSS movers" lines={8}>
        {({ window, items }) => <MoversTable window={window} items={items} />}
      </QueryState>
    </Panel>
  )
}
