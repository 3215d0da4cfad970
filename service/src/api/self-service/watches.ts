// What the endpoints of watches share: reading, counting and showing a watch, and the error of each outcome.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Inbox } from '../../accounts/watches/own-events.ts'
import {
  type ListedWatch,
  readOwnWatches,
  type WatchChange,
  type WatchRow,
} from '../../accounts/watches/own-watches.ts'
import { type ApiError, planRefused, scopeRefused } from '../../contract/response/errors.ts'
import { nameTaken, tooManyViewChanges, tooManyViews } from '../../contract/views.ts'
import {
  feedExists,
  noFeed,
  noSuchSharedView,
  noSuchWatch,
  tooManyWatches,
  viewNotShared,
  watchChanged,
  watchChangeRefused,
  watchedAlready,
} from '../../contract/watches/errors.ts'
import { MAX_EVENTS_PER_WEEK } from '../../contract/watches/watch.ts'
import { classifyDatabaseError } from '../../database/classify-error.ts'
import type { Database } from '../../database/postgres.ts'
import { formatPosition, type Position } from '../../domain/change/position.ts'
import { formatInstant } from '../../domain/instant.ts'
import { WATCH_KIND_NAMES, type WatchKind } from '../../domain/watch/kinds.ts'
import { NEWEST_POSITION, toPosition } from '../../record/change-log/position-text.ts'
import { countFacets } from '../../search/facets/count-facets.ts'
import type { FilterValues } from '../../search/filters/table.ts'
import { findRequiredPlan } from '../../search/filters/values/source.ts'
import { findUnknownNames } from '../../search/names/find-unknown-names.ts'
import { createFilterReader, toSearch } from '../../search/views/view-query.ts'
import { resolveWords } from '../../search/words/resolve.ts'
import { requireCaller, type Services } from '../services.ts'
import { actForCaller } from './act.ts'

/** Calls a function of the accounts database that needs the scope watch. */
export function actForWatch<T>(services: Services, work: Parameters<typeof actForCaller<T>>[1]): Promise<T> {
  return actForCaller(services, work, 'watch')
}

/** The node's memory can be half a second behind, or empty after its start. */
export async function readNewestPosition(db: Database): Promise<Position> {
  const { rows } = await sql<{ newest: string | null }>`select ${NEWEST_POSITION} as newest`.execute(db)
  return toPosition(rows[0]?.newest)
}

export async function renderEvaluated({ judged }: Inbox, db: Database) {
  return { position: judged, newest: formatPosition(await readNewestPosition(db)) }
}

/** Each word once, in the order of the documentation: equal watches are stored alike. */
export const sortKinds = (kinds: readonly WatchKind[]) => WATCH_KIND_NAMES.filter((kind) => kinds.includes(kind))

export async function readOwnWatch(services: Services, id: string): Promise<ListedWatch> {
  const [watch] = await actForWatch(services, (accounts, credential) =>
    readOwnWatches(accounts, credential, { id, count: 1 }),
  )
  if (!watch) throw noSuchWatch(id)
  return watch
}

export function readStoredFilters(query: string, now: Date): FilterValues {
  const reading = createFilterReader(now)(query)
  if ('value' in reading) return reading.value
  throw new Error('the stored query of a watch is not valid any more')
}

/** Throws 403 if the plan of the account may not filter by the source that the query names (decision A12). */
export function assertSourceAllowed(query: string, services: Services): void {
  const required = findRequiredPlan(readStoredFilters(query, services.now).vendor)
  if (required !== undefined && required !== requireCaller(services).plan) throw planRefused(required)
}

const MAX_COUNT_MS = 5000

/** Null if the CVEs could not be counted in time: a watch that was saved must be shown. */
export async function countMatching(query: string, services: Services): Promise<number | null> {
  const late = new AbortController()
  try {
    return await Promise.race([count(query, services), sleep(MAX_COUNT_MS, null, { signal: late.signal, ref: false })])
  } finally {
    late.abort()
  }
}

async function count(query: string, { db, countInMemory, now }: Services): Promise<number | null> {
  const values = readStoredFilters(query, now)
  try {
    if (values.q !== undefined) await resolveWords(db, values.q)
    return (await countFacets(db, countInMemory, { values, facets: [], size: 1, names: {} })).total
  } catch (error) {
    if (classifyDatabaseError(error) === 'timeout') return null
    throw error
  }
}

/** The data of an answer about one watch. */
export async function describeWatch(watch: ListedWatch, services: Services) {
  const matchingNow = await countMatching(watch.query, services)
  const filters = readStoredFilters(watch.query, services.now)
  const unknown = await findUnknownNames(services.db, filters, (matchingNow ?? 0) > 0)
  return {
    watch: renderWatch(watch, services.now, matchingNow),
    ...(unknown.length > 0 && { did_you_mean: unknown }),
  }
}

/** `matchingNow`: undefined if it is not asked for. */
export function renderWatch(watch: ListedWatch, now: Date, matchingNow?: number | null) {
  const perWeek = watch.daily.reduce((sum, count) => sum + count, 0)
  return {
    id: watch.id,
    name: watch.name,
    team: watch.team,
    query: watch.query,
    search: toSearch(watch.query, now),
    on: watch.kinds,
    state: findState(watch, now),
    snoozed_until: watch.snoozedUntil && formatInstant(watch.snoozedUntil),
    ...(matchingNow !== undefined && { matching_now: matchingNow }),
    last_event: watch.lastEvent && {
      nr: watch.lastEvent.nr,
      cve_id: watch.lastEvent.cveId,
      on: watch.lastEvent.kinds,
      told_at: formatInstant(watch.lastEvent.at),
    },
    daily_events: watch.daily,
    ...(perWeek > MAX_EVENTS_PER_WEEK && { warning: warnOfNoise(perWeek) }),
    feed: watch.hasFeed,
    member_id: watch.memberId,
    revision: watch.revision,
    created_at: formatInstant(watch.createdAt),
    changed_at: formatInstant(watch.changedAt),
  }
}

const warnOfNoise = (perWeek: number) =>
  `It told ${perWeek} events within the last seven days. Add priority to its query, or ask for fewer words in on.`

function findState({ isPaused, snoozedUntil }: WatchRow, now: Date) {
  if (isPaused) return 'paused'
  return snoozedUntil !== null && snoozedUntil > now ? 'snoozed' : 'active'
}

/** Returns the watch after a change. Throws the error of an outcome other than `done`. */
export function requireWatch(change: WatchChange, id: string): WatchRow {
  if (change.outcome === 'done' && change.watch) return change.watch
  throw toError(change, id)
}

function toError({ outcome, watch, allowed = 0 }: WatchChange, id: string): ApiError {
  switch (outcome) {
    case 'conflict':
      return watchChanged(id, watch?.revision ?? 0)
    case 'name':
      return nameTaken()
    case 'own':
      return viewNotShared(id)
    case 'watched':
      return watchedAlready(id)
    case 'limit':
      return tooManyWatches(allowed)
    case 'shared limit':
      return tooManyViews(true)
    case 'role':
      return watchChangeRefused()
    case 'too many':
      return tooManyViewChanges()
    case 'forbidden':
      return scopeRefused('watch')
    case 'exists':
      return feedExists(id)
    case 'none':
      return noFeed(id)
    default:
      return noSuchWatch(id)
  }
}

export function refuseView(change: WatchChange, id: string): ApiError {
  return change.outcome === 'unknown' ? noSuchSharedView(id) : toError(change, id)
}
