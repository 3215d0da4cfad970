// Gives `vis-server jobs` something to do, and tells whether it is done.
import { setTimeout as sleep } from 'node:timers/promises'
import { QUEUE_NAMES } from '../../../service/src/runtime/jobs/queues.ts'
import { readDueTimes } from './record.ts'
import type { Query } from './setup.ts'

const PAUSE_MS = 100

let askedMails = 0

/** Asks for sign-in links as an API node does. Every mail has its own address and network, so that no limit is reached. */
export async function askForMails(query: Query, count: number): Promise<void> {
  for (let nr = 0; nr < count; nr += 1) {
    askedMails += 1
    await askForMail(query, `reader-${askedMails}@example.org`)
  }
}

export async function askForMail(query: Query, email: string): Promise<void> {
  const [response] = await query<{ reached: string | null }>('select * from accounts.request_link($1, $1)', [email])
  if (response?.reached !== null) throw new Error(`no mail is sent to ${email}: ${JSON.stringify(response)}`)
}

/** Moves all snapshots back by a day if the present one is made, so that the next one is due. */
export async function makeSnapshotDue(query: Query): Promise<void> {
  const present = (await readDueTimes(query)).at(-1)
  if (present?.snapshots === 0) return
  // From the oldest on, because two snapshots never have the same time.
  await query(`
    do $$
    declare
      old_id text;
    begin
      for old_id in select id from catalog.snapshot order by created_at loop
        update catalog.snapshot
           set created_at = created_at - interval '1 day', scheduled_for = scheduled_for - interval '1 day'
         where id = old_id;
      end loop;
      insert into chaos.due_time select max(nr) + 1 from chaos.due_time;
    end
    $$
  `)
}

/** Ends the pauses of failed jobs again and again. This stands for the time that passes between attempts. */
export function startTime(query: Query): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      await query("update jobs.job set start_after = now() where state = 'retry' and start_after > now()")
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const repeated = repeat()
  return {
    stop: async () => {
      stopping.abort()
      await repeated
    },
  }
}

/** Lets the time pass after which a process without a sign of life counts as dead. */
export async function endHeartbeats(query: Query): Promise<void> {
  await query("update jobs.job set heartbeat_on = heartbeat_on - interval '20 seconds' where state = 'active'")
}

export interface RunningJob {
  readonly id: string
  readonly queue: string
  readonly attempt: number
}

export function readRunningJobs(query: Query): Promise<readonly RunningJob[]> {
  return query<RunningJob>(
    `select id, name as queue, retry_count + 1 as attempt from jobs.job where state = 'active' and name = any ($1)`,
    [QUEUE_NAMES],
  )
}

/** Returns the ids of the mails that are not yet known to be sent. */
export async function readWaitingMails(query: Query): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>('select id from accounts.mail')
  return new Set(rows.map(({ id }) => id))
}

/** Returns whether no mail and no job is waiting or running. */
export async function isIdle(query: Query): Promise<boolean> {
  const [left] = await query<{ count: number }>(
    `select (select count(*) from accounts.mail)::integer
            + (select count(*) from jobs.job where name = any ($1) and state <= 'active')::integer as count`,
    [QUEUE_NAMES],
  )
  return left?.count === 0
}

/** Returns whether the snapshot that is due at present is made too. */
export async function isAllDone(query: Query): Promise<boolean> {
  return (await isIdle(query)) && (await readDueTimes(query)).at(-1)?.snapshots !== 0
}

export async function countDeadJobs(query: Query): Promise<number> {
  return (await query("select from jobs.job where name = 'dead' and state < 'active'")).length
}
