// Reads the state of jobs from the tables of the engine.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { DEAD_QUEUE } from './queue.ts'

export interface DueWork {
  /** Names of the queues with a job that is due. */
  readonly queues: readonly string[]
  /** Whether a running job has no live process any more, or takes too long. */
  readonly hasLapsed: boolean
  /** Whether a row has no job yet. */
  readonly hasRows: boolean
}

/**
 * An idle process sends this statement every two seconds, and no other statement that often. `rows` are the conditions
 * under which rows have no job yet.
 */
export async function readDueWork(db: Database, rows: readonly RawBuilder<boolean>[]): Promise<DueWork> {
  const found = await sql<DueWork>`
    select array(select distinct name from jobs.job where state < 'active' and start_after <= now()) as queues,
           exists (
             select
               from jobs.job
              where state = 'active'
                and (heartbeat_on + make_interval(secs => heartbeat_seconds) < now()
                     or started_on + make_interval(secs => expire_seconds) < now())
           ) as "hasLapsed",
           ${sql.join([sql<boolean>`false`, ...rows], sql` or `)} as "hasRows"
  `.execute(db)
  return found.rows[0] ?? { queues: [], hasLapsed: false, hasRows: false }
}

export interface QueueState {
  readonly queue: string
  /** Jobs that are due or wait for another attempt. */
  readonly waiting: number
  readonly running: number
  /** Age of the oldest of the waiting jobs, since it was due. */
  readonly oldestSeconds: number
  /** Jobs that wait for another attempt. */
  readonly failed: number
  readonly dead: number
  /** Null if no job finished within the last two days. */
  readonly lastFinishedAt: Date | null
}

/** Reads one state per queue, by name. */
export async function readQueueStates(db: Database, queues: readonly string[]): Promise<readonly QueueState[]> {
  const { rows } = await sql<QueueState>`
    select asked.queue,
           count(*) filter (where job.state < 'active')::integer as waiting,
           count(*) filter (where job.state = 'active')::integer as running,
           coalesce(extract(epoch from now() - min(job.created_on) filter (where job.state < 'active')), 0)::float8
             as "oldestSeconds",
           count(*) filter (where job.state = 'retry')::integer as failed,
           (select count(*)::integer
              from jobs.job dead
             where dead.name = ${DEAD_QUEUE} and dead.source_name = asked.queue and dead.state < 'active') as dead,
           max(job.completed_on) filter (where job.state = 'completed') as "lastFinishedAt"
      from unnest(${queues}::text[]) as asked (queue)
      left join jobs.job on job.name = asked.queue
     group by asked.queue
     order by asked.queue
  `.execute(db)
  return rows
}

export interface ListedJob {
  readonly id: string
  readonly queue: string
  readonly subject: string
  readonly state: 'waiting' | 'running' | 'failed'
  /** Attempts that were begun. */
  readonly attempts: number
  readonly createdAt: Date
  /** When the job is due or, while it is running, when it began. */
  readonly at: Date
  readonly reason: string | null
}

/** Lists the jobs that are waiting or running, the oldest first. */
export async function listJobs(db: Database, queues: readonly string[], limit: number): Promise<readonly ListedJob[]> {
  const { rows } = await sql<ListedJob>`
    select id, name as queue, coalesce(data ->> 'id', '') as subject,
           case state when 'active' then 'running' when 'retry' then 'failed' else 'waiting' end as state,
           case when started_on is null then 0 else retry_count + 1 end as attempts,
           created_on as "createdAt",
           case state when 'active' then started_on else start_after end as at,
           output ->> 'reason' as reason
      from jobs.job
     where name = any (${queues}::text[]) and state <= 'active'
     order by created_on, id
     limit ${limit}
  `.execute(db)
  return rows
}

export interface DeadJob {
  readonly id: string
  readonly queue: string
  readonly subject: string
  readonly attempts: number
  readonly createdAt: Date
  readonly diedAt: Date
  readonly reason: string | null
}

/** Lists dead jobs, the newest first. */
export async function listDeadJobs(db: Database, limit: number): Promise<readonly DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select id, source_name as queue, coalesce(data ->> 'id', '') as subject, source_retry_count + 1 as attempts,
           source_created_on as "createdAt", created_on as "diedAt",
           coalesce(source_output ->> 'reason', source_output #>> '{value,message}') as reason
      from jobs.job
     where name = ${DEAD_QUEUE} and state < 'active'
     order by created_on desc, id
     limit ${limit}
  `.execute(db)
  return rows
}
