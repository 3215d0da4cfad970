// The timeline as a drawing. The arrow keys move between its dates; the line below says what is at the chosen one.
import type { KeyboardEvent } from 'react'
import { useElementWidth } from '../../../kit/use-element-width.ts'
import { classNames } from '../../../text/class-names.ts'
import { formatDate, formatDayOfMonth } from '../../../text/date-words.ts'
import { type EpssMovements, listEpssLines } from './epss-lines.ts'
import { type Gap, LANES, type Lane, type Lanes, labelMark, type Mark } from './lanes.ts'
import { chooseTicks, isWithin, type Period, type PlacedMark, place, placeMarks } from './layout.ts'

interface ChartProps {
  readonly lanes: Lanes
  readonly period: Period
  readonly epss: EpssMovements | undefined
  /** The mark that has or gets the focus. */
  readonly chosen: Mark | undefined
  readonly onChoose: (mark: Mark) => void
  /** Moves the focus by this many marks. */
  readonly onMove: (steps: number) => void
}

/** Each gap has a line of text above the lanes. */
const MAX_GAPS = 2
const GAP_HEIGHT = 16
const TOP = MAX_GAPS * GAP_HEIGHT
const LANE_HEIGHT = 44
const LANE_NAMES = Object.keys(LANES) as Lane[]
const BOTTOM = TOP + LANE_HEIGHT * LANE_NAMES.length
const CHART_HEIGHT = BOTTOM + 24

const yOf = (lane: Lane) => TOP + LANE_HEIGHT * (LANE_NAMES.indexOf(lane) + 0.5)
const percent = (share: number) => `${(share * 100).toFixed(2)}%`

/** A CVE with fewer gaps needs less space above its lanes. */
const countUnused = ({ gaps }: Lanes) => (MAX_GAPS - Math.min(gaps.length, MAX_GAPS)) * GAP_HEIGHT

/** Height in pixels. */
export const measureChart = (lanes: Lanes) => CHART_HEIGHT - countUnused(lanes)

export function TimelineChart({ lanes, period, epss, chosen, onChoose, onMove }: ChartProps) {
  const height = measureChart(lanes)
  const shift = `translate(0 ${-countUnused(lanes)})`
  const [ref, width] = useElementWidth()
  const placed = placeMarks(lanes.marks, period, width)
  const focusable = placed.find(({ mark }) => mark === chosen) ?? placed[0]
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (steps === 0) return
    event.preventDefault()
    onMove(steps)
  }
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)]">
      <svg aria-hidden="true" className="block w-full" height={height}>
        <g transform={shift}>
          {LANE_NAMES.map((lane) => (
            <text key={lane} x="0" y={yOf(lane) + 4} className="fill-ink-2 text-xs">
              {LANES[lane]}
            </text>
          ))}
        </g>
      </svg>
      <div ref={ref} className="min-w-0 overflow-hidden">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset. */}
        <svg
          role="group"
          aria-label={`Timeline from ${formatDate(period.from)} to ${formatDate(period.to)}: use the arrow keys`}
          className="block w-full"
          height={height}
          onKeyDown={onKeyDown}
        >
          <g transform={shift}>
            <Gaps gaps={lanes.gaps} period={period} width={width} />
            {epss && <EpssArea epss={epss} period={period} />}
            <LaneLines lanes={lanes} placed={placed} />
            {placed.map((each) => (
              <MarkView
                key={`${each.mark.lane} ${each.mark.day}`}
                placed={each}
                isFocusable={each === focusable}
                onChoose={onChoose}
              />
            ))}
            {chooseTicks(placed, width).map(({ day, x }) => (
              <text key={day} x={percent(x)} y={BOTTOM + 16} textAnchor={findAnchor(x)} className="fill-ink-3 text-xs">
                {describeTick(day, period)}
              </text>
            ))}
          </g>
        </svg>
      </div>
    </div>
  )
}

/** A line for each lane, and what is said of a lane without a mark. */
function LaneLines({ lanes, placed }: { readonly lanes: Lanes; readonly placed: readonly PlacedMark[] }) {
  return LANE_NAMES.map((lane) => (
    <g key={lane}>
      <line x1="0" x2="100%" y1={yOf(lane)} y2={yOf(lane)} className="stroke-line" />
      {placed.every(({ mark }) => mark.lane !== lane) && (
        <text x="0" y={yOf(lane) - 6} className="fill-ink-3 text-xs">
          {lanes.marks.some((mark) => mark.lane === lane) ? 'not in these weeks' : lanes.notes[lane]}
        </text>
      )}
    </g>
  ))
}

function findAnchor(x: number): 'start' | 'middle' | 'end' {
  if (x < 0.05) return 'start'
  return x > 0.95 ? 'end' : 'middle'
}

/** The year is named if the period has more than one. */
function describeTick(day: string, { from, to }: Period): string {
  return from.slice(0, 4) === to.slice(0, 4) ? formatDayOfMonth(day) : formatDate(day)
}

const FILLS: Readonly<Record<Lane, string>> = {
  known: 'fill-accent',
  exploit: 'fill-high-solid',
  exploited: 'fill-critical-solid',
  fix: 'fill-good-solid',
}

interface MarkViewProps {
  readonly placed: PlacedMark
  readonly isFocusable: boolean
  readonly onChoose: (mark: Mark) => void
}

export const toMarkId = ({ lane, day }: Mark) => `mark-${lane}-${day}`

function MarkView({ placed: { mark, x, hasCount, label }, isFocusable, onChoose }: MarkViewProps) {
  const y = yOf(mark.lane)
  const text = `${formatDate(mark.day)}: ${labelMark(mark)}`
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it has the focus to be read, not to be pressed.
    <g
      id={toMarkId(mark)}
      role="img"
      aria-label={text}
      tabIndex={isFocusable ? 0 : -1}
      onFocus={() => onChoose(mark)}
      onPointerEnter={() => onChoose(mark)}
      className="group outline-none"
    >
      <title>{text}</title>
      {/* A target of 24 px for fingers. */}
      <circle cx={percent(x)} cy={y} r="12" className="fill-transparent" />
      <circle
        cx={percent(x)}
        cy={y}
        r="8"
        strokeWidth="2"
        className="fill-panel stroke-transparent group-focus-visible:stroke-accent"
      />
      <Shape lane={mark.lane} x={x} y={y} />
      {hasCount && (
        <text x={percent(x)} y={y - 10} textAnchor="middle" className="fill-ink-2 text-xs">
          {`${mark.events.length}×`}
        </text>
      )}
      {label && (
        <text
          x={percent(x)}
          y={label.side === 'above' ? y - 11 : y + 4}
          dx={LABEL_OFFSETS[label.side]}
          textAnchor={LABEL_ANCHORS[label.side]}
          strokeWidth="4"
          strokeLinejoin="round"
          paintOrder="stroke"
          className="fill-ink stroke-panel text-xs"
        >
          {label.text}
        </text>
      )}
    </g>
  )
}

const LABEL_OFFSETS = { left: -12, right: 12, above: 0 } as const
const LABEL_ANCHORS = { left: 'end', right: 'start', above: 'middle' } as const

/** Each lane has a shape of its own, so that a mark's meaning is not only its color. */
function Shape({ lane, x, y }: { readonly lane: Lane; readonly x: number; readonly y: number }) {
  const className = FILLS[lane]
  if (lane === 'known') return <circle cx={percent(x)} cy={y} r="5" className={className} />
  return (
    <svg aria-hidden="true" x={percent(x)} y={y} className="overflow-visible">
      {lane === 'exploit' && <path d="M0-6 6 5H-6z" className={className} />}
      {lane === 'exploited' && <path d="M0-6.500 6.500 0 0 6.500-6.500 0z" className={className} />}
      {lane === 'fix' && <path d="M-5-5h10v10h-10z" className={className} />}
    </svg>
  )
}

interface GapsProps {
  readonly gaps: readonly Gap[]
  readonly period: Period
  readonly width: number
}

const GAP_FILLS = { critical: 'fill-critical', high: 'fill-high' } as const
const CHARACTER_PX = 6.6

/** Gaps that begin and end within the period, each with its number of days above. */
function Gaps({ gaps, period, width }: GapsProps) {
  const shown = gaps.filter(({ from, to }) => isWithin(from, period) && isWithin(to, period))
  return shown.map(({ from, to, text, tone }, index) => {
    const [start, end] = [place(from, period), place(to, period)]
    // A text that would leave the drawing on the right ends at its edge.
    const isLate = start * width + text.length * CHARACTER_PX > width
    return (
      <g key={text}>
        <rect
          x={percent(start)}
          width={percent(end - start)}
          y={TOP}
          height={BOTTOM - TOP}
          className={classNames(GAP_FILLS[tone], 'opacity-10')}
        />
        <text
          x={isLate ? '100%' : percent(start)}
          y={12 + index * GAP_HEIGHT}
          textAnchor={isLate ? 'end' : 'start'}
          className={classNames(GAP_FILLS[tone], 'text-xs font-semibold')}
        >
          {text}
        </text>
      </g>
    )
  })
}

/** EPSS behind the lanes. Its height is the probability from 0 to 100 %. */
function EpssArea({ epss, period }: { readonly epss: EpssMovements; readonly period: Period }) {
  const lines = listEpssLines(epss, period).map((line) =>
    line.map(({ date, score }) => ({ x: place(date, period).toFixed(4), y: (1 - score).toFixed(4) })),
  )
  return (
    <svg
      aria-hidden="true"
      x="0"
      y={TOP}
      width="100%"
      height={BOTTOM - TOP}
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
    >
      {lines.map((line) => {
        const points = line.map(({ x, y }) => `${x},${y}`).join(' ')
        return (
          <g key={line[0]?.x}>
            <polygon points={`${line[0]?.x},1 ${points} ${line.at(-1)?.x},1`} className="fill-accent opacity-10" />
            <polyline
              points={points}
              fill="none"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
              className="stroke-accent opacity-60"
            />
          </g>
        )
      })}
    </svg>
  )
}
