// Formats the state of feeds: JSON for scripts, tables and notes for people.

import { describeLoading, type Loading } from '../../contract/response/loading.ts'
import { formatInstant } from '../../domain/instant.ts'
import { ageInSeconds, isNeverLoaded, isOutdated, isStale } from '../../domain/source/data-age.ts'
import type { FeedState, RunRow } from '../../feeds/engine/feed-status.ts'
import type { Table } from './print.ts'
import { formatDuration } from './progress.ts'

export type RenderedState = ReturnType<typeof renderState>

export function renderState(state: FeedState, staleAfterSeconds: number, now: Date) {
  const isTooOld = isStale({ ...state, staleAfterSeconds }, now)
  return {
    feed: state.name,
    state: state.isRunning ? 'running' : describeState(state, isTooOld, now),
    stale: isTooOld,
    last_success_at: formatNullable(state.lastSuccessAt),
    age_seconds: ageInSeconds(state.lastSuccessAt, now),
    upstream_at: formatNullable(state.upstreamAt),
    data_age_seconds: ageInSeconds(state.upstreamAt, now),
    records: state.records,
    never_loaded: isNeverLoaded({ ...state, tableCount: state.records }),
    read: state.lastRun?.read ?? 0,
    written: state.lastRun?.written ?? 0,
    rejected: state.lastRun?.rejected ?? 0,
    truncated: state.lastRun?.truncated ?? 0,
    failures: state.failures,
    next_due_at: formatNullable(state.nextDueAt),
    fault: state.lastRun?.error ?? null,
  }
}

function describeState(state: FeedState, isTooOld: boolean, now: Date): string {
  const { name, lastSuccessAt, upstreamAt, failures } = state
  if (lastSuccessAt === null) return failures > 0 ? 'never, failing' : 'never run'
  const staleness = isOutdated(name, upstreamAt, now) ? 'stale data' : 'stale'
  const age = isTooOld ? staleness : 'fresh'
  return failures > 0 ? `${age}, failing` : age
}

export function buildStateTable(states: readonly RenderedState[]): Table {
  return {
    headings: [
      'feed',
      'state',
      'last success',
      'age',
      'upstream',
      'data age',
      'records',
      'rejected',
      'truncated',
      'next',
    ],
    rows: states.map((state) => [
      state.feed,
      state.state,
      state.last_success_at ?? 'never',
      state.age_seconds === null ? '' : formatDuration(state.age_seconds),
      state.upstream_at ?? 'unknown',
      state.data_age_seconds === null ? '' : formatDuration(state.data_age_seconds),
      state.never_loaded ? 'never loaded' : state.records,
      state.rejected,
      state.truncated,
      state.next_due_at ?? 'now',
    ]),
  }
}

export function describeErrors(states: readonly RenderedState[]): string[] {
  return states.flatMap(({ feed, fault, failures }) =>
    fault === null || failures === 0
      ? []
      : [
          `${feed}: ${fault} (failed ${failures === 1 ? 'once' : `${failures} times in a row`}; details: vis-server feeds ${feed})`,
        ],
  )
}

export function describeFirstLoad(loading: Loading): string {
  const waiting = loading.waiting_for.length === 0 ? '' : `; it waits for ${loading.waiting_for.join(', ')}`
  return `The catalog is loading for the first time: ${describeLoading(loading)}${waiting}.`
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
  truncated: run.truncated,
  notices: run.notices,
  fault: run.error,
})

export function buildRunTable(runs: readonly RunRow[]): Table {
  return {
    headings: ['started', 'from', 'outcome', 'took', 'read', 'written', 'rejected', 'truncated', 'error'],
    rows: runs.map((run) => [
      formatInstant(run.startedAt),
      run.origin,
      run.outcome,
      run.finishedAt ? formatDuration((run.finishedAt.getTime() - run.startedAt.getTime()) / 1000) : '',
      run.read,
      run.written,
      run.rejected,
      run.truncated,
      run.error ?? '',
    ]),
  }
}

function formatNullable(instant: Date | null): string | null {
  return instant && formatInstant(instant)
}
