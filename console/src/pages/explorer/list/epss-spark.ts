// The EPSS scores of the last weeks as a small line. All lines share one scale from 0 to 100 %, so that rows can be
// compared.
import type { ListedCve } from 'vis-sdk'
import { formatDate } from '../../../text/date-words.ts'
import { formatProbability } from '../../../text/format.ts'

export type EpssTrend = NonNullable<ListedCve['epss_trend']>

export const [SPARK_WIDTH, SPARK_HEIGHT] = [40, 16]
/** Half of the line's width, so that a line at 0 or 100 % is not cut. */
const MARGIN = 1
const MIN_SCORES = 2

/**
 * Returns the path of the line, in which a week without a score is a gap; undefined if there are too few scores for a
 * line. A score between two gaps is a line without a length, which a round line cap shows as a dot.
 */
export function buildSparkPath(scores: EpssTrend['scores']): string | undefined {
  if (countKnown(scores) < MIN_SCORES) return undefined
  const step = (SPARK_WIDTH - 2 * MARGIN) / (scores.length - 1)
  return scores
    .flatMap((score, week) => {
      if (score === null) return []
      const point = `${round(MARGIN + week * step)} ${round(SPARK_HEIGHT - MARGIN - score * (SPARK_HEIGHT - 2 * MARGIN))}`
      const [isFirst, isLast] = [(scores[week - 1] ?? null) === null, (scores[week + 1] ?? null) === null]
      return `${isFirst ? 'M' : 'L'}${point}${isFirst && isLast ? 'h0' : ''}`
    })
    .join('')
}

/** Describes score and range: `EPSS 12.0 %, between 3.0 % and 12.0 % in 90 days; new EPSS model on 15 Jun 2026`. */
export function describeEpssTrend(score: number, trend: EpssTrend | undefined): string {
  const now = `EPSS ${formatProbability(score)}`
  if (!trend || trend.lowest === null || trend.highest === null) return now
  const [lowest, highest] = [formatProbability(trend.lowest), formatProbability(trend.highest)]
  const [known, weeks] = [countKnown(trend.scores), trend.scores.length]
  if (known < MIN_SCORES) return `${now}; scores are known of one week`
  const range = lowest === highest ? `always about ${lowest}` : `between ${lowest} and ${highest}`
  const share = known < weeks ? ` (scores of ${known} of ${weeks} weeks)` : ''
  const models = trend.model_changes.map(({ date }) => `; new EPSS model on ${formatDate(date)}`)
  return `${now}, ${range} in 90 days${share}${models.join('')}`
}

const countKnown = (scores: EpssTrend['scores']) => scores.filter((score) => score !== null).length

const round = (value: number) => Number(value.toFixed(1))
