// The member who is signed in, and how far this member has read the change log.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { type Credential, translateRefusal } from '../keys/credential.ts'
import { type MemberRow, selectMemberColumns } from './account-members.ts'

export interface OwnMember extends MemberRow {
  /** Null until the member has seen something. */
  readonly seenPosition: string | null
  readonly seenAt: Date | null
  /** The position at the end of the visit before this one; null during the first visit. */
  readonly lastVisit: string | null
  readonly lastVisitAt: Date | null
  /** Number of the newest event that the member has seen; null before the first. */
  readonly eventsSeen: number | null
  /** Number of the newest event of the account; 0 before the first. */
  readonly eventsNewest: number
  /** Later events, without muted ones and those of snoozed watches; counted up to 1,001. */
  readonly eventsUnread: number
}

/** Returns undefined for a key, and for a session that was opened with one. */
export function readOwnMember(accounts: Database, { kind, digest }: Credential): Promise<OwnMember | undefined> {
  return read(accounts, sql`accounts.read_own_member(${kind}, decode(${digest}, 'hex'))`)
}

/** Moves the positions of the member forward; undefined leaves one as it is. Returns undefined like `readOwnMember`. */
export function markSeen(
  accounts: Database,
  { kind, digest }: Credential,
  { position, events }: { readonly position: string | undefined; readonly events: number | undefined },
): Promise<OwnMember | undefined> {
  return read(
    accounts,
    sql`accounts.mark_seen(${kind}, decode(${digest}, 'hex'), ${position ?? null}, ${events ?? null})`,
  )
}

async function read(accounts: Database, call: RawBuilder<unknown>): Promise<OwnMember | undefined> {
  const { rows } = await translateRefusal(
    sql<OwnMember>`
      select ${selectMemberColumns(sql`(own.member)`)}, own.seen_position as "seenPosition", own.seen_at as "seenAt",
             own.last_visit as "lastVisit", own.last_visit_at as "lastVisitAt",
             own.events_seen::float8 as "eventsSeen", own.events_newest::float8 as "eventsNewest",
             own.events_unread as "eventsUnread"
        from ${call} own
    `.execute(accounts),
  )
  return rows[0]
}
