// Reads the status of feeds and their runs, for operators and workers.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

export interface FeedState {
  readonly name: string
  readonly records: number
  readonly lastSuccessAt: Date | null
  readonly upstreamAt: Date | null
  readonly failures: number
  readonly isRunning: boolean
  readonly nextDueAt: Date | null
  readonly lastRun: RunRow | null
}

export interface RunRow {
  readonly id: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly outcome: string
  readonly origin: string
  readonly read: number
  readonly written: number
  readonly rejected: number
  readonly truncated: number
  readonly notices: readonly string[]
  readonly error: string | null
}

export interface RejectionRow {
  readonly delivery: string
  readonly subject: string
  readonly reason: string
}

export async function readFeedStates(db: Database, names: readonly string[]): Promise<readonly FeedState[]> {
  const { rows } = await sql<Omit<FeedState, 'lastRun' | 'records'> & { records: string }>`
    select requested.name,
           coalesce(dataset.table_count, 0) as records,
           dataset.last_success_at as "lastSuccessAt",
           feed.upstream_at as "upstreamAt",
           coalesce(feed.failures, 0) as failures,
           coalesce(feed.lease_until >= now(), false) as "isRunning",
           nullif(feed.next_due_at, '-infinity') as "nextDueAt"
      from unnest(${names}::text[]) with ordinality as requested (name, position)
      left join source.feed on feed.name = requested.name
      left join catalog.dataset on dataset.name = requested.name
     order by requested.position
  `.execute(db)
  return Promise.all(
    rows.map(async (row) => {
      const [lastRun] = await readRuns(db, row.name, 1)
      return { ...row, records: Number(row.records), lastRun: lastRun ?? null }
    }),
  )
}

export async function readRuns(db: Database, feed: string, limit: number): Promise<readonly RunRow[]> {
  const { rows } = await sql<RunRow>`
    select id,
           started_at as "startedAt",
           finished_at as "finishedAt",
           outcome,
           origin,
           read_count::float8 as read,
           written_count::float8 as written,
           rejected_count::float8 as rejected,
           truncated_count::float8 as truncated,
           notices,
           fault as error
      from source.feed_run
     where feed = ${feed}
     order by id desc
     limit ${limit}
  `.execute(db)
  return rows
}

export async function readRejections(db: Database, runId: string, limit: number): Promise<readonly RejectionRow[]> {
  const { rows } = await sql<RejectionRow>`
    select delivery, subject, reason
      from source.feed_rejection
     where run_id = ${runId}
     order by id
     limit ${limit}
  `.execute(db)
  return rows
}

export async function readDueFeeds(db: Database, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select requested.name
      from unnest(${names}::text[]) with ordinality as requested (name, position)
      left join source.feed on feed.name = requested.name
     where feed.name is null
        or (feed.next_due_at <= now() and feed.lease_until < now())
     order by requested.position
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** When the stored data of each feed was collected from upstream, as far as it is known. */
export async function readCollectionTimes(db: Database, names: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ name: string; at: Date }>`
    select name, collected_at as at
      from source.feed
     where name = any(${names}::text[])
       and collected_at is not null
     order by name
  `.execute(db)
  return new Map(rows.map(({ name, at }) => [name, at]))
}

export async function readCursor(db: Database, feed: string): Promise<unknown> {
  const { rows } = await sql<{ cursor: unknown }>`
    select cursor
      from source.feed
     where name = ${feed}
  `.execute(db)
  return rows[0]?.cursor ?? undefined
}
