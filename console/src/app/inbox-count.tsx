// The number of unread events, beside the link to the inbox.
import { type Unread, useUnread } from '../data/watch/use-unread.ts'
import { formatNumber } from '../text/format.ts'

/** A number with more digits takes the place of the word beside it. */
const MAX_SHOWN = 99

export function InboxCount() {
  const unread = useUnread()
  if (unread === undefined || unread.count === 0) return null
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 text-2xs leading-4.5 font-semibold text-accent-ink">
      {formatCount(unread)}
      <span className="sr-only"> unread</span>
    </span>
  )
}

function formatCount({ count }: Unread): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : formatNumber(count)
}
