// One change of a CVE: its level and name, what changed, and the old and new values in words.
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Change } from 'vis-sdk'
import type { RowFacts } from '../../data/row-facts.ts'
import { Badge, PriorityBadge } from '../../kit/badge.tsx'
import { cutText } from '../../kit/upstream-text.tsx'
import { describeCause, listOtherMembers, listTitles, listValueChanges } from '../../text/changes.ts'
import { formatDay, formatTime } from '../../text/format.ts'
import { describeWholeChange } from './model.ts'

interface ChangeRowProps {
  readonly change: Change
  /** Undefined until they have been read. */
  readonly facts: RowFacts | undefined
}

const MAX_VALUE_LENGTH = 200

export function ChangeRow({ change, facts }: ChangeRowProps) {
  const { cve_id, recorded_at, at, cause } = change
  const note = describeCause(cause)
  return (
    <li className="grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-t border-line-2 px-3 py-2 first:border-t-0 hover:bg-hover sm:px-4 lg:grid-cols-[2.25rem_minmax(0,2fr)_minmax(0,3fr)_4rem]">
      {cve_id === null ? (
        <p className="col-span-full text-ink-2">{describeWholeChange(change)}</p>
      ) : (
        <>
          <span>{facts?.level && <PriorityBadge level={facts.level} isShort />}</span>
          <span className="min-w-0">
            <Link to="/cves/$cveId" params={{ cveId: cve_id }} className="rounded font-semibold hover:underline">
              {facts?.product ?? cve_id}
            </Link>
            <span
              title={facts && `${cve_id} · ${facts.about}`}
              className="line-clamp-1 text-xs text-ink-3 max-md:line-clamp-2"
            >
              <span className="font-mono">{cve_id}</span> {facts && `· ${facts.about}`}
            </span>
          </span>
          <div className="min-w-0 space-y-1 max-lg:col-start-2">
            <p className="flex flex-wrap items-center gap-1.5">
              {listTitles(change).map(({ type, words, tone }) => (
                <Badge key={type} tone={tone}>
                  {words}
                </Badge>
              ))}
              {note && <span className="text-xs text-ink-2">{note}</span>}
            </p>
            <Values change={change}>
              {at !== null && at < formatDay(recorded_at) && <span className="text-ink-3">dated {at}</span>}
            </Values>
          </div>
          <time
            dateTime={recorded_at}
            title={`Recorded here on ${formatTime(recorded_at)}`}
            className="text-xs text-ink-3 max-lg:hidden lg:text-right"
          >
            {recorded_at.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDThh:mm'.length)}
          </time>
        </>
      )}
    </li>
  )
}

function Values({ change, children }: { readonly change: Change; readonly children: ReactNode }) {
  const values = listValueChanges(change)
  const others = listOtherMembers(change)
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-ink-2">
      {values.map(({ label, old, new: current }) => (
        <span key={label} className="min-w-0 [overflow-wrap:anywhere]">
          {label}{' '}
          {old !== undefined && (
            <>
              <span>{cutText(old, MAX_VALUE_LENGTH)}</span>{' '}
              <ArrowRight role="img" aria-label="changed to" size={12} className="inline text-ink-3" />{' '}
            </>
          )}
          <span className="font-medium text-ink">{cutText(current, MAX_VALUE_LENGTH)}</span>
        </span>
      ))}
      {values.length === 0 && others.length > 0 && <span>{`Changed: ${others.join(', ')}`}</span>}
      {children}
    </p>
  )
}
