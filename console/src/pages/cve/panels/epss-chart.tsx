// EPSS scores over time as a line. The text is outside the scaled drawing, so that it has the same size on a phone.
import { type PointerEvent, useState } from 'react'
import type { EpssSeries } from 'vis-sdk'
import { formatProbability } from '../../../text/format.ts'
import { buildEpssChart, type ChartPoint, type EpssChart, findNearest, formatShare } from '../model/epss-chart.ts'

export function EpssLines({ series }: { readonly series: EpssSeries }) {
  const chart = buildEpssChart(series)
  const [pointed, setPointed] = useState<ChartPoint>()
  const point = pointed ?? chart.points.at(-1)
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(findNearest(chart.points, (clientX - left) / width))
  }
  return (
    <>
      <p className="mb-3 text-xs text-ink-2">
        {point && (
          <>
            {point.score.date} <span className="font-semibold text-ink">{formatProbability(point.score.score)}</span>
          </>
        )}
      </p>
      <div className="grid grid-cols-[3.25rem_minmax(0,1fr)]">
        <Scale top={chart.top} />
        <div onPointerMove={follow} onPointerLeave={() => setPointed(undefined)}>
          <Plot chart={chart} pointed={pointed} />
          <Days chart={chart} />
        </div>
      </div>
    </>
  )
}

/** Positions of the scale's ticks, as fractions from the top. */
const TICKS = [0, 0.5, 1] as const

function Scale({ top }: { readonly top: number }) {
  return (
    <svg aria-hidden="true" className="block h-48 w-full overflow-visible">
      {TICKS.map((y) => (
        <text key={y} x="100%" y={toPercent(y)} dx="-8" dy="4" textAnchor="end" className="fill-ink-2 text-xs">
          {formatShare(top * (1 - y))}
        </text>
      ))}
    </svg>
  )
}

function Plot({ chart, pointed }: { readonly chart: EpssChart; readonly pointed: ChartPoint | undefined }) {
  const { lines, bridges, marks } = chart
  return (
    <svg aria-hidden="true" className="block h-48 w-full overflow-visible">
      {TICKS.map((y) => (
        <line key={y} x1="0" x2="100%" y1={toPercent(y)} y2={toPercent(y)} className="stroke-line" />
      ))}
      {marks.map(({ letter, x }) => (
        <g key={letter}>
          <line x1={toPercent(x)} x2={toPercent(x)} y1="0" y2="100%" strokeDasharray="4 4" className="stroke-ink-3" />
          <text x={toPercent(x)} y="0" dx="5" dy="12" className="fill-ink text-xs font-semibold">
            {letter}
          </text>
        </g>
      ))}
      {/* Only this part is scaled to the width of the page. */}
      <svg aria-hidden="true" viewBox="0 0 1 1" preserveAspectRatio="none" className="overflow-visible">
        {bridges.map((points) => (
          <Line key={points[0].x} points={points} className="stroke-accent opacity-60" strokeDasharray="2 4" />
        ))}
        {lines.map((points) => (
          <Line key={points[0]?.x} points={points} className="stroke-accent" />
        ))}
      </svg>
      {lines
        .filter(({ length }) => length === 1)
        .flat()
        .map(({ x, y }) => (
          <circle key={x} cx={toPercent(x)} cy={toPercent(y)} r="3" className="fill-accent" />
        ))}
      {pointed && (
        <>
          <line x1={toPercent(pointed.x)} x2={toPercent(pointed.x)} y1="0" y2="100%" className="stroke-line-strong" />
          <circle cx={toPercent(pointed.x)} cy={toPercent(pointed.y)} r="4.5" className="fill-accent stroke-panel" />
        </>
      )}
    </svg>
  )
}

interface LineProps {
  readonly points: readonly ChartPoint[]
  readonly className: string
  readonly strokeDasharray?: string
}

function Line({ points, ...style }: LineProps) {
  return (
    <polyline
      points={points.map(({ x, y }) => `${x.toFixed(5)},${y.toFixed(5)}`).join(' ')}
      fill="none"
      strokeWidth="2"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
      {...style}
    />
  )
}

function Days({ chart: { axis } }: { readonly chart: EpssChart }) {
  return (
    <svg aria-hidden="true" className="mt-1 block h-5 w-full overflow-visible">
      {axis.ticks.map(({ at, label }) => (
        <text key={label} x={toPercent(at)} y="14" textAnchor="middle" className="fill-ink-2 text-xs">
          {label}
        </text>
      ))}
    </svg>
  )
}

/** Explains the letters and the dotted lines in the chart. It is next to the chart, so that everyone can read it. */
export function EpssLegend({ series }: { readonly series: EpssSeries }) {
  const { marks, bridges } = buildEpssChart(series)
  if (marks.length === 0 && bridges.length === 0) return null
  return (
    <ul className="mt-2 space-y-0.5 text-xs text-ink-2">
      {marks.map(({ letter, text }) => (
        <li key={letter}>
          <span className="font-semibold text-ink">{letter}</span> {text}. Scores before and after it cannot be
          compared.
        </li>
      ))}
      {bridges.length > 0 && <li>Dotted: days without a score.</li>}
    </ul>
  )
}

function toPercent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}
