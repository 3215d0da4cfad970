// Whose turn a feed is. A lease ends by itself when its holder dies; its number fences off a holder that wakes too late.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { LeaseLostError } from '../feed.ts'

export interface Lease {
  readonly feed: string
  /** Larger than that of anybody who held the feed before. */
  readonly epoch: string
  readonly cursor: unknown
}

const LEASE_SECONDS = 60
const RENEW_EVERY_MS = 15_000

/** Nothing, while somebody else holds it. */
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
  const [taken] = rows
  return taken && { feed, epoch: taken.epoch, cursor: taken.cursor ?? undefined }
}

/** Who holds it, and until when; for whoever has to wait. */
export async function findLeaseHolder(db: Database, feed: string): Promise<string | undefined> {
  const { rows } = await sql<{ holder: string | null }>`
    select lease_holder as holder
      from source.feed
     where name = ${feed}
       and lease_until >= now()
  `.execute(db)
  return rows[0]?.holder ?? undefined
}

/** After the long work of a transaction and before its records: from here on the row is locked until the commit. */
export async function assertLeaseHeld(tx: Transaction<unknown>, { feed, epoch }: Lease): Promise<void> {
  const { rows } = await sql`
    select
      from source.feed
     where name = ${feed}
       and lease_epoch = ${epoch}
       for update
  `.execute(tx)
  if (rows.length === 0) throw fencedOff(feed)
}

export interface Keeping {
  /** Ends when the lease turns out to be lost. */
  readonly signal: AbortSignal
  stop(): void
}

/** Renews until stopped. A database that does not answer is no loss yet: the fence decides when it matters. */
export function renewLease(db: Database, lease: Lease): Keeping {
  const lost = new AbortController()
  const renewOnce = async () => {
    const isHeld = await renew(db, lease).catch(() => true)
    if (!isHeld) lost.abort(fencedOff(lease.feed))
  }
  const timer = setInterval(() => void renewOnce(), RENEW_EVERY_MS)
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

function fencedOff(feed: string): LeaseLostError {
  return new LeaseLostError(`Another worker has taken ${feed} over, because this one did not renew its lease in time.`)
}
