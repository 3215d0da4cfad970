// Feeds of watches as readers see them. A feed's token is its only credential, and the database knows its digest alone.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { type EventRow, TOLD_AS_JSON } from './own-events.ts'

export interface FeedContent {
  readonly watchId: string
  readonly watchName: string
  readonly changedAt: Date
  /** Newest first, without muted ones. */
  readonly events: readonly EventRow[]
}

/** Digests are SHA-256 in hexadecimal. */
export interface FeedStore {
  /** Returns those that are addresses of feeds. */
  findValid(digests: readonly string[]): Promise<readonly string[]>
  /** Undefined if the feed has ended meanwhile. */
  read(digest: string): Promise<FeedContent | undefined>
}

const MAX_EVENTS = 100

export function openFeedStore(accounts: Database): FeedStore {
  return {
    findValid: async (digests) => {
      const { rows } = await sql<{ digest: string }>`
        select encode(found.digest, 'hex') as digest
          from notify.find_feeds(array(select decode(each, 'hex') from unnest(${digests}::text[]) each)) as found (digest)
      `.execute(accounts)
      return rows.map(({ digest }) => digest)
    },
    read: async (digest) => {
      const { rows } = await sql<FeedContent>`
        select feed.watch_id as "watchId", feed.watch_name as "watchName", feed.changed_at as "changedAt",
               coalesce(
                 json_agg(${TOLD_AS_JSON} order by told.nr desc) filter (where told.nr is not null), '[]'
               ) as events
          from notify.read_feed(decode(${digest}, 'hex'), ${MAX_EVENTS}) feed
          cross join lateral (select (feed.event).*) told
         group by feed.watch_id, feed.watch_name, feed.changed_at
      `.execute(accounts)
      return rows[0]
    },
  }
}
