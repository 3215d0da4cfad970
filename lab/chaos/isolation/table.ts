// The table of the isolation measurements: one line for each attack.
import { type AttackName, findAttack } from './attacks.ts'
import type { IsolationReport } from './measure.ts'
import { computeBound, isIsolated, type PhaseSummary, summarisePhase } from './report.ts'

/** Memory that a node may use at most, in MB. */
const MAX_MEGABYTES = 600

export interface TableRow {
  readonly attack: AttackName
  readonly baseline: PhaseSummary
  readonly attacked: PhaseSummary
  readonly megabytes: number
  readonly callsPerSecond: number
}

export function toTableRow(attack: AttackName, report: IsolationReport): TableRow {
  const { answers, unanswered, seconds } = report.attack
  const calls = answers.reduce((sum, { count }) => sum + count, unanswered)
  return {
    attack,
    baseline: summarisePhase(report.baseline),
    attacked: summarisePhase(report.attacked),
    megabytes: report.node.residentMegabytes.highest,
    callsPerSecond: calls / seconds,
  }
}

/** Returns what a row misses, in words; an empty list if the victim was isolated. */
export function listMisses({ baseline, attacked, megabytes }: TableRow): readonly string[] {
  const bound = computeBound(baseline)
  return [
    ...(attacked.serverErrors > 0 ? [`${attacked.serverErrors} × 5xx`] : []),
    ...(attacked.otherRefusals > 0 ? [`${attacked.otherRefusals} other refusals`] : []),
    ...(attacked.p99 > bound ? [`p99 ${attacked.p99.toFixed(0)} ms, allowed ${bound.toFixed(0)}`] : []),
    ...(megabytes > MAX_MEGABYTES ? [`${megabytes.toFixed(0)} MB, allowed ${MAX_MEGABYTES}`] : []),
  ]
}

const HEADER = `| attack | calls/s | p50 alone | p50 attacked | p99 alone | p99 attacked | allowed | 5xx | memory | |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
`

/** Formats the rows as a table in Markdown. Times are in milliseconds, memory in MB. */
export function formatTable(rows: readonly TableRow[]): string {
  return `${HEADER}${rows.map(formatRow).join('')}`
}

function formatRow(row: TableRow): string {
  const { attack, baseline, attacked, megabytes, callsPerSecond } = row
  const times = [baseline.p50, attacked.p50, baseline.p99, attacked.p99, computeBound(baseline)]
  const isPassed = isIsolated(baseline, attacked) && megabytes <= MAX_MEGABYTES
  const cells = [
    findAttack(attack).title,
    callsPerSecond.toFixed(0),
    ...times.map((ms) => ms.toFixed(1)),
    attacked.serverErrors,
    megabytes.toFixed(0),
    isPassed ? 'kept' : `missed: ${listMisses(row).join(', ')}`,
  ]
  return `| ${cells.join(' | ')} |\n`
}
