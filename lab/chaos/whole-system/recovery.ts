// Computes from the recorded calls how a fault showed to callers and how soon the service had recovered.
import type { NodeName } from './cluster.ts'
import type { SystemAttempt } from './load.ts'

/** One fault that was caused. Times are values of performance.now(). */
export interface FaultRun {
  readonly kind: string
  readonly detail: string
  readonly startedAtMs: number
  /** When the broken part was repaired. */
  readonly repairedAtMs: number
  /** When the calls of the next fault begin to count; the end of the test for the last fault. */
  readonly observedUntilMs: number
}

export interface Recovery {
  readonly calls: number
  readonly refused: number
  readonly unanswered: number
  /** Milliseconds from the repair until every node has served a charged call; undefined if a node served none. */
  readonly servedAfterMs: number | undefined
  /** Milliseconds from the repair until the latency was normal again; undefined if it was not. */
  readonly normalAfterMs: number | undefined
}

const WINDOW_MS = 500
const MIN_CALLS = 5

export function computeRecovery(
  history: readonly SystemAttempt[],
  run: FaultRun,
  limits: { readonly nodes: readonly NodeName[]; readonly normalMs: number },
): Recovery {
  const during = history.filter(({ sentAtMs }) => sentAtMs >= run.startedAtMs && sentAtMs < run.repairedAtMs)
  const after = history.filter(({ sentAtMs }) => sentAtMs >= run.repairedAtMs && sentAtMs < run.observedUntilMs)
  const served = limits.nodes.map((name) =>
    Math.min(...after.filter((each) => isServed(each) && each.node === name).map(({ endedAtMs }) => endedAtMs)),
  )
  const servedAtMs = Math.max(...served)
  return {
    calls: during.length,
    refused: during.filter(({ answer }) => answer?.status === 503).length,
    unanswered: during.filter(({ answer }) => answer === undefined).length,
    servedAfterMs: Number.isFinite(servedAtMs) ? servedAtMs - run.repairedAtMs : undefined,
    normalAfterMs: findNormalLatency(after, run, limits.normalMs),
  }
}

const isServed = ({ answer, costHalf }: SystemAttempt) => answer?.status === 200 && costHalf > 0

/** Finds the first half second in which no call was refused or lost and 99 % of the calls were answered in time. */
function findNormalLatency(after: readonly SystemAttempt[], run: FaultRun, normalMs: number): number | undefined {
  for (let fromMs = run.repairedAtMs; fromMs + WINDOW_MS <= run.observedUntilMs; fromMs += WINDOW_MS / 5) {
    const calls = after.filter(({ sentAtMs }) => sentAtMs >= fromMs && sentAtMs < fromMs + WINDOW_MS)
    const hasFailure = calls.some(({ answer }) => answer === undefined || answer.status === 503)
    if (calls.length >= MIN_CALLS && !hasFailure && computeP99(calls) <= normalMs) return fromMs - run.repairedAtMs
  }
  return undefined
}

export function computeP99(calls: readonly SystemAttempt[]): number {
  const sorted = calls.map(({ sentAtMs, endedAtMs }) => endedAtMs - sentAtMs).toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

/** Formats one line per fault, with a header. */
export function formatTable(runs: readonly FaultRun[], recoveries: readonly Recovery[], startedAtMs: number): string {
  const header = ['#', 'fault', 'detail', 'at s', 'for s', 'calls', '503', 'no answer', 'served ms', 'normal ms']
  const rows = runs.map((run, n) => {
    const { calls = 0, refused = 0, unanswered = 0, servedAfterMs, normalAfterMs } = recoveries[n] ?? {}
    return [
      String(n + 1),
      run.kind,
      run.detail,
      ((run.startedAtMs - startedAtMs) / 1000).toFixed(0),
      ((run.repairedAtMs - run.startedAtMs) / 1000).toFixed(1),
      ...[calls, refused, unanswered].map(String),
      servedAfterMs?.toFixed(0) ?? '-',
      normalAfterMs?.toFixed(0) ?? '-',
    ]
  })
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
