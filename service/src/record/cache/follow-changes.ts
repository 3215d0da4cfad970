// Polls the change log (catalog.change), evicts changed CVEs from the caches, and passes the rows on to the calls that
// are waiting for changes. The log and the CVEs are read from the same database, because a replica receives both
// together. Writers of the log hold a lock, so `seq` becomes visible in order and reading `seq > position` misses
// nothing.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { ChangeCause } from '../../domain/change/change.ts'
import { formatPosition, isSamePosition, type Position, START } from '../../domain/change/position.ts'
import { NEWEST_POSITION, POSITION, toPosition } from '../change-log/position-text.ts'
import type { PolledLog, WindowRow } from '../change-log/window.ts'

export interface ChangeListener {
  evict(key: string): void
  evictKevAndEpss(): void
  evictAll(): void
  /** Called after each poll, once the changed records are evicted. */
  advance(polled: PolledLog): void
}

export interface ChangeFollower {
  /** True if the last successful poll was less than STALE_AFTER_MS ago. */
  isCurrent(): boolean
  progress(): { readonly position: number; readonly pollAgeSeconds: number }
  stop(): Promise<void>
}

/** Called when polling starts to fail, and when it succeeds again. */
interface PollEvents {
  onError(error: unknown): void
  onRecovery(): void
}

const POLL_INTERVAL_MS = 500
/** Without a successful poll for this long, cached CVEs may be outdated and are not used. */
const STALE_AFTER_MS = 2000
/** After more changes than this, such as a bulk load, emptying the cache is cheaper than evicting CVEs one by one. */
const MAX_CHANGES = 10_000

export function followChanges(db: Database, listener: ChangeListener, events: PollEvents): ChangeFollower {
  let [position, lastPolledAt, isFailing] = [START, Number.NEGATIVE_INFINITY, false]
  const isCurrent = () => performance.now() - lastPolledAt < STALE_AFTER_MS
  const poll = async () => {
    const startedAt = performance.now()
    try {
      const { newest, oldest, isContinued, isLoading, changes } = await readChanges(db, position)
      const isComplete = isContinued && changes.length <= MAX_CHANGES
      // A first load writes no changes before its end.
      if (!isCurrent() || !isComplete || isLoading) listener.evictAll()
      else applyChanges(listener, changes)
      listener.advance({ newest, oldest, rows: isComplete ? changes : undefined })
      ;[position, lastPolledAt] = [newest, startedAt]
      if (isFailing) events.onRecovery()
      isFailing = false
    } catch (error) {
      if (!isFailing) events.onError(error)
      isFailing = true
    }
  }
  const createdAt = performance.now()
  const progress = () => ({
    position: Number(position.seq),
    pollAgeSeconds: (performance.now() - Math.max(lastPolledAt, createdAt)) / 1000,
  })
  return { isCurrent, progress, stop: repeat(poll, POLL_INTERVAL_MS) }
}

/** Pauses after each run, so that a slow database never receives two polls at once. */
function repeat(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const run = async (): Promise<void> => {
    await work()
    if (isStopped) return
    timer = setTimeout(() => {
      current = run()
    }, pauseMs)
    timer.unref()
  }
  let current = run()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await current
  }
}

function applyChanges(listener: ChangeListener, changes: readonly Change[]): void {
  for (const { key, kind } of changes) {
    if (key !== null) listener.evict(key)
    else if (kind === 'epss' || kind === 'kev') listener.evictKevAndEpss()
    // An advisory is in no record. New rules alone change none: each changed CVE gets its own row afterwards.
    else if (kind === 'advisory' || kind === 'rules') continue
    else listener.evictAll()
  }
}

interface Change extends WindowRow {
  readonly key: string | null
  readonly kind: string
}

interface ReadLog {
  readonly newest: Position
  readonly oldest: Position
  /**
   * False if a different row is now at the position already read: the database was replaced, for example by a backup.
   */
  readonly isContinued: boolean
  /** Whether the first load of the catalog is not finished. */
  readonly isLoading: boolean
  readonly changes: readonly Change[]
}

interface Row {
  readonly newest: string | null
  readonly oldest: string | null
  readonly is_continued: boolean
  readonly is_loading: boolean
  readonly position: string | null
  readonly cve_key: string | null
  readonly kind: string
  readonly types: readonly string[]
  readonly cause: ChangeCause
  readonly rank: number | null
}

/** Uses one statement, so that the bounds and the changes come from the same state of the database. */
async function readChanges(db: Database, position: Position): Promise<ReadLog> {
  const { rows } = await sql<Row>`
    with recent as (
      select seq, tag, cve_key, kind, types, cause
        from catalog.change
       where seq > ${position.seq}
       order by seq
       limit ${MAX_CHANGES + 1}
    )
    select ${NEWEST_POSITION} as newest,
           (select ${POSITION} from catalog.change order by seq limit 1) as oldest,
           coalesce(
             (select ${POSITION} = ${formatPosition(position)} from catalog.change where seq = ${position.seq}),
             ${isSamePosition(position, START)}
           ) as is_continued,
           exists (select from catalog.first_load where finished_at is null) as is_loading,
           case when recent.seq is not null then ${POSITION} end as position,
           recent.cve_key, recent.kind, recent.types, recent.cause, cve.priority as rank
      from (select) one
      left join recent on true
      left join catalog.cve on cve.cve_key = recent.cve_key
     order by recent.seq
  `.execute(db)
  const [first] = rows
  const changes = rows.flatMap(({ position: text, cve_key: key, kind, types, cause, rank }) =>
    text === null ? [] : [{ position: toPosition(text), key, kind, types, cause, rank }],
  )
  return {
    newest: toPosition(first?.newest),
    oldest: toPosition(first?.oldest),
    isContinued: first?.is_continued ?? false,
    isLoading: first?.is_loading ?? false,
    changes,
  }
}
