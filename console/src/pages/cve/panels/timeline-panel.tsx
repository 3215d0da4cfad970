// Exploit evidence and notices on a time axis, one row per type, with a table of the same events.
import type { Cve } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { Panel } from '../../../kit/panel.tsx'
import { formatNumber } from '../../../text/format.ts'
import { createTimeAxis, type TimeAxis } from '../model/time-axis.ts'
import {
  buildTimeline,
  describeKind,
  describeMaturity,
  type EventKind,
  type Timeline,
  type TimelineEvent,
  type TimelineRow,
} from '../model/timeline.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { WhoSaysSo } from '../parts/who-says-so.tsx'

/** Event types that are not evidence of an exploit. */
const KINDS_WITHOUT_EXPLOIT: readonly EventKind[] = ['published', 'notice']

/** Event types whose text already names the type. */
const KINDS_NAMED_IN_TEXT: readonly EventKind[] = ['published', 'kev', 'eu-kev', 'active', 'poc-report', 'reference']

export function TimelinePanel({ cve }: { readonly cve: Cve }) {
  const timeline = buildTimeline(cve)
  const hasEvidence = [...timeline.dated, ...timeline.undated].some(({ kind }) => !KINDS_WITHOUT_EXPLOIT.includes(kind))
  return (
    <Panel
      title="Exploit evidence"
      note="and notices, by date"
      actions={
        <>
          <MaturityBadge exploits={cve.exploits} />
          <WhoSaysSo sources={cve.sources} name="exploits" />
        </>
      }
    >
      {!hasEvidence && <Missing>No source reports an exploit or exploitation.</Missing>}
      {hasEvidence && timeline.dated.length > 0 && <TimelineRows rows={timeline.rows} />}
      {(hasEvidence || timeline.dated.length > 1) && <Tables timeline={timeline} />}
    </Panel>
  )
}

const MATURITY_TONES = {
  ransomware: 'critical',
  active: 'critical',
  weaponized: 'high',
  functional: 'high',
  poc: 'medium',
  none: 'neutral',
} as const

/** The highest maturity that any evidence shows, and whether the evidence has been verified. */
function MaturityBadge({ exploits }: { readonly exploits: Cve['exploits'] | undefined }) {
  if (!exploits || exploits.maturity === 'none') return null
  return (
    <>
      <Badge tone={MATURITY_TONES[exploits.maturity]}>
        <span className="font-normal">Maturity</span> {describeMaturity(exploits.maturity)}
      </Badge>
      {exploits.verified === false && (
        <Badge title="Code repositories are the only evidence. Nobody has checked what they contain.">unverified</Badge>
      )}
    </>
  )
}

const COLORS: Readonly<Partial<Record<EventKind, string>>> = {
  published: 'fill-ink-3',
  kev: 'fill-critical',
  'eu-kev': 'fill-critical',
  active: 'fill-critical',
  metasploit: 'fill-high',
  exploitdb: 'fill-high',
  nuclei: 'fill-high',
  notice: 'fill-accent',
}

function TimelineRows({ rows }: { readonly rows: readonly TimelineRow[] }) {
  const axis = createTimeAxis(rows.flatMap(({ events }) => events.map(({ day }) => day)))
  return (
    <div aria-hidden className="mb-3 text-xs">
      {rows.map((row) => (
        <TimelineRowView key={row.kind} row={row} axis={axis} />
      ))}
      <div className="sm:ml-44">
        <svg aria-hidden="true" className="block h-5 w-full overflow-visible">
          {axis.ticks.map(({ at, label }) => (
            <text key={label} x={`${at * 100}%`} y="14" textAnchor={findAnchor(at)} className="fill-ink-3 text-2xs">
              {label}
            </text>
          ))}
        </svg>
      </div>
    </div>
  )
}

/** Keeps labels at both ends of the axis within the drawing. */
function findAnchor(at: number): 'start' | 'middle' | 'end' {
  if (at < 0.06) return 'start'
  return at > 0.94 ? 'end' : 'middle'
}

function TimelineRowView({ row, axis }: { readonly row: TimelineRow; readonly axis: TimeAxis }) {
  const { kind, label, events } = row
  const [first, last] = [events[0]?.day, events.at(-1)?.day]
  const days = first === last ? first : `${first} to ${last}`
  return (
    <div className="border-b border-line py-1 sm:flex sm:items-center">
      <div className="flex justify-between gap-2 sm:w-44 sm:shrink-0 sm:flex-col sm:justify-start sm:gap-0 sm:pr-3">
        <span className="font-medium text-ink">
          {label}
          {events.length > 1 && <span className="font-normal text-ink-3"> {formatNumber(events.length)}</span>}
        </span>
        <span className="whitespace-nowrap text-ink-3">{days}</span>
      </div>
      <svg aria-hidden="true" className="block h-5 min-w-0 flex-1 overflow-visible max-sm:w-full">
        {axis.ticks.map(({ at, label: tick }) => (
          <line key={tick} x1={`${at * 100}%`} x2={`${at * 100}%`} y1="0" y2="20" className="stroke-line" />
        ))}
        <line x1="0" x2="100%" y1="10" y2="10" className="stroke-line" />
        {[...new Set(events.map(({ day }) => day))].map((day) => (
          <circle
            key={day}
            cx={`${(axis.place(day) * 100).toFixed(2)}%`}
            cy="10"
            r={kind === 'kev' || kind === 'active' ? 6 : 4.5}
            className={`${COLORS[kind] ?? 'fill-medium'} stroke-panel`}
          />
        ))}
      </svg>
    </div>
  )
}

function Tables({ timeline: { dated, undated, omitted } }: { readonly timeline: Timeline }) {
  return (
    <div className="space-y-3">
      {dated.length > 0 && <EventTable title="Events by date" events={dated} first={8} />}
      {undated.length > 0 && <EventTable title="Without a date" events={undated} first={4} />}
      {omitted > 0 && (
        <p className="text-xs text-ink-2">
          The record leaves out {formatNumber(omitted)} more pieces of evidence. The API lists all under /exploits.
        </p>
      )}
    </div>
  )
}

interface EventTableProps {
  readonly title: string
  readonly events: readonly TimelineEvent[]
  readonly first: number
}

function EventTable({ title, events, first }: EventTableProps) {
  return (
    <MoreList items={events} first={first} noun="events">
      {(shown) => (
        <div className="overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <caption className="pb-1 text-left text-xs font-medium text-ink-3">{title}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Date</th>
                <th scope="col">Event</th>
                <th scope="col">Maturity</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two events can be equal, and events never move.
                <EventRow key={index} event={event} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </MoreList>
  )
}

function EventRow({ event }: { readonly event: TimelineEvent }) {
  const { kind, day, dayNote, text, url, maturity, isGone = false } = event
  return (
    <tr className="border-t border-line align-top">
      <td className="w-24 py-1.5 pr-3 whitespace-nowrap text-ink-2">
        {day ?? <Badge>undated</Badge>}
        {dayNote && <span className="block text-2xs whitespace-normal text-ink-3">{dayNote}</span>}
      </td>
      <td className="py-1.5">
        {!KINDS_NAMED_IN_TEXT.includes(kind) && (
          <span className="mr-1.5 text-xs text-ink-3 max-sm:block">{describeKind(kind)}</span>
        )}
        {url ? <ExternalLink url={url}>{text}</ExternalLink> : <span className="[overflow-wrap:anywhere]">{text}</span>}
        {isGone && <span className="ml-1.5 text-xs text-ink-3">removed by its publisher</span>}
      </td>
      <td className="py-1.5 pl-3 text-right text-xs whitespace-nowrap text-ink-2 max-sm:hidden">
        {maturity && describeMaturity(maturity)}
      </td>
    </tr>
  )
}
