// How publishing is doing, for operators.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

export interface PublicationState {
  /** Rows of the queue: a CVE of which several feeds speak waits several times. */
  readonly waiting: number
  /** How long the first in the queue has been waiting; 0 when nobody is. */
  readonly waitingSeconds: number
  /** The newest entry of the log of changes, and when it was made; null before the first. */
  readonly position: number
  readonly publishedAt: Date | null
  /** CVEs that could not be concluded. */
  readonly faults: number
}

/** The queue is counted row by row: some milliseconds, or a fraction of a second while a first load waits. */
export async function readPublication(db: Database): Promise<PublicationState> {
  const { rows } = await sql<PublicationState>`
    select (select count(*)::float8 from source.publication_queue) as waiting,
           coalesce((
             select extract(epoch from greatest(now() - queued_at, interval '0'))::float8
               from source.publication_queue
              order by seq
              limit 1
           ), 0) as "waitingSeconds",
           coalesce(newest.seq, 0)::float8 as position,
           newest.at as "publishedAt",
           (select count(*)::float8 from catalog.publication_fault) as faults
      from (select) one
      left join (select seq, at from catalog.change order by seq desc limit 1) newest on true
  `.execute(db)
  const [state] = rows
  if (!state) throw new Error('a left join from one row has a row')
  return state
}
