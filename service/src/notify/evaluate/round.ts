// One round of the evaluator: a transaction that judges the next rows of the change log, and writes the events, their
// numbers and the position together (ADR 0035). Whatever ends it before its commit, the next round repeats it.
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { readSnapshot } from '../../database/read-snapshot.ts'
import type { Session } from '../../database/session.ts'
import { createCollector, type Findings } from './findings.ts'
import { judgeRows } from './judge-rows.ts'
import { readMutes } from './mutes.ts'
import { createJudgedBy, isFinished, isOpenAfter, type JudgedRange, planRange } from './plan-round.ts'
import { takeFence, writePosition } from './position.ts'
import { findUnknown, type LogPosition, type LogState, readLogRows, readLogState } from './read-log.ts'
import type { Recalculation } from './recalculation.ts'
import { lockSpans, type Span, type SpanRegistry, spanKey } from './spans.ts'
import { deleteRecalculations, readRecalculations, readWaves, writeRecalculations, writeWaves } from './stored-waves.ts'
import { tellRecalculations } from './tell-recalculations.ts'
import { findEndedWaves, placeInWaves, planWaves, type Wave } from './waves.ts'
import { type NewEvent, toGap, toMatched, toRecalculated, writeEvents, writeNews } from './write-events.ts'
import { deleteSpans, renumberAfter, restartSpans, writeDone } from './write-spans.ts'

export interface RoundLimits {
  /** Rows of the log in one round. */
  readonly maxRows: number
  /** Events in one transaction. */
  readonly maxEvents: number
  /** Two changes of our own that are further apart in time belong to two waves. */
  readonly waveGapMs: number
  /** A wave ends when nothing was recorded for so long; longer than the gap, because a publication commits late. */
  readonly waveEndMs: number
}

export const ROUND_LIMITS: RoundLimits = {
  maxRows: 10_000,
  maxEvents: 50_000,
  waveGapMs: 10 * 60_000,
  waveEndMs: 15 * 60_000,
}

export interface RoundContext {
  /** The accounts database, with the login vis_notify. */
  readonly accounts: Session
  readonly catalog: Database
  readonly registry: SpanRegistry
  readonly limits: RoundLimits
  /** The mark of the last position that this process wrote. */
  readonly mark: string | undefined
  /** Watches are not changed while the round runs: one was changed during the last one. */
  readonly keepsWatches: boolean
}

export interface Round {
  /**
   * standby: another process judges. lagging: the catalog's replica has not reached the position. idle: there is nothing to
   * judge. judged: there may be more.
   */
  readonly result: 'standby' | 'lagging' | 'idle' | 'judged' | 'gap'
  readonly mark?: string
  readonly rows: number
  readonly events: readonly NewEvent[]
}

const NOTHING = { rows: 0, events: [] } as const

/** A watch was changed while its span was judged further than it now goes. */
export class WatchChangedError extends Error {
  override name = 'WatchChangedError'
}

/** Throws if nothing was written, or if it is not known whether it was: then the registry must forget. */
export async function runRound(context: RoundContext): Promise<Round> {
  const { accounts, registry } = context
  const afterCommit: (() => void)[] = []
  const round = await accounts.db.transaction().execute(async (tx) => {
    const fence = await takeFence(tx)
    if (!fence) return { result: 'standby', ...NOTHING } satisfies Round
    if (fence.mark !== context.mark) registry.forget()
    if (context.keepsWatches) await lockSpans(tx)
    await registry.refresh(tx, context.keepsWatches)
    return runFenced({ ...context, tx, afterCommit }, fence.position)
  })
  for (const act of afterCommit) act()
  return round
}

interface Fenced extends RoundContext {
  readonly tx: Transaction<unknown>
  readonly afterCommit: (() => void)[]
}

async function runFenced(fenced: Fenced, position: LogPosition | undefined): Promise<Round> {
  const { tx, catalog } = fenced
  const waves = await readWaves(tx)
  const read = await readSnapshot(catalog, (snapshot) => judgeNext(fenced, snapshot, position, waves))
  // Rows that were deleted meanwhile may be missing in the snapshot, which saw the old floor.
  const { floor } = await readLogState(catalog)
  const isGone = read.kind === 'range' && read.range.from < floor
  if (isGone || read.kind === 'gap') return tellGap(fenced, position, read.state.newest)
  switch (read.kind) {
    case 'lagging':
      return { result: 'lagging', ...NOTHING }
    case 'start':
      return start(fenced, read.state.newest)
    case 'lost':
      return tellLost(fenced, read.spans, read.position)
    case 'range':
      return commitRange(fenced, read, waves)
  }
}

type Read =
  | { readonly kind: 'lagging' | 'start' | 'gap'; readonly state: LogState }
  | { readonly kind: 'lost'; readonly spans: readonly Span[]; readonly position: LogPosition; readonly state: LogState }
  | JudgedRows

interface JudgedRows {
  readonly kind: 'range'
  readonly state: LogState
  readonly position: LogPosition
  readonly range: JudgedRange
  readonly rowCount: number
  readonly findings: Findings
  /** The newest wave of each cause after the rows. */
  readonly waves: readonly Wave[]
}

/** Reads one snapshot of the catalog, and writes nothing. */
async function judgeNext(
  { tx, registry, limits }: Fenced,
  snapshot: Database,
  position: LogPosition | undefined,
  waves: readonly Wave[],
): Promise<Read> {
  await sql`set local jit = off`.execute(snapshot)
  const state = await readLogState(snapshot)
  if (!position) return { kind: 'start', state }
  if (state.mayLag && position.seq > state.newest.seq) return { kind: 'lagging', state }
  const isUnknown = (await findUnknown(snapshot, [position])).length > 0
  if (isUnknown || position.seq < state.floor) return { kind: 'gap', state }
  const range = planRange(position, state.newest, registry.all())
  const lost = range.kind === 'catch-up' ? await findLost(snapshot, range.spans, state) : []
  if (lost.length > 0) return { kind: 'lost', spans: lost, position, state }
  const options = { snapshot, waves, limits, keepAlive: async () => void (await sql`select 1`.execute(tx)) }
  const judged = await judgeRange(range, registry, options)
  return { kind: 'range', state, position, ...judged }
}

/** Spans that begin in another history, or before the rows that the log still has. */
async function findLost(snapshot: Database, spans: readonly Span[], { floor }: LogState): Promise<readonly Span[]> {
  const atBeginning = spans.filter(({ from, done }) => done === from.seq)
  const unknown = await findUnknown(
    snapshot,
    atBeginning.map(({ from }) => from),
  )
  return spans.filter(
    (span) => (span.done ?? 0n) < floor || (span.done === span.from.seq && unknown.includes(span.from)),
  )
}

interface JudgeOptions {
  readonly snapshot: Database
  readonly waves: readonly Wave[]
  readonly limits: RoundLimits
  readonly keepAlive: () => Promise<void>
}

/** Judges fewer rows if they give too many events for one account. */
async function judgeRange(
  range: JudgedRange,
  registry: SpanRegistry,
  { snapshot, waves, limits, keepAlive }: JudgeOptions,
): Promise<Pick<JudgedRows, 'range' | 'rowCount' | 'findings' | 'waves'>> {
  const { kind, from, to, spans } = range
  // Without a watch, nobody needs the rows.
  const hasRows = spans.length > 0 && to.seq > from
  let rows = hasRows ? await readLogRows(snapshot, { from, to: to.seq, limit: limits.maxRows }) : []
  let isCut = rows.length === limits.maxRows
  for (;;) {
    const last = isCut ? rows.at(-1) : undefined
    const judged: JudgedRange = { ...range, to: last ?? to }
    const place = kind === 'follow' ? planWaves : placeInWaves
    const plan = place(rows, waves, limits.waveGapMs)
    const findings = createCollector(rows.length === 1 ? Number.POSITIVE_INFINITY : limits.maxEvents, plan.waveOf)
    const { index } = registry
    const [groups, isJudgedBy] = [[...registry.groups()], createJudgedBy(judged)]
    await judgeRows(snapshot, { from, rows, groups, index, isJudgedBy, findings, onPortion: keepAlive })
    const found = findings.finish()
    if (found) return { range: judged, rowCount: rows.length, findings: found, waves: [...plan.newest.values()] }
    rows = rows.slice(0, Math.ceil(rows.length / 2))
    isCut = true
  }
}

async function commitRange(fenced: Fenced, judged: JudgedRows, waves: readonly Wave[]): Promise<Round> {
  const { tx, accounts, registry, limits } = fenced
  const { range, rowCount, findings, state, position } = judged
  const isFollowing = range.kind === 'follow'
  const isComplete = findings.lastAccount === undefined
  const isAtEnd = isFollowing && isComplete && range.to.seq === state.newest.seq
  const ended = isAtEnd ? findEndedWaves(judged.waves, state.now, limits.waveEndMs) : []
  const known = [...registry.all()]
  const moves = isFollowing && isComplete && range.to.seq !== position.seq
  const hasFinished = known.some((span) => isFinished(span, position.seq))
  const hasNothing = isFollowing && isComplete && !moves && ended.length === 0 && !hasFinished
  if (hasNothing && !(await registry.hasChanges(tx))) return { result: 'idle', ...NOTHING }

  const ongoing = (isFollowing ? judged.waves : waves).filter((wave) => wave.isOpen && !ended.includes(wave))
  const events = [
    ...(await writeMatches(fenced, findings)),
    ...(await settleRecalculations(tx, judged, ongoing)).map((each) => toRecalculated(each)),
  ]
  await writeEvents(accounts, tx, events)
  if (isFollowing && isComplete) await writeWaves(tx, changedWaves(judged.waves, waves, ended))

  await lockSpans(tx)
  assertUnchanged(await registry.refresh(tx, true), range, findings)
  await noteJudged(fenced, judged, position)
  const reached = isFollowing && isComplete ? range.to : position
  await removeFinished(fenced, reached)
  const mark = await writePosition(tx, reached)
  const hasMore = !isAtEnd || [...registry.all()].some(({ done }) => done !== null && done < reached.seq)
  return { result: hasMore ? 'judged' : 'idle', mark, rows: isFollowing && isComplete ? rowCount : 0, events }
}

async function writeMatches({ tx }: Fenced, { matches }: Findings): Promise<readonly NewEvent[]> {
  if (matches.length === 0) return []
  const isMuted = await readMutes(tx, matches, new Date())
  await writeNews(tx, new Set(matches.map(({ news }) => news)))
  return matches.map(toMatched(isMuted))
}

/** Returns the recalculations that become events now. */
async function settleRecalculations(
  tx: Transaction<unknown>,
  { range, findings: { recalculations, lastAccount } }: JudgedRows,
  ongoing: readonly Wave[],
): Promise<readonly Recalculation[]> {
  const stored = await readRecalculations(tx, lastAccount)
  // A catch-up does not decide about what other watches have.
  const watches = new Set(recalculations.map(({ watch }) => watch))
  const own = range.kind === 'follow' ? stored : stored.filter(({ watch }) => watches.has(watch))
  const { told, waiting, obsolete } = tellRecalculations(own, recalculations, ongoing)
  await deleteRecalculations(tx, obsolete)
  await writeRecalculations(tx, waiting)
  return told
}

function changedWaves(newest: readonly Wave[], stored: readonly Wave[], ended: readonly Wave[]): readonly Wave[] {
  const changed = newest.filter((wave) => ended.includes(wave) || !stored.includes(wave))
  return changed.map((wave) => (ended.includes(wave) ? { ...wave, isOpen: false } : wave))
}

/** A span that ends earlier than it was judged must not have told anything after its end. */
function assertUnchanged(changed: readonly Span[], { to }: JudgedRange, { matches, recalculations }: Findings): void {
  const ended = new Map(changed.filter((span) => isFinished(span, to.seq)).map((span) => [spanKey(span), span]))
  if (ended.size === 0) return
  const isTooFar = matches.some(({ span, news }) => {
    const until = ended.get(spanKey(span))?.until ?? null
    return until !== null && news.seq > until && (span.until === null || span.until > until)
  })
  const watches = new Set(ended.values().map(({ watch }) => watch))
  if (isTooFar || recalculations.some(({ watch }) => watches.has(watch)))
    throw new WatchChangedError('a watch was changed while it was judged')
}

async function noteJudged(
  { tx, registry, afterCommit }: Fenced,
  { range, findings: { lastAccount } }: JudgedRows,
  position: LogPosition,
): Promise<void> {
  const isComplete = lastAccount === undefined
  const judged = range.spans.filter(
    ({ account, done }) => (isComplete || BigInt(account) <= lastAccount) && (done === null || done <= range.to.seq),
  )
  const follows = isComplete && (range.kind === 'follow' || range.to.seq === position.seq)
  const done = follows ? null : range.to
  // A span that follows the position already needs no note.
  const noted = follows ? judged.filter((span) => span.done !== null) : judged
  await writeDone(tx, noted, done)
  afterCommit.push(() => registry.settle(noted, done?.seq ?? null))
}

async function removeFinished({ tx, registry, afterCommit }: Fenced, reached: LogPosition): Promise<void> {
  const finished = [...registry.all()].filter((span) => isFinished(span, reached.seq))
  await deleteSpans(tx, finished)
  afterCommit.push(() => registry.remove(finished))
}

/** The first time, the evaluator begins at the newest position; spans that began before are caught up. */
async function start({ tx }: Fenced, newest: LogPosition): Promise<Round> {
  return { result: 'judged', mark: await writePosition(tx, newest), ...NOTHING }
}

/** What is between the positions cannot be judged: each watch says so. */
async function tellGap(fenced: Fenced, position: LogPosition | undefined, newest: LogPosition): Promise<Round> {
  const { tx, accounts, registry } = fenced
  await lockSpans(tx)
  await registry.refresh(tx, true)
  const spans = [...registry.all()]
  const open = spans.filter(({ until }) => until === null)
  const stored = await readRecalculations(tx, undefined)
  await renumberAfter(tx, newest)
  const gaps = open.map((span) => toGap(span, position ?? span.from, newest))
  const events = [...stored.map(toRecalculated), ...gaps]
  await writeEvents(accounts, tx, events)
  await deleteRecalculations(tx, stored)
  await writeWaves(
    tx,
    (await readWaves(tx)).map((wave) => ({ ...wave, isOpen: false })),
  )
  await deleteSpans(
    tx,
    spans.filter((span) => !open.includes(span)),
  )
  await restartSpans(tx, open, newest)
  registry.forget()
  return { result: 'gap', mark: await writePosition(tx, newest), rows: 0, events }
}

/** The same for spans that cannot be caught up. */
async function tellLost(fenced: Fenced, spans: readonly Span[], position: LogPosition): Promise<Round> {
  const { tx, accounts, registry } = fenced
  const open = spans.filter((span) => isOpenAfter(span, position.seq))
  const events = open.map((span) => toGap(span, span.from, position))
  await writeEvents(accounts, tx, events)
  await deleteSpans(
    tx,
    spans.filter((span) => !open.includes(span)),
  )
  await restartSpans(tx, open, position)
  registry.forget()
  return { result: 'gap', mark: await writePosition(tx, position), rows: 0, events }
}
