// The first rows of a long list, with a button for more: an SBOM can have 5,000 components.
import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/controls/button.tsx'
import { formatNumber } from '../../text/format.ts'

const FIRST_ROWS = 50
const MORE_ROWS = 200

interface LimitedProps<Item> {
  readonly items: readonly Item[]
  readonly children: (shown: readonly Item[]) => ReactNode
}

export function Limited<Item>({ items, children }: LimitedProps<Item>) {
  const [shown, setShown] = useState(FIRST_ROWS)
  const hidden = items.length - shown
  return (
    <>
      {children(items.slice(0, shown))}
      {hidden > 0 && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2.5 sm:px-4">
          <Button onClick={() => setShown(shown + MORE_ROWS)}>
            {`Show ${formatNumber(Math.min(MORE_ROWS, hidden))} more`}
          </Button>
          <p role="status" className="text-xs text-ink-2">
            {`${formatNumber(shown)} of ${formatNumber(items.length)} shown`}
          </p>
        </div>
      )}
    </>
  )
}
