// A small line without an axis. Values that are unknown are left out, and the numbers are in the text beside it.
interface SparklineProps {
  /** Oldest first; null for a value that is not known. */
  readonly values: readonly (number | null)[]
  readonly tone: 'critical' | 'accent' | 'neutral'
  /** Whether the line begins at 0. Without it, the smallest value is at the bottom. */
  readonly startsAtZero?: boolean
}

const TONES = {
  critical: ['fill-critical-soft', 'stroke-critical-solid'],
  accent: ['fill-accent-soft', 'stroke-series-1'],
  neutral: ['fill-soft', 'stroke-line-strong'],
} as const

const [WIDTH, TOP, BOTTOM] = [100, 2, 29]

export function Sparkline({ values, tone, startsAtZero = true }: SparklineProps) {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]))
  if (known.length < 2)
    return <span aria-hidden className="hatched block h-8.5 w-full rounded-sm opacity-60 max-sm:h-6" />
  const numbers = known.map(({ value }) => value)
  const low = startsAtZero ? 0 : Math.min(...numbers)
  const span = Math.max(...numbers) - low || 1
  const points = known.map(({ index, value }) => {
    const x = (index / (values.length - 1)) * WIDTH
    return `${x.toFixed(1)} ${(BOTTOM - ((value - low) / span) * (BOTTOM - TOP)).toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  const [first = '0', last = '0'] = [points[0]?.split(' ')[0], points.at(-1)?.split(' ')[0]]
  const [area, stroke] = TONES[tone]
  return (
    <svg aria-hidden viewBox="0 0 100 30" preserveAspectRatio="none" className="block h-8.5 w-full max-sm:h-6">
      <path d={`${line}L${last} 30L${first} 30z`} className={area} />
      <path
        d={line}
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className={stroke}
      />
    </svg>
  )
}
