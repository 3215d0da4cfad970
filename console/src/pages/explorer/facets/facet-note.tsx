// The line above the filters: which CVEs the numbers count, or why there are none.
import { isVisError } from 'vis-sdk'
import { RateLimitedLine } from '../../../kit/states/rate-limited.tsx'
import { formatNumber } from '../../../text/format.ts'
import type { FacetReads } from './use-facets.ts'

export function FacetNote({ facets }: { readonly facets: FacetReads }) {
  return (
    <div role="status" className="min-h-4.5 text-xs text-ink-2">
      {describe(facets)}
    </div>
  )
}

function describe({ error, total, isReading, retry }: FacetReads) {
  if (isVisError(error) && error.status === 429) {
    return (
      <RateLimitedLine
        key={error.correlationId}
        retryAfter={error.retryAfter}
        message="Too many reads: there are no counts for now."
        onRetry={retry}
      />
    )
  }
  if (error) {
    return (
      <>
        Counts could not be read.{' '}
        <button type="button" onClick={retry} className="rounded text-accent underline underline-offset-2">
          Read the counts again
        </button>
      </>
    )
  }
  if (isReading) return 'Counting …'
  if (total === 0) return 'No CVE matches'
  return total === undefined ? 'Counts by the other filters' : `Counts of all ${formatNumber(total)}`
}
