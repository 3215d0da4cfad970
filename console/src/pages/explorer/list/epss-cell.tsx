// The EPSS score of a row, with the scores of the last weeks as a small line beside it.
import { classNames } from '../../../text/class-names.ts'
import { formatEpss, formatProbability } from '../../../text/format.ts'
import type { Row } from '../row.ts'
import { Dash } from './dash.tsx'
import { buildSparkPath, describeEpssTrend, SPARK_HEIGHT, SPARK_WIDTH } from './epss-spark.ts'

/** Scores from here on are colored, as in the verdict of a CVE. */
const MIN_CRITICAL = 0.5

export function EpssCell({
  row: { epss, epss_trend: trend },
  isNarrow,
}: {
  readonly row: Row
  readonly isNarrow: boolean
}) {
  const path = trend && buildSparkPath(trend.scores)
  return (
    <span className="flex items-center justify-end gap-2">
      {epss && path !== undefined && (
        <svg
          aria-hidden
          viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
          preserveAspectRatio="none"
          className={classNames('h-4 shrink-0', isNarrow ? 'w-7' : 'w-10')}
        >
          <path d={`M0 ${SPARK_HEIGHT - 0.5}h${SPARK_WIDTH}`} className="stroke-line" />
          <path
            d={path}
            fill="none"
            strokeWidth="1.5"
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className={epss.score >= MIN_CRITICAL ? 'stroke-critical' : 'stroke-ink-3'}
          />
        </svg>
      )}
      <span className="min-w-11.5">
        <Epss score={epss?.score} title={epss && describeEpssTrend(epss.score, trend)} />
      </span>
    </span>
  )
}

interface EpssProps {
  readonly score: number | undefined
  /** Default: the exact value. */
  readonly title?: string | undefined
}

export function Epss({ score, title }: EpssProps) {
  if (score === undefined) return <Dash means="no EPSS score" />
  return (
    <span className="whitespace-nowrap" title={title ?? formatProbability(score)}>
      {formatEpss(score)}
    </span>
  )
}
