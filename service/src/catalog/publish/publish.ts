// Queued ids → catalog rows and the log of changes, in one transaction. One publisher at a time: the order of the log is
// the order of commits.
import { sql, type Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import type { Session } from '../../database/session.ts'
import type { Clock } from '../../domain/clock.ts'
import type { CveId, CveKey } from '../../domain/cve-id.ts'
import type { Published } from '../model/published.ts'
import type { Facts, Knowledge } from '../model/source-data.ts'
import { render } from '../render/render.ts'
import { resolve } from '../resolve/resolve.ts'
import { keyOf } from './cve-key.ts'
import { merge, remove } from './merge.ts'
import { type Fault, recordFaults, storable } from './publication-errors.ts'
import { publishEpss } from './publish-epss.ts'
import { publishKev } from './publish-kev.ts'
import { readReferenceData } from './read-reference-data.ts'
import { readSourceData } from './read-source-data.ts'
import { queueRebuildIfInputsChanged } from './rebuild-trigger.ts'
import { prepareStage, stage } from './stage.ts'
import { refreshStatistics } from './statistics.ts'

export interface PublishTools {
  readonly session: Session
  readonly clock: Clock
  readonly signal: AbortSignal
  onProgress?(progress: PublishProgress): void
}

interface PublishProgress {
  readonly done: number
  readonly total: number
}

export interface Written {
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Could not be concluded; `catalog.publication_fault` says why. */
  readonly setAside: number
}

export interface Publication extends Written {
  /** How many scores are different; undefined when EPSS was not published. */
  readonly epss: number | undefined
}

/** A delta of up to so many ids is one transaction. */
const MAX_IDS = 5000
/** So many at a time are held in memory, and keep the process from whatever else it does. */
const IDS_AT_ONCE = 500
const PUBLISHERS_LOCK = sql`hashtextextended('vis: publish the catalog', 0)`
const TURN_TIMEOUT = '2s'
/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Everything that waits for publication, in as many transactions as it takes. Safe at any time, in any number of
 * processes: whoever comes second waits, and finds less to do.
 */
export async function publish(tools: PublishTools): Promise<Publication> {
  await underLock(tools, (tx) => queueRebuildIfInputsChanged(tx))
  const epss = await underLock(tools, (tx) => publishEpss(tx))
  let sum: Written = { added: 0, changed: 0, removed: 0, setAside: 0 }
  let done = 0
  while (!tools.signal.aborted) {
    const batch = await underLock(tools, (tx) => publishQueued(tools, tx))
    if (batch === undefined) break
    sum = sumOf(sum, batch.written)
    done += batch.ids
    tools.onProgress?.({ done, total: done + batch.waiting })
  }
  await underLock(tools, (tx) => refreshStatistics(tx))
  return { ...sum, epss }
}

/**
 * Waits for its turn as long as it takes, or until told to stop. In PostgreSQL's own queue, a while at a time: whoever
 * only tried now and then would never be faster than a publisher that takes one turn after the other.
 */
export async function underLock<T>(
  { session, signal }: PublishTools,
  work: (tx: Transaction<unknown>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const turn = await session.db
      .transaction()
      .execute(async (tx) => ((await isOurTurn(tx)) ? { result: await work(tx) } : undefined))
    if (turn) return turn.result
    signal.throwIfAborted()
  }
}

async function isOurTurn(tx: Transaction<unknown>): Promise<boolean> {
  await sql`savepoint turn`.execute(tx)
  await sql`set local lock_timeout = ${sql.lit(TURN_TIMEOUT)}`.execute(tx)
  try {
    await sql`select pg_advisory_xact_lock(${PUBLISHERS_LOCK})`.execute(tx)
  } catch (error) {
    await sql`rollback to savepoint turn`.execute(tx)
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
  await sql`set local lock_timeout to default`.execute(tx)
  // Statements of a publication are short and many: compiling them takes longer than running them.
  await sql`set local jit = off`.execute(tx)
  return true
}

interface Batch {
  readonly ids: number
  readonly waiting: number
  readonly written: Written
}

async function publishQueued(tools: PublishTools, tx: Transaction<unknown>): Promise<Batch | undefined> {
  const exploited = await publishKev(tools.session, tx)
  const queued = await takeQueued(tx)
  const ids = [...new Set([...exploited, ...queued])].sort()
  if (ids.length === 0) return undefined
  const written = await publishIds(tools, tx, ids)
  return { ids: ids.length, waiting: await countWaiting(tx), written }
}

/** Whatever is visible in the queue was committed with the data that it speaks of, so all rows of an id go at once. */
async function takeQueued(tx: Transaction<unknown>): Promise<readonly CveId[]> {
  const { rows } = await sql<{ cveId: CveId }>`
    with oldest as (
      select distinct cve_id
        from (select cve_id from source.publication_queue order by seq limit ${MAX_IDS}) first
    ), taken as (
      delete from source.publication_queue queued
       using oldest
       where queued.cve_id = oldest.cve_id
    )
    select cve_id as "cveId"
      from oldest
  `.execute(tx)
  return rows.map(({ cveId }) => cveId)
}

async function countWaiting(tx: Transaction<unknown>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(distinct cve_id)::integer as waiting
      from source.publication_queue
  `.execute(tx)
  return rows[0]?.waiting ?? 0
}

export async function publishIds(
  { session, clock }: PublishTools,
  tx: Transaction<unknown>,
  ids: readonly CveId[],
): Promise<Written> {
  const knowledge = await readReferenceData(tx)
  const faults: Fault[] = []
  const gone: CveKey[] = []
  await prepareStage(tx)
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const facts = await readSourceData(tx, ids.slice(at, at + IDS_AT_ONCE))
    await stage(
      session,
      tx,
      facts.flatMap((each) => concluded(each, knowledge, { faults, gone })),
    )
  }
  const written = await merge(tx, clock())
  await recordFaults(tx, ids, faults, clock())
  return { ...written, removed: await remove(tx, gone), setAside: faults.length }
}

/** A record that cannot be concluded is set aside with the reason, and what was published of it before stays. */
function concluded(
  facts: Facts,
  knowledge: Knowledge,
  { faults, gone }: { readonly faults: Fault[]; readonly gone: CveKey[] },
): readonly Published[] {
  try {
    const resolved = resolve(facts)
    if (resolved) return [storable(render(facts, resolved, knowledge))]
    // Nobody who makes a record speaks of it (any more) (decision D18).
    gone.push(keyOf(facts.cveId))
  } catch (error) {
    faults.push({ cveId: facts.cveId, reason: error instanceof Error ? error.message : String(error) })
  }
  return []
}

export function sumOf(a: Written, b: Written): Written {
  return {
    added: a.added + b.added,
    changed: a.changed + b.changed,
    removed: a.removed + b.removed,
    setAside: a.setAside + b.setAside,
  }
}
