// One item of the inbox: what changed, why the person was told, and what they can do about it.
import { Link } from '@tanstack/react-router'
import { ArrowRight, ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Watch, WatchEvent } from 'vis-sdk'
import { Badge } from '../../kit/badge.tsx'
import { LevelBlock } from '../../kit/verdict/level-block.tsx'
import type { ValueChange } from '../../text/changes.ts'
import { capitalise, formatTime } from '../../text/format.ts'
import {
  countCves,
  describeItem,
  describeReason,
  describeWhole,
  findLevel,
  type InboxItem,
  listItemChanges,
  nameItem,
} from '../../text/watch/events.ts'
import { KIND_WORDS, sortKinds } from '../../text/watch/kinds.ts'
import { type InboxState, toSearch } from './state.ts'

interface DetailProps {
  readonly item: InboxItem
  readonly state: InboxState
  /** The watches that still exist. */
  readonly watches: readonly Watch[]
  /** Buttons above the text. */
  readonly actions: ReactNode
  /** What the account decided about the CVE in the watches. */
  readonly mutes: ReactNode
}

export function Detail({ item, state, watches, actions, mutes }: DetailProps) {
  return (
    <article aria-label="Event" className="rounded-[10px] border border-line bg-panel shadow-panel">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2.5 sm:px-4">
        <Link
          to="/inbox"
          search={toSearch({ ...state, event: undefined })}
          className="inline-flex items-center gap-1 text-sm text-accent xl:hidden"
        >
          <ChevronLeft aria-hidden size={14} /> All events
        </Link>
        {actions}
      </div>
      <div className="space-y-4 px-3 py-3.5 sm:px-4">
        {item.cveId === null ? <Whole item={item} /> : <OneCve item={item} cveId={item.cveId} watches={watches} />}
        {mutes}
      </div>
    </article>
  )
}

interface OneCveProps extends Pick<DetailProps, 'item' | 'watches'> {
  readonly cveId: string
}

function OneCve({ item, cveId, watches }: OneCveProps) {
  const { words } = describeItem(item)
  const [event] = item.events
  const { values, titles } = listItemChanges(item)
  return (
    <>
      <div className="flex items-start gap-3">
        <LevelBlock level={findLevel(item)} isRejected={event?.record_after === null} isSmall />
        <div className="min-w-0">
          <h2 className="text-base leading-6 font-[650] [overflow-wrap:anywhere]">
            {nameItem(item)}: {lowerStart(words)}
          </h2>
          <p className="text-xs text-ink-3">
            <span className="font-mono">{cveId}</span>
            {event && ` · event of ${formatTime(event.recorded_at)}`}
          </p>
        </div>
      </div>
      <Part title="What changed">
        {values.map((value) => (
          <ValueLine key={value.label} value={value} />
        ))}
        {titles.map((title) => (
          <Line key={title}>{title}</Line>
        ))}
        {values.length + titles.length === 0 && <Line>A part of the record that the log keeps no values of</Line>}
      </Part>
      <Part title="Why you got this">
        {item.events.map((each) => (
          <Reason key={each.nr} event={each} watch={watches.find(({ id }) => id === each.watch?.id)} />
        ))}
      </Part>
    </>
  )
}

const lowerStart = (text: string) => (/^\p{Lu}\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))

function ValueLine({ value: { label, old, new: current } }: { readonly value: ValueChange }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_1rem_minmax(0,1fr)] items-center gap-x-2 border-t border-line-2 px-3 py-1.75 first:border-t-0 sm:grid-cols-[8.25rem_minmax(0,1fr)_1rem_minmax(0,1fr)]">
      <span className="text-ink-3 max-sm:col-span-3">{label}</span>
      {/* A line through a word is not read aloud. */}
      <span className="text-ink-3 [overflow-wrap:anywhere] line-through decoration-line-strong">
        <span className="sr-only">before: </span>
        {old ?? 'not in the catalog'}
      </span>
      <ArrowRight aria-hidden size={14} className="text-ink-3" />
      <span className="[overflow-wrap:anywhere]">
        <span className="sr-only">now: </span>
        {current}
      </span>
    </div>
  )
}

interface ReasonProps {
  readonly event: WatchEvent
  /** Undefined if it was removed. */
  readonly watch: Watch | undefined
}

function Reason({ event, watch }: ReasonProps) {
  const name = event.watch?.name ?? 'A watch that was removed'
  return (
    <Line>
      <span className="min-w-0 flex-1 basis-60">
        {watch ? (
          <Link
            to="/cves"
            search={{ view: watch.id }}
            className="font-semibold hover:underline"
            title="Open the search"
          >
            {name}
          </Link>
        ) : (
          <b className="font-semibold">{name}</b>
        )}{' '}
        {event.watch?.team && <Badge>{event.watch.team}</Badge>}
        <span className="block text-ink-2">{describeReason(event, watch?.query)}</span>
      </span>
      <span className="flex flex-wrap gap-1">
        {sortKinds(event.on).map((kind) => (
          <Badge key={kind} tone="accent">
            {KIND_WORDS[kind].happened}
          </Badge>
        ))}
      </span>
    </Line>
  )
}

/** An event about no single CVE: judged again, or not judged at all. */
function Whole({ item }: { readonly item: InboxItem }) {
  const [event] = item.events
  if (!event) return null
  const { recalculation: moved, gap } = event
  return (
    <>
      <div>
        <h2 className="text-base leading-6 font-[650]">{nameItem(item)}</h2>
        <p className="text-xs text-ink-3">Event of {formatTime(event.recorded_at)}</p>
      </div>
      <p>{capitalise(describeWhole(event))}</p>
      {moved && (
        <>
          <Moved title="Entered" count={moved.entered_count} levels={moved.entered_levels} ids={moved.entered_ids} />
          <Moved title="Left" count={moved.left_count} levels={moved.left_levels} ids={moved.left_ids} />
        </>
      )}
      {gap && (
        <p className="text-sm text-ink-2">
          Not judged: the changes after position <code className="font-mono text-xs">{gap.from_position}</code> up to{' '}
          <code className="font-mono text-xs">{gap.to_position}</code>. Later changes are judged as usual.
        </p>
      )}
      {event.watch?.name && (
        <Link to="/cves" search={{ view: event.watch.id }} className="text-accent underline underline-offset-2">
          Open the search “{event.watch.name}”
        </Link>
      )}
    </>
  )
}

interface MovedProps {
  readonly title: string
  readonly count: number
  readonly levels: Readonly<Record<string, number | undefined>>
  readonly ids: readonly string[]
}

function Moved({ title, count, levels, ids }: MovedProps) {
  if (count === 0) return null
  const byLevel = Object.entries(levels).map(([level, own]) => `${own} ${level === 'unrated' ? 'not assessed' : level}`)
  return (
    <Part title={`${title}: ${countCves(count)}`}>
      <Line>{byLevel.join(', ')}</Line>
      <Line>
        {ids.map((id) => (
          <Link
            key={id}
            to="/cves/$cveId"
            params={{ cveId: id }}
            className="font-mono text-xs text-accent hover:underline"
          >
            {id}
          </Link>
        ))}
        {count > ids.length && <span className="text-ink-3">and {countCves(count - ids.length)} more</span>}
      </Line>
    </Part>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
      <div className="overflow-hidden rounded-lg border border-line">{children}</div>
    </section>
  )
}

const Line = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line-2 px-3 py-1.75 first:border-t-0">
    {children}
  </div>
)
