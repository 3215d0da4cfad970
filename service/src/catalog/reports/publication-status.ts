// Reads the state of the publication queue and of the change log, for the worker's metrics.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { readUrgentShare, type UrgentShare } from '../publish/urgent-share.ts'

export interface PublicationStatus {
  /** Number of rows in the publication queue. A CVE that several feeds changed has several rows. */
  readonly waiting: number
  /** Age of the oldest row in the publication queue in seconds; 0 if the queue is empty. */
  readonly waitingSeconds: number
  /** Sequence number of the newest change-log entry; 0 for an empty log. */
  readonly position: number
  /** Time of the newest change-log entry; null for an empty log. */
  readonly publishedAt: Date | null
  /** Number of CVEs that could not be published because merging or storing them failed. */
  readonly failedCves: number
  /** Numbers of CVEs with priority P0 or P1, and of all CVEs. */
  readonly urgentShare: UrgentShare
}

/**
 * Counting the rows of the publication queue takes a few milliseconds, but up to a fraction of a second during a first
 * load.
 */
export async function readPublicationStatus(db: Database): Promise<PublicationStatus> {
  const { rows } = await sql<Omit<PublicationStatus, 'urgentShare'>>`
    select (select count(*)::float8 from source.publication_queue) as waiting,
           coalesce((
             select extract(epoch from greatest(now() - queued_at, interval '0'))::float8
               from source.publication_queue
              order by seq
              limit 1
           ), 0) as "waitingSeconds",
           coalesce(newest.seq, 0)::float8 as position,
           newest.at as "publishedAt",
           (select count(*)::float8 from catalog.publication_fault) as "failedCves"
      from (select) one
      left join (select seq, at from catalog.change order by seq desc limit 1) newest on true
  `.execute(db)
  const [state] = rows
  if (!state) throw new Error('the publication status query returned no row')
  return { ...state, urgentShare: await readUrgentShare(db) }
}
