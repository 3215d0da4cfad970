// Changes to a CVE, with their old and new values as text.
import { ArrowRight } from 'lucide-react'
import type { Change } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { cutText } from '../../../kit/upstream-text.tsx'
import {
  describeCause,
  listOtherMembers,
  listTitles,
  listValueChanges,
  type ValueChange,
} from '../../../text/changes.ts'
import { formatDay, formatTime } from '../../../text/format.ts'
import { Missing } from '../parts/missing.tsx'

interface ChangeListProps {
  readonly changes: readonly Change[]
  /** Time since which every change is kept; undefined if unknown. */
  readonly since: string | undefined
}

export function ChangeList({ changes, since }: ChangeListProps) {
  return (
    <>
      {changes.length === 0 ? (
        <Missing>No change of this CVE is kept.</Missing>
      ) : (
        <ol className="text-sm">
          {changes.map((change) => (
            <ChangeItem key={change.seq} change={change} />
          ))}
        </ol>
      )}
      {since && <p className="mt-2 text-xs text-ink-2">All changes since {formatTime(since)} are kept.</p>}
    </>
  )
}

function ChangeItem({ change }: { readonly change: Change }) {
  const values = listValueChanges(change)
  const others = listOtherMembers(change)
  const cause = describeCause(change.cause)
  return (
    <li className="grid gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0 first:pt-0 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <div className="text-ink-2">
        <time dateTime={change.recorded_at} title={`Published here on ${formatTime(change.recorded_at)}`}>
          {formatDay(change.recorded_at)}
        </time>
        {change.at !== null && change.at < change.recorded_at.slice(0, change.at.length) && (
          <p className="text-xs">
            happened on <time dateTime={change.at}>{formatDay(change.at)}</time>
          </p>
        )}
      </div>
      <div className="min-w-0 space-y-1">
        <p className="flex flex-wrap items-center gap-1.5">
          {listTitles(change).map(({ type, words, tone }) => (
            <Badge key={type} tone={tone}>
              {words}
            </Badge>
          ))}
          {cause && <span className="text-xs text-ink-2">{cause}</span>}
        </p>
        {values.map((value) => (
          <ValueLine key={value.label} {...value} />
        ))}
        {others.length > 0 && (
          <p className="text-xs text-ink-2">
            {values.length > 0 ? 'Also changed' : 'Changed'}: {others.join(', ')}
          </p>
        )}
      </div>
    </li>
  )
}

const MAX_SHOWN_LENGTH = 600

function ValueLine({ label, old, new: current }: ValueChange) {
  return (
    <p className="[overflow-wrap:anywhere]">
      <span className="text-ink-2">{label}</span>{' '}
      {old !== undefined && (
        <>
          <span>{cutText(old, MAX_SHOWN_LENGTH)}</span>{' '}
          <ArrowRight role="img" aria-label="changed to" size={13} className="inline text-ink-3" />{' '}
        </>
      )}
      <span className="font-medium">{cutText(current, MAX_SHOWN_LENGTH)}</span>
    </p>
  )
}
