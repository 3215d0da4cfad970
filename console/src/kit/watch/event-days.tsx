// The events of a watch in the last seven days: small bars, whose values are read by pointer, touch and arrow keys, and a
// text with all of them.
import { type KeyboardEvent, useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { formatShortDay, shiftDay } from '../../text/months.ts'
import { DayBars } from './day-bars.tsx'

interface EventDaysProps {
  /** Name of the watch. */
  readonly name: string
  /** One number for each day, today last. */
  readonly values: readonly number[]
  /** UTC day of now. */
  readonly today: string
}

export function EventDays({ name, values, today }: EventDaysProps) {
  const [marked, setMarked] = useState<number>()
  const days = values.map((value, index) => ({ value, day: shiftDay(today, index - values.length + 1) }))
  const chosen = marked === undefined ? undefined : days[marked]
  const sum = values.reduce((all, value) => all + value, 0)
  const move = (event: KeyboardEvent) => {
    const last = values.length - 1
    const current = marked ?? last + 1
    const next = {
      ArrowLeft: Math.max(0, current - 1),
      ArrowRight: Math.min(last, marked === undefined ? 0 : current + 1),
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setMarked(next)
  }
  return (
    <div className="flex items-center gap-2.5">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Events of ${name} per day`}
        aria-valuemin={0}
        aria-valuemax={values.length - 1}
        aria-valuenow={marked ?? values.length - 1}
        aria-valuetext={chosen ? describe(chosen) : days.map(describe).join(', ')}
        onKeyDown={move}
        onFocus={() => setMarked((before) => before ?? values.length - 1)}
        onBlur={() => setMarked(undefined)}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width } = currentTarget.getBoundingClientRect()
          const at = Math.floor(((clientX - left) / width) * values.length)
          setMarked(Math.min(values.length - 1, Math.max(0, at)))
        }}
        onPointerLeave={() => setMarked(undefined)}
        className="rounded-sm"
      >
        <DayBars values={values} marked={marked} />
      </div>
      <span className="w-20 text-xs whitespace-nowrap text-ink-2">{chosen ? describe(chosen) : describeSum(sum)}</span>
    </div>
  )
}

interface DayValue {
  readonly day: string
  readonly value: number
}

const describe = ({ day, value }: DayValue) => `${formatShortDay(day)}: ${formatNumber(value)}`

const describeSum = (sum: number) => (sum === 0 ? 'none' : `${formatNumber(sum)} in 7 days`)
