// Preview and explanation of a watch: its query judged against the changes of the last days.
import type { WatchSpan } from '../../accounts/watches/own-watches.ts'
import type { NoEventReason } from '../../contract/watches/preview.ts'
import type { Database } from '../../database/postgres.ts'
import { readSnapshot } from '../../database/read-snapshot.ts'
import { type CveKey, toCveId } from '../../domain/cve-id.ts'
import { formatInstant } from '../../domain/instant.ts'
import { findLevelOfRank } from '../../domain/priority/policy.ts'
import { WATCH_KIND_NAMES, type WatchKind } from '../../domain/watch/kinds.ts'
import { summarizeEvent } from '../../domain/watch/summarize.ts'
import type { FilterValues } from '../../search/filters/table.ts'
import { judgePast, type PastJudgement } from '../../search/watch/past/judge-past.ts'
import {
  listChangedKeys,
  listDays,
  readPastChanges,
  readPastRange,
  readTimeAfter,
} from '../../search/watch/past/read-past.ts'
import { readStoredQuery, type StoredQuery } from '../../search/watch/stored-query.ts'

const DAY_MS = 86_400_000
/** After this time, no further day is begun (decision E41). */
const MAX_PREVIEW_MS = 4000
/** A day with more changed CVEs is not judged: a first load, or a change of the rules. */
const MAX_KEYS_PER_DAY = 10_000
const KEYS_PER_PORTION = 500
const MAX_EXAMPLES = 20
const DAYS_OF_WEEK = 7
const MAX_PER_WEEK = 50

interface PreviewOptions {
  readonly query: string
  readonly filters: FilterValues
  readonly on: readonly WatchKind[]
  readonly days: number
  readonly now: Date
  readonly signal: AbortSignal
}

/** Judges whole days, the newest first, as far as the time allows. */
export function previewWatch(db: Database, options: PreviewOptions) {
  const { query, filters, on, days, now, signal } = options
  const [stored, startedAt] = [readStoredQuery(query), performance.now()]
  const bounds = { min: filters.epss_min, max: filters.epss_max }
  return readSnapshot(db, async (snapshot) => {
    const range = await readPastRange(snapshot, new Date(now.getTime() - days * DAY_MS))
    const listed = await listDays(snapshot, range.from)
    const judged: { readonly day: string; readonly told: readonly PastJudgement[] }[] = []
    let from: string | undefined
    for (const { day, first, last } of listed) {
      if (performance.now() - startedAt > MAX_PREVIEW_MS) break
      signal.throwIfAborted()
      const keys = await listChangedKeys(snapshot, { from: first, to: last }, bounds, MAX_KEYS_PER_DAY + 1)
      if (keys.length > MAX_KEYS_PER_DAY) break
      judged.unshift({ day, told: await judgeDay(snapshot, keys, { first, last, stored, signal }) })
      from = first
    }
    const isComplete = judged.length === listed.length
    const since = from === undefined ? null : await readTimeAfter(snapshot, from)
    return renderPreview(judged, on, { since, isComplete: isComplete && isFarEnough(range.since, now, days) })
  })
}

/** A service that began to keep changes later than asked knows less. */
const isFarEnough = (since: Date | null, now: Date, days: number) =>
  since !== null && now.getTime() - since.getTime() > (days - 1) * DAY_MS

interface DayToJudge {
  readonly first: string
  readonly last: string
  readonly stored: StoredQuery
  readonly signal: AbortSignal
}

async function judgeDay(
  db: Database,
  keys: readonly CveKey[],
  { first, last, stored, signal }: DayToJudge,
): Promise<readonly PastJudgement[]> {
  const told: PastJudgement[] = []
  for (let start = 0; start < keys.length; start += KEYS_PER_PORTION) {
    signal.throwIfAborted()
    const changes = await readPastChanges(db, keys.slice(start, start + KEYS_PER_PORTION), first)
    const ofDay = changes.filter(({ row }) => BigInt(row.seq) <= BigInt(last))
    told.push(...(await judgePast(db, ofDay, () => stored)).filter(({ kinds }) => kinds.length > 0))
  }
  return told
}

function renderPreview(
  judged: readonly { readonly day: string; readonly told: readonly PastJudgement[] }[],
  on: readonly WatchKind[],
  { since, isComplete }: { readonly since: Date | null; readonly isComplete: boolean },
) {
  const isAsked = ({ kinds }: PastJudgement) => kinds.some((kind) => on.includes(kind))
  const daily = judged.map(({ told }) => told.filter(isAsked).length)
  const total = daily.reduce((sum, count) => sum + count, 0)
  const perWeek =
    judged.length < DAYS_OF_WEEK ? undefined : Math.round((total / judged.length) * DAYS_OF_WEEK * 10) / 10
  const byKind = WATCH_KIND_NAMES.map((kind) => {
    const counts = judged.map(({ told }) => told.filter(({ kinds }) => kinds.includes(kind)).length)
    return { kind, count: counts.reduce((sum, count) => sum + count, 0), daily: counts }
  })
  const examples = judged
    .flatMap(({ told }) => told.filter(isAsked))
    .toSorted(compareNewest)
    .slice(0, MAX_EXAMPLES)
  return {
    examined_since: since && formatInstant(since),
    is_complete: isComplete,
    judged_days: judged.map(({ day }) => day),
    expected_total: total,
    expected_daily: daily,
    ...(perWeek !== undefined && { per_week: perWeek }),
    ...(perWeek !== undefined && perWeek > MAX_PER_WEEK && { warning: warnOfNoise(perWeek) }),
    by_kind: byKind.filter(({ count }) => count > 0),
    expected_events: examples.map((judgement) => renderExample(judgement, on)),
  }
}

const warnOfNoise = (perWeek: number) =>
  `Expects about ${Math.round(perWeek)} events a week. Add priority to the query, or ask for fewer words in on.`

const compareNewest = (one: PastJudgement, other: PastJudgement) =>
  BigInt(one.change.row.seq) < BigInt(other.change.row.seq) ? 1 : -1

function renderExample({ change, kinds, enteredBy }: PastJudgement, on: readonly WatchKind[]) {
  const { row, around } = change
  const told = kinds.filter((kind) => on.includes(kind))
  const facts = around.after ?? around.before
  return {
    cve_id: toCveId(around.step.key),
    on: told,
    entered_by: told.includes('entered') ? enteredBy : [],
    recorded_at: row.recordedAt,
    summary: summarizeEvent({
      on: told,
      enteredBy,
      diff: row.diff ?? {},
      products: facts?.products ?? [],
      productCount: facts?.products.length ?? 0,
      level: findLevelOfRank(facts?.values.priority ?? null),
    }),
  }
}

interface ToldEvent {
  readonly nr: number
  readonly isMuted: boolean
}

interface ExplainOptions {
  readonly spans: readonly WatchSpan[]
  /** The query of the watch as it is now, for changes outside of all spans. */
  readonly query: string
  readonly events: ReadonlyMap<string, ToldEvent>
  /** Number of the newest change that was judged; null if none was. */
  readonly judgedSeq: string | null
}

const findSpan = (spans: readonly WatchSpan[], seq: string) =>
  spans.find(({ from, until }) => BigInt(from) < BigInt(seq) && (until === null || BigInt(seq) <= BigInt(until)))

export const findSpanQuery = (spans: readonly WatchSpan[], query: string) => {
  const compiled = new Map<string, StoredQuery>()
  return (seq: string): StoredQuery => {
    const text = findSpan(spans, seq)?.query ?? query
    const known = compiled.get(text) ?? readStoredQuery(text)
    compiled.set(text, known)
    return known
  }
}

export function renderExplained(judgement: PastJudgement, options: ExplainOptions) {
  const { change, before, after, failed, kinds, enteredBy } = judgement
  const { row } = change
  const span = findSpan(options.spans, row.seq)
  const event = options.events.get(row.seq)
  const on = span ? kinds.filter((kind) => span.kinds.includes(kind)) : []
  return {
    position: row.position,
    recorded_at: row.recordedAt,
    at: row.upstreamDay,
    types: row.types,
    cause: row.cause,
    matched_before: before,
    matched_after: after,
    failed_filters: failed,
    entered_by: enteredBy,
    on,
    other_kinds: kinds.filter((kind) => !on.includes(kind)),
    event_nr: event?.nr ?? null,
    muted: event?.isMuted ?? false,
    no_event_because: event ? null : findReason(judgement, { on, isWatched: span !== undefined, ...options }),
  }
}

function findReason(
  { before, after, kinds, isRecalculated, change }: PastJudgement,
  { on, isWatched, judgedSeq }: ExplainOptions & { readonly on: readonly WatchKind[]; readonly isWatched: boolean },
): NoEventReason {
  if (!isWatched) return 'not_watched'
  if (!before && !after) return 'not_in_search'
  if (on.length > 0)
    return judgedSeq === null || BigInt(judgedSeq) < BigInt(change.row.seq) ? 'not_judged_yet' : 'not_recorded'
  if (isRecalculated) return 'recalculated'
  return kinds.length > 0 ? 'not_asked' : 'nothing_to_tell'
}
