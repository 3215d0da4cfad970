// Summarises an isolation measurement: the limits that it must keep, and lines to print.
import { percentile } from '../../../service/test/support/load/percentile.ts'
import type { AnswerGroup } from './attacker.ts'
import type { IsolationReport } from './measure.ts'
import type { VictimAnswer } from './victim.ts'

const MAX_SHOWN_GROUPS = 8

export interface PhaseSummary {
  readonly calls: number
  /** Calls that were answered with 5xx, or not at all because the connection broke. */
  readonly serverErrors: number
  /** Calls with another status than 2xx or 5xx. */
  readonly otherRefusals: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export function summarisePhase(answers: readonly VictimAnswer[]): PhaseSummary {
  const times = answers.map(({ ms }) => ms)
  const isServerError = ({ status }: VictimAnswer) => status === 0 || status >= 500
  return {
    calls: answers.length,
    serverErrors: answers.filter(isServerError).length,
    otherRefusals: answers.filter((answer) => !isServerError(answer) && answer.status >= 300).length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    max: Math.max(...times),
  }
}

/** The highest p99 of the victim under attack that counts as isolated. */
export const computeBound = (baseline: PhaseSummary): number => 2 * baseline.p99 + 20

export function formatReport(title: string, report: IsolationReport): string {
  const [baseline, attacked, recovered] = [report.baseline, report.attacked, report.recovered].map(summarisePhase)
  if (!baseline || !attacked || !recovered) return title
  const [bound, hasPassed] = [computeBound(baseline), isIsolated(baseline, attacked)]
  return [
    `=== ${title}: ${hasPassed ? 'PASSED' : 'FAILED'}`,
    `victim   baseline  ${formatPhase(baseline)}`,
    `         attacked  ${formatPhase(attacked)}; allowed p99 ${bound.toFixed(1)}`,
    ...(recovered.calls > 0 ? [`         recovery  ${formatPhase(recovered)}`] : []),
    ...formatKinds(report.baseline, report.attacked),
    ...formatProblems(report.attacked),
    `attacker ${formatThroughput(report.attack)}`,
    ...report.attack.answers.slice(0, MAX_SHOWN_GROUPS).map(formatGroup),
    formatNode(report.node),
    '',
  ].join('\n')
}

export function isIsolated(baseline: PhaseSummary, attacked: PhaseSummary): boolean {
  const refusals = attacked.serverErrors + attacked.otherRefusals
  return refusals === 0 && attacked.p99 <= computeBound(baseline)
}

function formatPhase({ calls, serverErrors, otherRefusals, p50, p99, max }: PhaseSummary): string {
  const times = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)} ms`
  return `${calls} calls, ${serverErrors} × 5xx, ${otherRefusals} other non-2xx, ${times}`
}

/** Formats median and 99th percentile of each kind of call, before and during the attack. */
function formatKinds(baseline: readonly VictimAnswer[], attacked: readonly VictimAnswer[]): readonly string[] {
  const before = Map.groupBy(baseline, ({ kind }) => kind)
  const formatTimes = (answers: readonly VictimAnswer[]) => {
    const times = answers.map(({ ms }) => ms)
    return `p50 ${percentile(times, 0.5).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)}`
  }
  return [...Map.groupBy(attacked, ({ kind }) => kind)].map(
    ([kind, answers]) =>
      `           ${kind.padEnd(14)} ${formatTimes(before.get(kind) ?? [])} → ${formatTimes(answers)} ms`,
  )
}

function formatProblems(answers: readonly VictimAnswer[]): readonly string[] {
  const problems = answers.filter(({ problem }) => problem !== undefined)
  const groups = Map.groupBy(problems, ({ kind, status }) => `${status} ${kind}`)
  return [...groups].map(([name, group]) => `           ${group.length} × ${name}: ${group[0]?.problem?.slice(0, 200)}`)
}

function formatThroughput({ seconds, answers, unanswered }: IsolationReport['attack']): string {
  const calls = answers.reduce((sum, { count }) => sum + count, 0)
  return `${calls} calls in ${seconds.toFixed(1)} s, ${(calls / seconds).toFixed(1)} per second; ${unanswered} unanswered at the end`
}

function formatGroup({ status, code, message, retryAfter, count, medianMs, maxMs }: AnswerGroup): string {
  const reason = code === '' ? '' : ` ${code}, Retry-After ${retryAfter ?? 'absent'}: ${message}`
  return `         ${count} × ${status}, median ${medianMs.toFixed(0)}, max ${maxMs.toFixed(0)} ms${reason}`
}

function formatNode({ eventLoopDelayMs, residentMegabytes, processors }: IsolationReport['node']): string {
  const { baselineP99, attackP99, attackMax } = eventLoopDelayMs
  const formatUse = ({ postgres, node }: { postgres: number; node: number }) =>
    `PostgreSQL ${postgres.toFixed(2)}, node ${node.toFixed(2)}`
  return [
    `node     event-loop delay p99 ${baselineP99.toFixed(1)} → ${attackP99.toFixed(1)}, max ${attackMax.toFixed(1)} ms`,
    `resident memory ${residentMegabytes.before.toFixed(0)} → at most ${residentMegabytes.highest.toFixed(0)} MB`,
    `processors used: ${formatUse(processors.baseline)} → ${formatUse(processors.attack)}`,
  ].join('; ')
}
