// What happened in the chosen week: one line for each CVE, with one reason.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { MAX_ROW_IDS, type RowFacts } from '../../data/row-facts.ts'
import { PriorityBadge } from '../../kit/badge.tsx'
import { Button } from '../../kit/controls/button.tsx'
import { EventIcon } from '../../kit/event-icon.tsx'
import { useNow } from '../../kit/now.ts'
import { Panel } from '../../kit/panel.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { Loading } from '../../kit/states/loading.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { DAY_MS, toDay } from '../../text/days.ts'
import type { CveEvent } from '../../text/event.ts'
import { formatEpss } from '../../text/format.ts'
import { formatLongDay, formatShortDay } from '../../text/months.ts'
import { partEvents } from './model/new-events.ts'
import type { Week } from './model/weeks.ts'
import type { EventsRead } from './use-events.ts'
import type { Seen } from './use-seen.ts'

const FIRST_SHOWN = 12

interface EventListProps {
  readonly week: Week
  readonly read: EventsRead
}

export function EventList({ week, read: { query, facts, seen, isReading } }: EventListProps) {
  return (
    <Panel
      title="What happened"
      note={`${formatShortDay(week.from)} to ${formatShortDay(week.to)}, now P0 or P1`}
      isFlush
      actions={
        <Link to="/changes" search={{ week: week.to }} className="text-sm text-accent hover:underline">
          All changes
        </Link>
      }
    >
      <div className="min-h-140">
        {isReading ? (
          <Loading label="Loading what happened" lines={14} />
        ) : (
          <QueryState query={query} label="Loading what happened">
            {({ events, begins, isCut }) => (
              <>
                <Events key={week.to} events={events} facts={facts} seen={seen} />
                {(begins !== undefined || isCut) && (
                  <p className="border-t border-line-2 px-3 py-2 text-xs text-ink-3 sm:px-4">
                    {isCut && 'There are more changes than one page can show: the page Changes has them all. '}
                    {begins !== undefined &&
                      `The service records changes since ${formatLongDay(begins.slice(0, 10))}. Of earlier days, only CISA's additions to KEV are known.`}
                  </p>
                )}
              </>
            )}
          </QueryState>
        )}
      </div>
    </Panel>
  )
}

interface EventsProps {
  readonly events: readonly CveEvent[]
  readonly facts: EventsRead['facts']
  readonly seen: Seen | undefined
}

function Events({ events, facts, seen }: EventsProps) {
  const [shown, setShown] = useState(FIRST_SHOWN)
  const parted = partEvents(events, seen?.position)
  const fresh = parted.fresh.slice(0, shown)
  const others = parted.seen.slice(0, shown - fresh.length)
  if (events.length === 0) return <Empty title="Nothing urgent happened in this week" />
  return (
    <>
      {seen?.position !== undefined && <SeenBar seen={seen} count={parted.fresh.length} />}
      <div aria-hidden className={`${GRID} border-b border-line pb-1 text-xs text-ink-3 max-md:hidden`}>
        <span />
        <span>Product</span>
        <span>What happened</span>
        <span className="text-right">EPSS</span>
        <span>Fix</span>
        <span className="text-right">When</span>
      </div>
      <ul>
        {fresh.map((event) => (
          <EventRow key={event.cveId} event={event} facts={facts?.get(event.cveId)} isNew />
        ))}
        {fresh.length > 0 && others.length > 0 && (
          <li className="flex items-center gap-3 px-3 py-1 text-xs text-accent before:h-px before:flex-1 before:bg-accent after:h-px after:flex-1 after:bg-accent sm:px-4">
            Your last visit
          </li>
        )}
        {others.map((event) => (
          <EventRow key={event.cveId} event={event} facts={facts?.get(event.cveId)} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-xs text-ink-3 sm:px-4">
        <span role="status">{`${fresh.length + others.length} of ${events.length} shown`}</span>
        {events.length > fresh.length + others.length && (
          <Button
            variant="quiet"
            className="h-6.5 px-2 text-xs text-accent max-sm:h-8"
            onClick={() => setShown(shown === FIRST_SHOWN ? MAX_ROW_IDS : events.length)}
          >
            Show more
          </Button>
        )}
      </div>
    </>
  )
}

const GRID =
  'grid items-center gap-x-3 px-3 sm:px-4 md:grid-cols-[2.25rem_minmax(0,1.5fr)_minmax(0,1fr)_3.75rem_6.5rem_2.75rem] max-md:grid-cols-[2.25rem_minmax(0,1fr)_2.5rem]'

/** What is new, and the button that moves the marker. */
function SeenBar({ seen, count }: { readonly seen: Seen; readonly count: number }) {
  const since = `since your last visit${seen.at === undefined ? '' : ` on ${formatShortDay(seen.at.slice(0, 10))}`}`
  return (
    <p className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line-2 px-3 py-1 text-xs text-ink-2 sm:px-4">
      <span role="status">
        {seen.hasFailed ? 'The marker could not be moved. ' : ''}
        {count === 0 ? `Nothing new ${since}` : `${count} new ${since}`}
      </span>
      {count > 0 && (
        <Button
          variant="quiet"
          className="h-6.5 px-2 text-xs text-accent max-sm:h-8"
          disabled={seen.isMarking}
          onClick={seen.markAll}
        >
          Mark all seen
        </Button>
      )}
    </p>
  )
}

interface EventRowProps {
  readonly event: CveEvent
  readonly isNew?: boolean
  /** Undefined until they have been read. */
  readonly facts: RowFacts | undefined
}

function EventRow({ event: { cveId, kind, words, day }, facts, isNew = false }: EventRowProps) {
  return (
    <li className="relative border-t border-line-2 first:border-t-0">
      {isNew && (
        <>
          <span
            aria-hidden
            className="absolute top-1/2 left-0.75 size-1.5 -translate-y-1/2 rounded-full bg-accent sm:left-1.25"
          />
          <span className="sr-only">New</span>
        </>
      )}
      <Link
        to="/cves/$cveId"
        params={{ cveId }}
        className={`${GRID} min-h-11.5 gap-y-0.5 py-1.75 -outline-offset-2 hover:bg-hover`}
      >
        <span>{facts?.level && <PriorityBadge level={facts.level} isShort />}</span>
        <span className="min-w-0">
          <span className="block [overflow-wrap:anywhere]">
            <span className="font-semibold">{facts ? (facts.product ?? 'Product not named') : '\u{a0}'}</span>
          </span>
          <span
            title={facts && `${cveId} · ${facts.about}`}
            className="line-clamp-1 text-xs text-ink-3 max-md:line-clamp-2"
          >
            <span className="font-mono">{cveId}</span> {facts && `· ${facts.about}`}
          </span>
        </span>
        <span className="flex min-w-0 items-center gap-2 text-ink-2 max-md:order-last max-md:col-span-2 max-md:col-start-2">
          <EventIcon kind={kind} />
          <span className="min-w-0">{words}</span>
        </span>
        <span className="text-right whitespace-nowrap max-md:hidden">
          {facts?.epss === undefined ? '–' : formatEpss(facts.epss)}
        </span>
        <span className="max-md:hidden">{facts && <Fix word={facts.fix} />}</span>
        <When day={day} />
      </Link>
    </li>
  )
}

function Fix({ word }: { readonly word: RowFacts['fix'] }) {
  return (
    <span
      className={
        word === 'named'
          ? 'inline-block rounded-[5px] bg-good-soft px-1.75 text-xs leading-5 font-medium whitespace-nowrap text-good'
          : 'inline-block rounded-[5px] border border-line px-1.75 text-xs leading-4.5 whitespace-nowrap text-ink-2'
      }
    >
      {word}
    </span>
  )
}

function When({ day }: { readonly day: string }) {
  const days = Math.round((Date.parse(toDay(useNow())) - Date.parse(day)) / DAY_MS)
  return (
    <time dateTime={day} title={day} className="text-right whitespace-nowrap text-ink-3">
      {days <= 0 ? 'today' : `${days} d`}
    </time>
  )
}
