// Prints the benchmark results as lines of text.
import { FIGURES, type Measured, meetsGoal, type SectionResult, type SideResult } from '../figures.ts'

/** Prints the results of a section. `commit` tells how charges are committed, and stands beside each figure. */
export function printReport({ measured, sides = [], notes = [] }: SectionResult, commit: string): void {
  for (const each of sides) process.stdout.write(`  ${formatSide(each)}\n`)
  for (const each of notes) process.stdout.write(`  ${each}\n`)
  for (const each of measured) process.stdout.write(`${formatFigure(each)}; ${commit}\n`)
}

/** Formats all benchmark figures as one line, the last line of the log. */
export function formatSummary(measured: readonly Measured[]): string {
  const missed = measured.filter((each) => !meetsGoal(each)).length
  const figures = measured.map(({ figure, ratio }) => `${figure} ${formatValue(ratio.value)}`)
  return `bench: ${measured.length - missed} of ${measured.length} goals met: ${figures.join(', ')}`
}

export const formatValue = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

export const formatShare = (share: number): string => (share === 0 ? '0' : `${(share * 100).toFixed(1)} %`)

function formatFigure(measured: Measured): string {
  const { name, goal } = FIGURES[measured.figure]
  const { value, min, max } = measured.ratio
  const mark = meetsGoal(measured) ? 'met   ' : 'missed'
  return `${mark} ${name}: ${formatValue(value)} (${formatValue(min)} to ${formatValue(max)}); goal ${goal.kind === 'min' ? '≥' : '≤'} ${goal.value}`
}

function formatSide({ comparison, side, perSecond, own, postgres, redis, client, refused }: SideResult): string {
  const costs = `CPU µs per call: process ${own.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)}, Redis ${redis.toFixed(0)}, client ${client.toFixed(0)}; refused ${formatShare(refused)}`
  return `${comparison}: ${side.padEnd(26)} ${perSecond.toFixed(0).padStart(6)} calls/s; ${costs}`
}
