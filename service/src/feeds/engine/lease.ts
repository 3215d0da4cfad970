// A lease on a feed, so that only one worker runs the feed. The lease expires by itself if the worker dies. Each lease
// has a fencing number. If a worker pauses and its lease expires, the next worker's lease gets a higher number, and the
// first worker can no longer commit with its lower number.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { LeaseLostError } from '../feed.ts'

export interface Lease {
  readonly feed: string
  /** Fencing number of the lease. */
  readonly epoch: string
  readonly cursor: unknown
}

const LEASE_SECONDS = 60
const RENEW_INTERVAL_MS = 15_000

/** Returns undefined if another worker holds the lease. */
export async function acquireLease(db: Database, feed: string, holder: string): Promise<Lease | undefined> {
  await sql`
    insert into source.feed (name)
    values (${feed})
    on conflict (name) do nothing
  `.execute(db)
  const { rows } = await sql<{ epoch: string; cursor: unknown }>`
    update source.feed
       set lease_epoch = lease_epoch + 1,
           lease_holder = ${holder},
           lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
     where name = ${feed}
       and lease_until < now()
    returning lease_epoch as epoch, cursor
  `.execute(db)
  const [acquired] = rows
  return acquired && { feed, epoch: acquired.epoch, cursor: acquired.cursor ?? undefined }
}

export async function findLeaseHolder(db: Database, feed: string): Promise<string | undefined> {
  const { rows } = await sql<{ holder: string | null }>`
    select lease_holder as holder
      from source.feed
     where name = ${feed}
       and lease_until >= now()
  `.execute(db)
  return rows[0]?.holder ?? undefined
}

/**
 * Throws LeaseLostError if another worker has the lease. Locks the feed's row, so call it only after the long work is
 * done.
 */
export async function assertLeaseHeld(tx: Transaction<unknown>, { feed, epoch }: Lease): Promise<void> {
  const { rows } = await sql`
    select
      from source.feed
     where name = ${feed}
       and lease_epoch = ${epoch}
       for update
  `.execute(tx)
  if (rows.length === 0) throw createLeaseLostError(feed)
}

export interface LeaseRenewal {
  readonly signal: AbortSignal
  stop(): void
}

/** A failed renewal is ignored: assertLeaseHeld checks the lease again before anything is committed. */
export function renewLease(db: Database, lease: Lease): LeaseRenewal {
  const lost = new AbortController()
  const renewOnce = async () => {
    const isHeld = await renew(db, lease).catch(() => true)
    if (!isHeld) lost.abort(createLeaseLostError(lease.feed))
  }
  const timer = setInterval(() => void renewOnce(), RENEW_INTERVAL_MS)
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}

async function renew(db: Database, { feed, epoch }: Lease): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update source.feed
       set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
     where name = ${feed}
       and lease_epoch = ${epoch}
  `.execute(db)
  return numAffectedRows === 1n
}

function createLeaseLostError(feed: string): LeaseLostError {
  return new LeaseLostError(
    `Another worker has acquired the lease on ${feed}, because this worker did not renew it within ${LEASE_SECONDS} s.`,
  )
}
