// The watches of the account.
import { Link } from '@tanstack/react-router'
import { Rss } from 'lucide-react'
import type { Watch } from 'vis-sdk'
import { Badge } from '../../kit/badge.tsx'
import { Menu, MenuItem } from '../../kit/controls/menu.tsx'
import { useNow } from '../../kit/now.ts'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { EventDays } from '../../kit/watch/event-days.tsx'
import { toDay } from '../../text/days.ts'
import { formatNumber } from '../../text/format.ts'
import { describeQuery } from '../../text/watch/query.ts'
import { describeLastEvent, describeState } from './watch-words.ts'

export type WatchAction = 'change' | 'snooze' | 'wake' | 'pause' | 'resume' | 'feed' | 'explain' | 'remove'

interface WatchTableProps {
  readonly watches: readonly Watch[]
  /** Whether the person may change watches. */
  readonly mayChange: boolean
  readonly onAction: (action: WatchAction, watch: Watch) => void
}

export function WatchTable({ watches, mayChange, onAction }: WatchTableProps) {
  const now = useNow()
  const today = toDay(now)
  const columns: readonly Column<Watch>[] = [
    { id: 'name', header: 'Name and search', cell: (watch) => <NameCell watch={watch} now={now} /> },
    {
      id: 'matching',
      header: 'Match now',
      isNumeric: true,
      cell: (watch) => <Matching watch={watch} />,
      className: 'max-sm:hidden',
    },
    {
      id: 'days',
      header: 'Events, 7 days',
      cell: ({ name, daily_events: values }) => <EventDays name={name} values={values} today={today} />,
      className: 'max-md:hidden',
    },
    { id: 'last', header: 'Newest event', cell: (watch) => <LastEvent watch={watch} />, className: 'max-xl:hidden' },
    { id: 'state', header: 'State', cell: (watch) => <State watch={watch} />, className: 'max-lg:hidden' },
    {
      id: 'actions',
      header: '',
      cell: (watch) => <Actions watch={watch} mayChange={mayChange} onAction={onAction} />,
      className: 'w-12 text-right',
    },
  ]
  return <Table caption="Watches" columns={columns} rows={watches} getKey={({ id }) => id} />
}

function NameCell({ watch, now }: { readonly watch: Watch; readonly now: Date }) {
  const { id, name, team, query, feed } = watch
  const last = describeLastEvent(watch, now)
  return (
    <div className="min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <Link
          to="/inbox"
          search={{ watch: id }}
          title={`Events of ${name}`}
          className="font-semibold [overflow-wrap:anywhere] hover:underline"
        >
          {name}
        </Link>
        {team !== null && <Badge>{team}</Badge>}
        {feed && (
          <span title="Has a feed" className="text-ink-3">
            <Rss aria-hidden size={13} />
            <span className="sr-only">Has a feed</span>
          </span>
        )}
      </span>
      <span className="block text-xs [overflow-wrap:anywhere] text-ink-3">{describeQuery(query).join(' · ')}</span>
      {/* What the columns say that a narrow window has no place for. */}
      <span className="mt-0.5 block text-xs text-ink-2 sm:hidden">
        <Matching watch={watch} /> match now
      </span>
      <span className="block text-xs text-ink-2 xl:hidden">{last ?? 'No event yet'}</span>
      <span className="block text-xs lg:hidden">
        <State watch={watch} />
      </span>
    </div>
  )
}

function Matching({ watch: { matching_now: count } }: { readonly watch: Watch }) {
  return (
    <b className="font-semibold">
      {typeof count === 'number' ? formatNumber(count) : <span title="They could not be counted in time">–</span>}
    </b>
  )
}

function LastEvent({ watch }: { readonly watch: Watch }) {
  const last = describeLastEvent(watch, useNow())
  return last === undefined ? <span className="text-ink-3">No event yet</span> : <span>{last}</span>
}

const DOTS = { good: 'bg-good-solid', quiet: 'bg-line-strong', high: 'bg-high-solid' } as const

function State({ watch }: { readonly watch: Watch }) {
  const { dot, words } = describeState(watch)
  return (
    <span className="inline-flex items-center gap-2" title={watch.warning}>
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${DOTS[dot]}`} />
      {words}
    </span>
  )
}

type ActionsProps = Pick<WatchTableProps, 'mayChange' | 'onAction'> & { readonly watch: Watch }

function Actions({ watch, mayChange, onAction }: ActionsProps) {
  const item = (action: WatchAction, words: string) => (
    <MenuItem onSelect={() => onAction(action, watch)}>{words}</MenuItem>
  )
  return (
    <Menu variant="quiet" label={`More for ${watch.name}`} trigger={<span aria-hidden>…</span>}>
      {mayChange && item('change', 'Change')}
      {item('explain', 'Why was I not told?')}
      {mayChange && (watch.state === 'snoozed' ? item('wake', 'End the snooze') : item('snooze', 'Snooze'))}
      {mayChange && (watch.state === 'paused' ? item('resume', 'Resume') : item('pause', 'Pause'))}
      {mayChange && item('feed', watch.feed ? 'Feed address' : 'Make a feed')}
      {mayChange && item('remove', 'Remove')}
    </Menu>
  )
}
