// Formats the state of feeds: JSON for scripts, tables and notes for people.
import { formatInstant } from '../../domain/instant.ts'
import type { FeedState, RunRow } from '../../feeds/engine/feed-status.ts'
import type { Table } from './print.ts'
import { formatDuration } from './progress.ts'

export type RenderedState = ReturnType<typeof renderState>

export function renderState(state: FeedState, staleAfterSeconds: number, now: Date) {
  const age = state.lastSuccessAt && Math.max(0, Math.floor((now.getTime() - state.lastSuccessAt.getTime()) / 1000))
  return {
    feed: state.name,
    state: state.isRunning ? 'running' : describeState(age, staleAfterSeconds, state.failures),
    stale: age === null || age > staleAfterSeconds,
    last_success_at: formatNullable(state.lastSuccessAt),
    age_seconds: age,
    upstream_at: formatNullable(state.upstreamAt),
    records: state.records,
    read: state.lastRun?.read ?? 0,
    written: state.lastRun?.written ?? 0,
    rejected: state.lastRun?.rejected ?? 0,
    failures: state.failures,
    next_due_at: formatNullable(state.nextDueAt),
    fault: state.lastRun?.error ?? null,
  }
}

function describeState(ageSeconds: number | null, staleAfterSeconds: number, failures: number): string {
  if (ageSeconds === null) return failures > 0 ? 'never, failing' : 'never run'
  const age = ageSeconds > staleAfterSeconds ? 'stale' : 'fresh'
  return failures > 0 ? `${age}, failing` : age
}

export function buildStateTable(states: readonly RenderedState[]): Table {
  return {
    headings: ['feed', 'state', 'last success', 'age', 'upstream', 'records', 'rejected', 'next'],
    rows: states.map((state) => [
      state.feed,
      state.state,
      state.last_success_at ?? 'never',
      state.age_seconds === null ? '' : formatDuration(state.age_seconds),
      state.upstream_at ?? 'unknown',
      state.records,
      state.rejected,
      state.next_due_at ?? 'now',
    ]),
  }
}

/** Returns the error of the last run of each feed that has not succeeded since that error. */
export function describeErrors(states: readonly RenderedState[]): string[] {
  return states.flatMap(({ feed, fault, failures }) =>
    fault === null || failures === 0
      ? []
      : [
          `${feed}: ${fault} (failed ${failures === 1 ? 'once' : `${failures} times in a row`}; details: vis-server feeds ${feed})`,
        ],
  )
}

export const renderRun = (run: RunRow) => ({
  id: run.id,
  origin: run.origin,
  outcome: run.outcome,
  started_at: formatInstant(run.startedAt),
  finished_at: formatNullable(run.finishedAt),
  read: run.read,
  written: run.written,
  rejected: run.rejected,
  notices: run.notices,
  fault: run.error,
})

export function buildRunTable(runs: readonly RunRow[]): Table {
  return {
    headings: ['started', 'from', 'outcome', 'took', 'read', 'written', 'rejected', 'error'],
    rows: runs.map((run) => [
      formatInstant(run.startedAt),
      run.origin,
      run.outcome,
      run.finishedAt ? formatDuration((run.finishedAt.getTime() - run.startedAt.getTime()) / 1000) : '',
      run.read,
      run.written,
      run.rejected,
      run.error ?? '',
    ]),
  }
}

function formatNullable(instant: Date | null): string | null {
  return instant && formatInstant(instant)
}
