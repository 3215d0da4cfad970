// The figures as lines of text.
import { FIGURES, holds, type Measured, type SectionResult, type SideSeen } from '../figures.ts'

export function printReport({ measured, sides = [], remarks = [] }: SectionResult): void {
  for (const each of sides) process.stdout.write(`  ${sideLine(each)}\n`)
  for (const each of remarks) process.stdout.write(`  ${each}\n`)
  for (const each of measured) process.stdout.write(`${figureLine(each)}\n`)
}

/** All figures on one line, for those who look at the end of a log. */
export function summaryLine(measured: readonly Measured[]): string {
  const missed = measured.filter((each) => !holds(each)).length
  const figures = measured.map(({ figure, ratio }) => `${figure} ${shown(ratio.value)}`)
  return `bench: ${measured.length - missed} of ${measured.length} figures hold: ${figures.join(', ')}`
}

export const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

function figureLine(measured: Measured): string {
  const { name, bound } = FIGURES[measured.figure]
  const { value, least, greatest } = measured.ratio
  const mark = holds(measured) ? 'ok    ' : 'missed'
  return `${mark} ${name}: ${shown(value)} (${shown(least)} to ${shown(greatest)}); at ${bound.at} ${bound.value}`
}

function sideLine({ comparison, side, perSecond, own, postgres, redis }: SideSeen): string {
  const costs = `CPU µs per call: process ${own.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)}, Redis ${redis.toFixed(0)}`
  return `${comparison}: ${side.padEnd(18)} ${perSecond.toFixed(0).padStart(6)} calls/s; ${costs}`
}
