// What happened when: the timeline, the chosen date in words, the strip of the whole period and a table of all events.
import { useMemo, useState } from 'react'
import type { Cve } from 'vis-sdk'
import { CHOICE, CHOICES } from '../../../kit/controls/choices.ts'
import { useKeys } from '../../../kit/keys.ts'
import { useNow } from '../../../kit/now.ts'
import { Panel } from '../../../kit/panel.tsx'
import { WhenInSight } from '../../../kit/when-in-sight.tsx'
import { formatDate } from '../../../text/date-words.ts'
import { toDay } from '../../../text/days.ts'
import { formatEpss, formatNumber } from '../../../text/format.ts'
import { ExternalLink } from '../parts/external-link.tsx'
import { Missing } from '../parts/missing.tsx'
import { measureChart, TimelineChart, toMarkId } from './chart.tsx'
import type { EpssMovements } from './epss-lines.ts'
import { EventList, EventTable } from './event-table.tsx'
import { buildLanes, LANES, type Lanes, labelMark, type Mark } from './lanes.ts'
import { centerOn, findBusyPeriod, findWholePeriod, isWithin, type Period } from './layout.ts'
import { PeriodStrip } from './strip.tsx'

export function TimelinePanel({ cve }: { readonly cve: Cve }) {
  const lanes = useMemo(() => buildLanes(cve), [cve])
  if (lanes.marks.length === 0)
    return (
      <Panel title="What happened when">
        <Missing>No loaded source states a day.</Missing>
        <Undated lanes={lanes} />
      </Panel>
    )
  return <Timeline cve={cve} lanes={lanes} />
}

function Timeline({ cve, lanes }: { readonly cve: Cve; readonly lanes: Lanes }) {
  const today = toDay(useNow())
  const busy = useMemo(() => findBusyPeriod(lanes.marks), [lanes])
  const whole = useMemo(() => findWholePeriod(lanes.marks, today), [lanes, today])
  const [period, setPeriod] = useState<Period>(busy ?? whole)
  const [chosen, setChosen] = useState<Mark>()
  const move = (steps: number) => {
    const next = findNext(lanes.marks, chosen, period, steps)
    if (next === undefined) return
    setChosen(next)
    if (!isWithin(next.day, period)) setPeriod(centerOn(next.day, period))
    // The mark may be drawn only after the period has moved.
    requestAnimationFrame(() => document.getElementById(toMarkId(next))?.focus({ preventScroll: true }))
  }
  useKeys('CVE', [
    { keys: '[', label: 'Date before, in the timeline', run: () => move(-1) },
    { keys: ']', label: 'Next date in the timeline', run: () => move(1) },
  ])
  const epss = cve.timeline?.epss_movements
  return (
    <Panel
      title="What happened when"
      note={<span className="max-sm:hidden">{describePeriod(period, epss)}</span>}
      actions={busy && <PeriodChoice period={period} busy={busy} whole={whole} onChoose={setPeriod} />}
    >
      <div className="max-sm:hidden">
        <WhenInSight height={measureChart(lanes)}>
          <TimelineChart lanes={lanes} period={period} epss={epss} chosen={chosen} onChoose={setChosen} onMove={move} />
        </WhenInSight>
        <Readout mark={chosen} />
        <PeriodStrip marks={lanes.marks} whole={whole} period={period} onMove={setPeriod} />
      </div>
      <div className="sm:hidden">
        <EventList events={lanes.dated} gaps={lanes.gaps} />
      </div>
      <Undated lanes={lanes} />
      <details className="mt-2 max-sm:hidden print:hidden">
        <summary className="w-fit rounded text-xs text-ink-2 hover:text-ink">
          Show as a table ({formatNumber(lanes.dated.length)})
        </summary>
        <div className="mt-2">
          <EventTable events={lanes.dated} />
        </div>
      </details>
    </Panel>
  )
}

/** The period, and what is drawn behind the lanes. */
function describePeriod({ from, to }: Period, epss: EpssMovements | undefined): string {
  const shown = epss?.points.findLast(({ date }) => date <= to)
  const behind = shown === undefined ? '' : `; EPSS behind, ${formatEpss(shown.score)} on ${formatDate(shown.date)}`
  return `${formatDate(from)} to ${formatDate(to)}${behind}`
}

/** Starts with the first mark of the period if none is chosen. */
function findNext(marks: readonly Mark[], chosen: Mark | undefined, period: Period, steps: number): Mark | undefined {
  const index = chosen === undefined ? -1 : marks.indexOf(chosen)
  if (index < 0) return marks.find(({ day }) => isWithin(day, period)) ?? marks[0]
  return marks[index + steps]
}

function Readout({ mark }: { readonly mark: Mark | undefined }) {
  return (
    <p role="status" className="mb-1.5 min-h-5 text-xs leading-5 [overflow-wrap:anywhere] print:hidden">
      {mark ? (
        <>
          <span className="font-semibold">{formatDate(mark.day)}</span>
          <span className="text-ink-2">{` ${LANES[mark.lane]}: `}</span>
          {mark.events.length > 6 ? labelMark(mark) : mark.events.map(describeEvent).join('; ')}
        </>
      ) : (
        <span className="text-ink-3">Point at a mark, or use the arrow keys or [ and ].</span>
      )}
    </p>
  )
}

function describeEvent({ text, dayNote }: Mark['events'][number]): string {
  return dayNote === undefined ? text : `${text} (${dayNote})`
}

interface PeriodChoiceProps {
  readonly period: Period
  readonly busy: Period
  readonly whole: Period
  readonly onChoose: (period: Period) => void
}

function PeriodChoice({ period, busy, whole, onChoose }: PeriodChoiceProps) {
  const choices = [
    ['Busiest weeks', busy],
    ['Everything', whole],
  ] as const
  return (
    <div className={`${CHOICES} max-sm:hidden print:hidden`}>
      {choices.map(([words, each]) => (
        <button
          key={words}
          type="button"
          aria-pressed={period.from === each.from && period.to === each.to}
          onClick={() => onChoose(each)}
          className={CHOICE}
        >
          {words}
        </button>
      ))}
    </div>
  )
}

const FIRST_UNDATED = 4

function Undated({ lanes: { undated, omitted } }: { readonly lanes: Lanes }) {
  if (undated.length === 0 && omitted === 0) return null
  const rest = undated.length - FIRST_UNDATED
  return (
    <p className="mt-2 border-t border-line pt-2 text-xs text-ink-2 [overflow-wrap:anywhere] [&_a]:underline">
      {undated.length > 0 && 'Without a date, so not drawn: '}
      {undated.slice(0, FIRST_UNDATED).map(({ text, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two events can be equal, and events never move.
        <span key={index}>
          {index > 0 && ', '}
          {url ? <ExternalLink url={url}>{text}</ExternalLink> : text}
        </span>
      ))}
      {rest > 0 && ` and ${formatNumber(rest)} more under Exploits`}
      {undated.length > 0 && '. '}
      {omitted > 0 &&
        `The record leaves out ${formatNumber(omitted)} more pieces of evidence; the API lists all under /exploits.`}
    </p>
  )
}
