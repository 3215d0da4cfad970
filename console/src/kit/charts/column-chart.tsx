// Stacked columns of counts. Each column is a link, so it opens by pointer, touch and Enter; the arrow keys move between
// the columns, and the one that is pointed at or focused shows its values. The parts are HTML, so that text keeps its size
// at every width.
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { classNames } from '../../text/class-names.ts'
import { toCountAxis } from './scale.ts'

interface Series {
  readonly label: string
  readonly className: string
}

export interface ChartColumn {
  readonly id: string
  /** What the column stands for, such as `18 August`. */
  readonly name: string
  /** Text below the column, or an empty text. */
  readonly label: string
  /** Text above the column. */
  readonly topLabel?: string
  /** A value for each series, the lowest part first; null if the values are not known. */
  readonly values: readonly number[] | null
  /** Further words after the values. */
  readonly note?: string
  readonly isChosen?: boolean
  /** Whether the column is not complete yet. */
  readonly isPartial?: boolean
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly hash?: string
}

interface ColumnChartProps {
  /** Name of the chart for screen readers. */
  readonly label: string
  readonly series: readonly Series[]
  readonly columns: readonly ChartColumn[]
  readonly hasAxis?: boolean
  /** Whether choosing a column keeps the page where it is. */
  readonly staysOnPage?: boolean
  /** Words about the columns whose values are not known. */
  readonly unknown?: string | undefined
}

export function ColumnChart({
  label,
  series,
  columns,
  hasAxis = false,
  staysOnPage = false,
  unknown,
}: ColumnChartProps) {
  const [focused, setFocused] = useState<number>()
  const { end, ticks } = toCountAxis(Math.max(1, ...columns.map(({ values }) => sum(values ?? []))))
  const last = columns.length - 1
  if (unknown !== undefined && columns.every(({ values }) => values === null))
    return <p className="flex min-h-49 items-center justify-center text-center text-sm text-ink-2">{unknown}</p>
  return (
    <div className="flex gap-2">
      {hasAxis && <Axis ticks={ticks} end={end} />}
      <div className="min-w-0 flex-1">
        <div className="relative pt-4">
          <Lines ticks={hasAxis ? ticks : [0]} end={end} />
          {unknown && columns.some(({ values }) => values === null) && (
            <p className="absolute inset-x-0 top-4 z-1 flex h-40 items-center justify-center text-center text-xs text-ink-2">
              <span className="rounded-md bg-panel px-2 py-1">{unknown}</span>
            </p>
          )}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form. */}
          <div
            role="group"
            aria-label={`${label}. Left and right arrows move between the columns.`}
            className="relative flex h-40"
            onKeyDown={moveFocus}
          >
            {columns.map((column, index) => (
              <Column
                key={column.id}
                column={column}
                series={series}
                end={end}
                // Tab reaches one column, and the arrow keys the others.
                isTabStop={index === (focused ?? last)}
                edge={index < columns.length / 4 ? 'start' : index > (columns.length * 3) / 4 ? 'end' : 'center'}
                onFocus={() => setFocused(index)}
                staysOnPage={staysOnPage}
              />
            ))}
          </div>
        </div>
        <div aria-hidden className="mt-1 flex h-4 text-xs leading-4 text-ink-3">
          {columns.map(({ id, label: text }) => (
            <span key={id} className="flex min-w-0 flex-1 justify-center">
              <span className="whitespace-nowrap">{text}</span>
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

interface TicksProps {
  readonly ticks: readonly number[]
  readonly end: number
}

function Axis({ ticks, end }: TicksProps) {
  return (
    <div aria-hidden className="relative mt-4 h-40 w-5 shrink-0 text-right text-xs leading-none text-ink-3">
      {ticks.map((tick) => (
        <span key={tick} className="absolute right-0 translate-y-1/2" style={{ bottom: `${(tick / end) * 100}%` }}>
          {tick}
        </span>
      ))}
    </div>
  )
}

function Lines({ ticks, end }: TicksProps) {
  return (
    <div aria-hidden className="absolute inset-x-0 top-4 h-40">
      {ticks.map((tick) => (
        <div
          key={tick}
          className={classNames('absolute inset-x-0 border-t', tick === 0 ? 'border-line' : 'border-line-2')}
          style={{ bottom: `${(tick / end) * 100}%` }}
        />
      ))}
    </div>
  )
}

interface ColumnProps {
  readonly column: ChartColumn
  readonly series: readonly Series[]
  readonly end: number
  readonly isTabStop: boolean
  readonly edge: keyof typeof EDGES
  readonly onFocus: () => void
  readonly staysOnPage: boolean
}

const EDGES = { start: 'left-0', center: 'left-1/2 -translate-x-1/2', end: 'right-0' } as const

function Column({ column, series, end, isTabStop, edge, onFocus, staysOnPage }: ColumnProps) {
  const { name, values, note, isChosen = false, isPartial = false, topLabel, to, search, hash } = column
  const words = describeValues(column, series)
  return (
    <Link
      to={to}
      {...(search ? { search } : {})}
      {...(hash === undefined ? {} : { hash })}
      {...(staysOnPage ? { resetScroll: false } : {})}
      activeProps={{}}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      // The number above the column is also in its name, by which speech input finds it.
      aria-label={`${name}: ${words}${topLabel === undefined ? '' : `, ${topLabel} in all`}`}
      {...(isChosen ? { 'aria-current': 'true' as const } : {})}
      className={classNames(
        'group relative flex min-w-0 flex-1 flex-col items-center justify-end -outline-offset-2',
        isChosen && 'bg-accent-soft',
      )}
    >
      {values === null ? (
        <span className="hatched h-full w-full opacity-35" />
      ) : (
        <span className="relative flex h-full w-3/4 flex-col-reverse gap-px">
          {values.map(
            (value, index) =>
              value > 0 && (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: the series keep their order.
                  key={index}
                  className={classNames(
                    'block group-hover:brightness-110',
                    series[index]?.className,
                    isPartial && 'opacity-55',
                  )}
                  style={{ height: `${(value / end) * 100}%` }}
                />
              ),
          )}
          {topLabel !== undefined && (
            <span className="text-center text-xs leading-4 whitespace-nowrap text-ink max-sm:-mx-2">{topLabel}</span>
          )}
        </span>
      )}
      <span
        aria-hidden
        className={classNames(
          'pointer-events-none absolute bottom-full z-10 mb-1 hidden w-max max-w-52 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-popup group-hover:block group-focus-visible:block',
          EDGES[edge],
        )}
      >
        <span className="font-semibold">{name}</span>
        <span className="block">{words}</span>
        {note && <span className="block text-ink-3">{note}</span>}
      </span>
    </Link>
  )
}

function describeValues({ values, isPartial }: ChartColumn, series: readonly Series[]): string {
  if (values === null) return 'not known'
  const parts = series.map(({ label }, index) => `${values[index] ?? 0} ${label}`)
  return `${parts.join(', ')}${isPartial ? ' so far' : ''}`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The left and right arrow keys, Home and End move between the columns. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const columns = [...event.currentTarget.querySelectorAll('a')]
  const position = columns.findIndex((column) => column === document.activeElement)
  const next = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: columns.length - 1 }[event.key]
  const column = next === undefined ? undefined : columns[next]
  if (position < 0 || !column) return
  event.preventDefault()
  column.focus()
}
