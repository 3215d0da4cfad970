// Below the list: how many rows are loaded, a button for more, and the keys.
import type { Sort } from 'vis-sdk'
import { Button } from '../../../kit/controls/button.tsx'
import { ErrorState } from '../../../kit/states/error-state.tsx'
import { formatNumber, formatTimeAgo } from '../../../text/format.ts'
import { PAGE_SIZE } from '../request.ts'
import { describeTotal, type Total } from '../total.ts'
import type { useCves } from '../use-explorer.ts'

/** Sort orders whose name needs an explanation. */
const SORT_EXPLANATIONS: Readonly<Partial<Record<Sort, string>>> = {
  level_desc:
    'Within a level, the CVE comes first to which something happened last: its publication, its addition to a KEV catalog, or that it became P0 or P1.',
  priority_desc:
    'Within a level, CVEs used in ransomware campaigns come first, then those whose exploitation can be automated, then those that give total control, then those with a higher score.',
  relevance:
    'A CVE whose id you search for comes first, then CVEs with a well-known name that has the words, then CVEs of products and vendors with such names, then all others.',
}

interface ListFooterProps {
  readonly list: Omit<ReturnType<typeof useCves>, 'rows'> & { readonly rows: readonly unknown[] }
  readonly total: Total | undefined
  readonly sort: Sort
}

export function ListFooter({ list, total, sort }: ListFooterProps) {
  const explanation = SORT_EXPLANATIONS[sort]
  const { rows, error, hasNextPage, isFetchingNextPage, fetchNextPage, dataUpdatedAt } = list
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        {hasNextPage && (
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            {isFetchingNextPage ? 'Loading' : `Load ${PAGE_SIZE} more`}
          </Button>
        )}
        <p role="status" className="text-xs text-ink-2">
          {`${formatNumber(rows.length)} of ${total ? describeTotal(total) : formatNumber(rows.length)} loaded`}
        </p>
        {/* Both times come from the browser's clock, which may differ from the service's. */}
        <p className="text-xs text-ink-2">
          {`as of ${formatTimeAgo(new Date(dataUpdatedAt).toISOString(), new Date())}`}
        </p>
        <Keys />
      </div>
      {explanation && <p className="mt-1 text-xs text-ink-2">{explanation}</p>}
      {error && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
    </div>
  )
}

const KEYS = [
  [['j', 'k'], 'move'],
  [['Space'], 'preview'],
  [['o'], 'open'],
  [['x'], 'choose'],
  [['s'], 'state'],
] as const

function Keys() {
  return (
    <p className="ml-auto hidden flex-wrap gap-x-3.5 gap-y-1 text-xs text-ink-3 md:flex">
      {KEYS.map(([keys, words]) => (
        <span key={words} className="inline-flex items-center gap-1">
          {keys.map((key) => (
            <kbd key={key} className="rounded border border-line bg-panel px-1 font-mono text-2xs text-ink-2">
              {key}
            </kbd>
          ))}
          {words}
        </span>
      ))}
    </p>
  )
}
