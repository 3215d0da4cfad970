// The whole period as a strip, with a frame around the part that the chart shows. Dragging moves the frame; the keys [
// and ] do the same.
import type { PointerEvent } from 'react'
import { formatDate } from '../../../text/date-words.ts'
import { DAY_MS, toDay } from '../../../text/days.ts'
import type { Mark } from './lanes.ts'
import { centerOn, type Period, place } from './layout.ts'

interface StripProps {
  readonly marks: readonly Mark[]
  readonly whole: Period
  readonly period: Period
  readonly onMove: (period: Period) => void
}

const percent = (share: number) => `${(Math.max(0, Math.min(1, share)) * 100).toFixed(2)}%`

export function PeriodStrip({ marks, whole, period, onMove }: StripProps) {
  const move = ({ currentTarget, clientX, buttons }: PointerEvent<SVGSVGElement>) => {
    if (buttons === 0) return
    const { left, width } = currentTarget.getBoundingClientRect()
    const start = Date.parse(whole.from)
    const share = Math.max(0, Math.min(1, (clientX - left) / width))
    const time = start + share * (Date.parse(whole.to) - start)
    onMove(centerOn(toDay(new Date(Math.round(time / DAY_MS) * DAY_MS)), period))
  }
  const [from, to] = [place(period.from, whole), place(period.to, whole)]
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] print:hidden">
      <span aria-hidden className="pt-1 text-xs text-ink-3">
        Whole
      </span>
      <svg
        aria-hidden="true"
        className="block w-full cursor-ew-resize touch-none overflow-visible"
        height="44"
        onPointerDown={move}
        onPointerMove={move}
      >
        <rect x="0" y="4" width="100%" height="22" rx="4" className="fill-soft" />
        {marks.map(({ lane, day }) => (
          <circle key={`${lane} ${day}`} cx={percent(place(day, whole))} cy="15" r="2.5" className="fill-ink-3" />
        ))}
        <rect
          x={percent(from)}
          y="3"
          width={percent(Math.max(0.008, Math.min(1, to) - Math.max(0, from)))}
          height="24"
          rx="4"
          fillOpacity="0.12"
          strokeWidth="2"
          className="fill-accent stroke-accent"
        />
        <text x="0" y="41" className="fill-ink-3 text-xs">
          {formatDate(whole.from)}
        </text>
        <text x="100%" y="41" textAnchor="end" className="fill-ink-3 text-xs">
          {formatDate(whole.to)}
        </text>
      </svg>
    </div>
  )
}
