// How feeds are doing, as JSON for scripts and as lines for people.
import { formatInstant } from '../../domain/instant.ts'
import type { FeedState, RunRow } from '../../feeds/engine/feed-status.ts'
import { table } from './print.ts'
import { duration } from './progress.ts'

export type RenderedState = ReturnType<typeof renderState>

export function renderState(state: FeedState, staleAfterSeconds: number, now: Date) {
  const age = state.lastSuccessAt && Math.max(0, Math.floor((now.getTime() - state.lastSuccessAt.getTime()) / 1000))
  return {
    feed: state.name,
    state: state.isRunning ? 'running' : stateOf(age, staleAfterSeconds, state.failures),
    stale: age === null || age > staleAfterSeconds,
    last_success_at: instant(state.lastSuccessAt),
    age_seconds: age,
    upstream_at: instant(state.upstreamAt),
    records: state.records,
    read: state.lastRun?.read ?? 0,
    written: state.lastRun?.written ?? 0,
    rejected: state.lastRun?.rejected ?? 0,
    failures: state.failures,
    next_due_at: instant(state.nextDueAt),
    fault: state.lastRun?.fault ?? null,
  }
}

function stateOf(ageSeconds: number | null, staleAfterSeconds: number, failures: number): string {
  if (ageSeconds === null) return failures > 0 ? 'never, failing' : 'never run'
  const age = ageSeconds > staleAfterSeconds ? 'stale' : 'fresh'
  return failures > 0 ? `${age}, failing` : age
}

export function stateTable(states: readonly RenderedState[]): string {
  return table(
    ['feed', 'state', 'last success', 'age', 'upstream', 'records', 'rejected', 'next'],
    states.map((each) => [
      each.feed,
      each.state,
      each.last_success_at ?? 'never',
      each.age_seconds === null ? '' : duration(each.age_seconds),
      each.upstream_at ?? 'unknown',
      each.records,
      each.rejected,
      each.next_due_at ?? 'now',
    ]),
  )
}

/** The last run's fault, as long as nothing has gone well since. */
export function faultsOf(states: readonly RenderedState[]): string[] {
  return states.flatMap(({ feed, fault, failures }) =>
    fault === null || failures === 0 ? [] : [`${feed}: ${fault} (${failures} in a row; vis-server feeds ${feed})`],
  )
}

export const renderRun = (run: RunRow) => ({
  id: run.id,
  origin: run.origin,
  outcome: run.outcome,
  started_at: formatInstant(run.startedAt),
  finished_at: instant(run.finishedAt),
  read: run.read,
  written: run.written,
  rejected: run.rejected,
  notices: run.notices,
  fault: run.fault,
})

export function runTable(runs: readonly RunRow[]): string {
  return table(
    ['started', 'from', 'outcome', 'took', 'read', 'written', 'rejected', 'fault'],
    runs.map((run) => [
      formatInstant(run.startedAt),
      run.origin,
      run.outcome,
      run.finishedAt ? duration((run.finishedAt.getTime() - run.startedAt.getTime()) / 1000) : '',
      run.read,
      run.written,
      run.rejected,
      run.fault ?? '',
    ]),
  )
}

const instant = (value: Date | null): string | null => value && formatInstant(value)
