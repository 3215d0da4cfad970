// The evaluator: follows the change log, and judges its rows in rounds until stopped. Several may run at once; the row of
// notify.evaluator lets one of them judge at a time (ADR 0035).
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { openSession, type Session } from '../database/session.ts'
import type { Log } from '../log.ts'
import { readPosition } from './evaluate/position.ts'
import { isSame, LOG_START, type LogPosition } from './evaluate/read-log.ts'
import { ROUND_LIMITS, type Round, type RoundLimits, runRound, WatchChangedError } from './evaluate/round.ts'
import { createSpanRegistry, type SpanRegistry } from './evaluate/spans.ts'
import type { NewEvent } from './evaluate/write-events.ts'

/** A poll costs two small statements, and events should follow a publication soon. */
const POLL_INTERVAL_MS = 500
/** Without news, a round looks for waves of our own changes that have ended. */
const IDLE_ROUND_INTERVAL_MS = 30_000
/** After the second failure in a row; a lost connection is usually there again at once. */
const RETRY_DELAY_MS = 5000

export interface EvaluatorMetrics {
  /** Changes that are not judged yet, and the age of the oldest; also while another process judges. */
  showLag(changes: number, seconds: number): void
  showSpans(spans: number, invalid: number): void
  countEvents(type: NewEvent['type'], events: number): void
  observeRound(seconds: number): void
  countFailure(): void
}

export interface EvaluatorOptions {
  /** The accounts database with the login vis_notify, and the database of the catalog or its replica. */
  readonly accountsUrl: string
  readonly catalogUrl: string
  readonly log: Log
  readonly metrics: EvaluatorMetrics
  readonly limits?: Partial<RoundLimits>
  /** Returns a hint for the operator if the database login lacks the rights of the evaluator. */
  readonly describeProblem?: (error: unknown) => string | undefined
}

export interface Evaluator {
  /** Ends after the round that is running. */
  stop(): Promise<void>
}

export function startEvaluator(options: EvaluatorOptions): Evaluator {
  const { log } = options
  const stopping = new AbortController()
  const accounts = openSession(options.accountsUrl, 'notify')
  const catalog = openSession(options.catalogUrl, 'notify-catalog')
  const registry = createSpanRegistry((watch, error) =>
    log.error({ watch, err: error }, 'a watch has a search that cannot be judged: it tells nothing'),
  )
  const ran = follow({ ...options, accounts, catalog, registry, signal: stopping.signal })
  return {
    stop: async () => {
      stopping.abort()
      await ran
      await Promise.all([accounts.close(), catalog.close()])
    },
  }
}

interface Parts extends EvaluatorOptions {
  readonly accounts: Session
  readonly catalog: Session
  readonly registry: SpanRegistry
  readonly signal: AbortSignal
}

interface Loop {
  /** Identifies the last position that this process wrote. */
  mark: string | undefined
  keepsWatches: boolean
  isFailing: boolean
  nextIdleRoundMs: number
}

async function follow(parts: Parts): Promise<void> {
  const loop: Loop = { mark: undefined, keepsWatches: false, isFailing: false, nextIdleRoundMs: 0 }
  while (!parts.signal.aborted) {
    const pauseMs = await takeStep(parts, loop).catch((error: unknown) => noteFailure(parts, loop, error))
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: parts.signal }).catch(() => {})
  }
}

/** Returns the pause until the next step. */
async function takeStep(parts: Parts, loop: Loop): Promise<number> {
  const isDue = (await look(parts)) || performance.now() >= loop.nextIdleRoundMs
  const result = isDue ? await judge(parts, loop) : 'idle'
  if (loop.isFailing) parts.log.info('watches are judged again')
  loop.isFailing = false
  return result === 'judged' || result === 'gap' ? 0 : POLL_INTERVAL_MS
}

function noteFailure({ registry, metrics, log, describeProblem }: Parts, loop: Loop, err: unknown): number {
  // It is not known what was committed.
  registry.forget()
  loop.keepsWatches = err instanceof WatchChangedError
  if (loop.keepsWatches) return 0
  metrics.countFailure()
  if (loop.isFailing) return RETRY_DELAY_MS
  log.error({ err, hint: describeProblem?.(err) }, 'watches cannot be judged; retrying')
  loop.isFailing = true
  return POLL_INTERVAL_MS
}

/** Returns whether there is something to judge. */
async function look({ accounts, catalog, registry, metrics }: Parts): Promise<boolean> {
  const { position } = await readPosition(accounts.db)
  const { newest, oldestAt, now } = await readWaiting(catalog.db, position ?? LOG_START)
  const isBehind = position === undefined || !isSame(position, newest)
  const seconds = position && oldestAt ? (now.getTime() - oldestAt.getTime()) / 1000 : 0
  metrics.showLag(position ? Math.max(0, Number(newest.seq - position.seq)) : 0, Math.max(0, seconds))
  return isBehind || (await registry.hasChanges(accounts.db))
}

interface Waiting {
  readonly newest: LogPosition
  /** When the first row after the position was recorded. */
  readonly oldestAt: Date | null
  readonly now: Date
}

async function readWaiting(catalog: Database, { seq }: LogPosition): Promise<Waiting> {
  const { rows } = await sql<{ seq: string; tag: string; oldestAt: Date | null; now: Date }>`
    select seq::text, tag::text, clock_timestamp() as now,
           (select at from catalog.change where seq > ${String(seq)} order by seq limit 1) as "oldestAt"
      from catalog.change
     order by change.seq desc
     limit 1
  `.execute(catalog)
  const [row] = rows
  if (!row) return { newest: LOG_START, oldestAt: null, now: new Date() }
  return { ...row, newest: { seq: BigInt(row.seq), tag: BigInt(row.tag) } }
}

async function judge(parts: Parts, loop: Loop): Promise<Round['result']> {
  const { accounts, catalog, registry, limits } = parts
  const { mark, keepsWatches } = loop
  const startedAt = performance.now()
  const context = {
    accounts,
    catalog: catalog.db,
    registry,
    limits: { ...ROUND_LIMITS, ...limits },
    mark,
    keepsWatches,
  }
  const round = await runRound(context)
  loop.mark = round.mark ?? mark
  loop.keepsWatches = false
  loop.nextIdleRoundMs = performance.now() + IDLE_ROUND_INTERVAL_MS
  showRound(parts, round, (performance.now() - startedAt) / 1000)
  return round.result
}

function showRound({ registry, metrics, log }: Parts, { result, rows, events }: Round, seconds: number): void {
  const spans = [...registry.all()].filter(({ until }) => until === null).length
  metrics.showSpans(spans, registry.invalid)
  for (const type of ['matched', 'recalculated', 'gap'] as const)
    metrics.countEvents(type, events.filter((event) => event.type === type).length)
  if (result === 'gap')
    log.error(
      { watches: events.length },
      'changes could not be judged: the watches were told, and continue at the newest change',
    )
  if (rows > 0 || events.length > 0) metrics.observeRound(seconds)
  if (events.length > 0) log.info({ rows, events: events.length, seconds }, 'watches judged')
}
