// This month's credits. Browsing the console costs none.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../../data/queries.ts'
import { Panel } from '../../kit/panel.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { formatDay, formatNumber } from '../../text/format.ts'

export function Credits() {
  const query = useQuery(usageQuery)
  return (
    <Panel
      title="Credits left"
      actions={
        <Link to="/usage" className="text-sm text-accent hover:underline">
          Usage
        </Link>
      }
    >
      <QueryState query={query} label="Loading the credits" lines={2}>
        {({ credits_limit, credits_remaining, percentage_used, reset_at }) => (
          <>
            <p>
              <span className="text-2xl font-semibold tracking-tight">{formatNumber(credits_remaining)}</span>
              <span className="ml-1.5 text-sm text-ink-2">of {formatNumber(credits_limit)}</span>
            </p>
            <progress
              aria-label="Share of the credits that is used"
              max={100}
              value={Math.min(100, percentage_used)}
              className="mt-1 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-soft [&::-webkit-progress-value]:bg-accent"
            />
            <p className="mt-1.5 text-xs text-ink-3">
              Renewed on {formatDay(reset_at)}. Reading in the console costs no credits.
            </p>
          </>
        )}
      </QueryState>
    </Panel>
  )
}
