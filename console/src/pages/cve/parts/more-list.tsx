// Shows the first items of a long list and a button for more, so that a record with thousands of items stays usable.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../kit/controls/button.tsx'
import { formatNumber } from '../../../text/format.ts'

interface MoreListProps<Item> {
  readonly items: readonly Item[]
  /** Number of items shown initially. */
  readonly first: number
  /** Number of items that each press of the button adds. */
  readonly step?: number
  /** Plural noun for the items, such as "references". */
  readonly noun: string
  readonly children: (shown: readonly Item[]) => ReactNode
}

export function MoreList<Item>({ items, first, step = 100, noun, children }: MoreListProps<Item>) {
  const [limit, setLimit] = useState(first)
  const left = items.length - limit
  return (
    <>
      {children(items.slice(0, limit))}
      {left > 0 && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-xs text-ink-2">
          <Button className="print:hidden" onClick={() => setLimit(limit + step)}>
            Show {formatNumber(Math.min(step, left))} more
          </Button>
          <span role="status">
            {formatNumber(limit)} of {formatNumber(items.length)} {noun}
          </span>
        </p>
      )}
    </>
  )
}
