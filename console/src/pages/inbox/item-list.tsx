// The events by day: one line for each CVE.
import { Link } from '@tanstack/react-router'
import { BellRing, VolumeX } from 'lucide-react'
import type { Level } from 'vis-sdk'
import { Badge, PriorityBadge } from '../../kit/badge.tsx'
import { EventIcon } from '../../kit/event-icon.tsx'
import { useNow } from '../../kit/now.ts'
import { classNames } from '../../text/class-names.ts'
import { toDay } from '../../text/days.ts'
import { shiftDay } from '../../text/months.ts'
import { describeItem, findLevel, type InboxItem, listItemWatches, nameItem } from '../../text/watch/events.ts'
import { type InboxState, toSearch } from './state.ts'
import { isUnread } from './use-inbox.ts'
import type { ReadMark } from './use-read-mark.ts'

interface ItemListProps {
  readonly days: readonly (readonly [day: string, items: readonly InboxItem[]])[]
  readonly state: InboxState
  readonly current: InboxItem | undefined
  readonly mark: ReadMark
}

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

export function ItemList({ days, state, current, mark }: ItemListProps) {
  const today = toDay(useNow())
  return days.map(([day, items]) => (
    <section key={day} aria-label={nameDay(day, today)}>
      <h2 className="flex justify-between border-y border-line bg-canvas px-3 py-1.5 text-xs font-semibold text-ink-3 sm:px-4">
        {nameDay(day, today)}
        <span>
          {items.length}
          <span className="sr-only"> {items.length === 1 ? 'line' : 'lines'}</span>
        </span>
      </h2>
      <ul>
        {items.map((item) => (
          <ItemLine
            key={item.key}
            item={item}
            state={state}
            isCurrent={item === current}
            isOpen={state.event !== undefined && item === current}
            isNew={isUnread(item, mark)}
          />
        ))}
      </ul>
    </section>
  ))
}

function nameDay(day: string, today: string): string {
  const name = LONG_DAY.format(new Date(`${day}T00:00:00Z`))
  if (day === today) return `Today, ${name}`
  return day === shiftDay(today, -1) ? `Yesterday, ${name}` : name
}

interface ItemLineProps {
  readonly item: InboxItem
  readonly state: InboxState
  readonly isCurrent: boolean
  readonly isOpen: boolean
  readonly isNew: boolean
}

const MAX_WATCHES = 1

function ItemLine({ item, state, isCurrent, isOpen, isNew }: ItemLineProps) {
  const { icon, words } = describeItem(item)
  const level = findLevel(item)
  const watches = listItemWatches(item)
  const others = watches.length - MAX_WATCHES
  const [event] = item.events
  return (
    <li className="relative border-t border-line-2 first:border-t-0">
      <Link
        to="/inbox"
        search={toSearch({ ...state, event: item.nr })}
        replace={state.event !== undefined}
        resetScroll={false}
        data-item={item.nr}
        {...(isOpen ? { 'aria-current': 'true' as const } : {})}
        className={classNames(
          'grid grid-cols-[0.5rem_2.25rem_minmax(0,1fr)_auto] items-center gap-x-2.5 gap-y-0.5 px-3 py-2.5 -outline-offset-2 hover:bg-hover sm:px-4',
          isCurrent && 'xl:bg-accent-soft',
          item.isMuted && 'opacity-80',
        )}
      >
        <span>
          {isNew && (
            <>
              <span aria-hidden className="block size-2 rounded-full bg-accent" />
              <span className="sr-only">Unread</span>
            </>
          )}
        </span>
        <span>
          <LevelMark level={level} isAboutOne={item.cveId !== null} />
        </span>
        <span className="truncate">
          <span className={isNew ? 'font-semibold' : 'font-medium'}>{nameItem(item)}</span>{' '}
          <span className="font-mono text-xs text-ink-3">{item.cveId}</span>
        </span>
        <time dateTime={event?.recorded_at} title={event?.recorded_at} className="text-xs text-ink-3">
          {event?.recorded_at.slice(11, 16)}
        </time>
        <span className="col-start-3 col-end-5 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
          <span className="flex min-w-0 items-center gap-1.5">
            <EventIcon kind={icon} />
            <span className="min-w-0 [overflow-wrap:anywhere]">{words}</span>
          </span>
          {watches.slice(0, MAX_WATCHES).map(({ id, name }) => (
            <span key={id} className={TAG}>
              {name ?? 'removed watch'}
            </span>
          ))}
          {others > 0 && <span className={TAG}>+{others}</span>}
          {item.isMuted && (
            <span className="inline-flex items-center gap-1 text-xs">
              <VolumeX aria-hidden size={13} /> muted
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

const TAG = 'max-w-44 truncate rounded-[5px] bg-soft px-1.5 text-xs leading-5 text-ink-2'

interface LevelMarkProps {
  readonly level: Level | undefined
  /** False for an event about several CVEs. */
  readonly isAboutOne: boolean
}

function LevelMark({ level, isAboutOne }: LevelMarkProps) {
  // The word does not fit into the column.
  if (level === 'unrated')
    return (
      <Badge tone="unrated" title="Not assessed yet">
        <span aria-hidden>–</span>
        <span className="sr-only">Not assessed yet</span>
      </Badge>
    )
  if (level) return <PriorityBadge level={level} isShort />
  if (isAboutOne) return <span className="text-ink-3">–</span>
  return <BellRing aria-hidden size={16} className="mx-auto text-ink-3" />
}
