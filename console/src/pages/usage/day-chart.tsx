// Bars for the credits per day. The labels are HTML in the normal size, because text in a scaled drawing is too small
// on a phone.
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { formatShortDay } from '../../text/months.ts'
import type { Forecast } from './forecast.ts'
import { type Chart, type DayBar, toAxisEnd } from './series.ts'

const COLORS = ['bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4'] as const
const OTHER_COLOR = 'bg-series-5'

/** Every fifth day has a label, on a phone every tenth. */
const LABEL_EVERY = 5

interface DayChartProps {
  readonly chart: Chart
  readonly forecast: Forecast | undefined
  readonly today: string
  /** Title of a group, such as the name of a key. */
  readonly nameGroup: (group: string) => string
}

export function DayChart({ chart, forecast, today, nameGroup }: DayChartProps) {
  const { bars, groups, otherGroups } = chart
  const end = toAxisEnd(Math.max(forecast?.perDay ?? 0, ...bars.map(({ credits }) => credits)))
  return (
    <div>
      <div className="flex gap-2">
        <div className="flex h-44 flex-col justify-between text-right text-xs leading-none text-ink-3 sm:h-52">
          {[end, end / 2, 0].map((value) => (
            <span key={value} className="-my-1.5 block">
              {formatNumber(value)}
            </span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <div className="relative h-44 sm:h-52">
            <div className="absolute inset-0 flex flex-col justify-between">
              <div className="border-t border-line" />
              <div className="border-t border-line" />
              <div className="border-t border-line-strong" />
            </div>
            <div className="relative flex h-full items-end gap-[2px] sm:gap-1">
              {bars.map((bar) => (
                <Bar
                  key={bar.day}
                  bar={bar}
                  end={end}
                  expected={getExpected(bar.day, today, forecast)}
                  groups={groups}
                />
              ))}
            </div>
          </div>
          <DayLabels days={bars.map(({ day }) => day)} />
        </div>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {groups.map((group, index) => (
          <LegendItem key={group} color={COLORS[index] ?? OTHER_COLOR} text={nameGroup(group)} />
        ))}
        {otherGroups > 0 && <LegendItem color={OTHER_COLOR} text={`${otherGroups} others`} />}
        {forecast && <LegendItem color="border border-dashed border-line-strong" text="expected" />}
      </ul>
    </div>
  )
}

/** Returns the credits that the forecast adds to a day. */
function getExpected(day: string, today: string, forecast: Forecast | undefined): number {
  if (!forecast || day < today) return 0
  return day === today ? forecast.restOfToday : forecast.perDay
}

interface BarProps {
  readonly bar: DayBar
  readonly end: number
  readonly expected: number
  readonly groups: readonly string[]
}

function Bar({ bar: { day, parts, credits }, end, expected, groups }: BarProps) {
  const toHeight = (value: number) => ({ height: `${(value / end) * 100}%` })
  return (
    <div
      title={`${formatShortDay(day)}: ${formatNumber(credits)} credits`}
      className="flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-soft"
    >
      {expected > 0 && (
        <div style={toHeight(expected)} className="rounded-t-sm border border-b-0 border-dashed border-line-strong" />
      )}
      {parts
        .map((value, index) => (
          <div
            key={groups[index] ?? 'others'}
            style={toHeight(value)}
            className={classNames(COLORS[index] ?? OTHER_COLOR, 'first:rounded-t-sm')}
          />
        ))
        .toReversed()}
    </div>
  )
}

function DayLabels({ days }: { readonly days: readonly string[] }) {
  return (
    <div className="mt-1 flex gap-[2px] text-xs text-ink-3 sm:gap-1">
      {days.map((day, index) => (
        <span key={day} className="relative h-4 min-w-0 flex-1">
          {index % LABEL_EVERY === 0 && (
            <span
              className={classNames(
                'absolute left-0 whitespace-nowrap',
                index % (2 * LABEL_EVERY) !== 0 && 'max-sm:hidden',
                // The label of the last day would overflow the chart.
                index === days.length - 1 && 'hidden',
              )}
            >
              {formatShortDay(day)}
            </span>
          )}
        </span>
      ))}
    </div>
  )
}

function LegendItem({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <li className="flex min-w-0 items-center gap-1.5">
      <span aria-hidden className={classNames('size-2.5 shrink-0 rounded-xs', color)} />
      <span title={text} className="truncate">
        {text}
      </span>
    </li>
  )
}
