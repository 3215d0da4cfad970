// The events of the caller's own account, in the order of their numbers.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Diff } from '../../domain/change/change.ts'
import type { WatchKind } from '../../domain/watch/kinds.ts'
import { type Credential, translateRefusal } from '../keys/credential.ts'

export interface EventRow {
  readonly nr: number
  readonly watchId: string | null
  /** Null for a watch that was removed. */
  readonly watchName: string | null
  readonly watchTeam: string | null
  readonly seq: string | null
  readonly type: 'matched' | 'recalculated' | 'gap'
  readonly kinds: readonly WatchKind[]
  readonly enteredBy: readonly string[]
  readonly isMuted: boolean
  /** As YYYY-MM-DDTHH:MM:SSZ. */
  readonly at: string
  readonly detail: Readonly<Record<string, unknown>> | null
  /** Id of the CVE; null for an event about no single one, as the members below. */
  readonly subject: string | null
  readonly recordedAt: string | null
  readonly upstreamDay: string | null
  readonly types: readonly string[] | null
  readonly diff: Diff | null
  readonly record: Readonly<Record<string, unknown>> | null
}

export interface Inbox {
  /** Number of the oldest event that is kept, or of the next one. */
  readonly oldest: number
  /** 0 before the first event. */
  readonly newest: number
  /** Position of the change log up to which watches were judged; null before the first time. */
  readonly judged: string | null
}

export interface EventFilter {
  readonly watchId: string | undefined
  readonly team: string | undefined
  readonly kinds: readonly WatchKind[] | undefined
  readonly isMuted: boolean | undefined
}

/** After a number, in order; or before one, newest first. */
type EventRange = { readonly after: number } | { readonly before: number }

export interface EventPage extends Inbox {
  readonly rows: readonly EventRow[]
}

const toJsonInstant = (time: string) => sql.raw(`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)

/** An event as JSON. `told` is a row of notify.told. */
export const TOLD_AS_JSON = sql`json_build_object(
  'nr', told.nr,
  'watchId', told.watch_id::text,
  'watchName', told.watch_name,
  'watchTeam', told.watch_team,
  'seq', told.seq::text,
  'type', told.type,
  'kinds', told.kinds,
  'enteredBy', told.entered_by,
  'isMuted', told.is_muted,
  'at', ${toJsonInstant('told.at')},
  'detail', told.detail,
  'subject', told.subject,
  'recordedAt', ${toJsonInstant('told.recorded_at')},
  'upstreamDay', told.upstream_day,
  'types', told.types,
  'diff', told.diff,
  'record', told.record
)`

const INBOX = sql`
  inbox.oldest_nr::float8 as oldest, inbox.newest_nr::float8 as newest,
  inbox.judged_seq || ':' || lpad(to_hex(inbox.judged_tag), 16, '0') as judged
`

/** Reads the bounds and the events of one moment. */
export async function readOwnEvents(
  accounts: Database,
  { kind, digest }: Credential,
  { watchId, team, kinds, isMuted }: EventFilter,
  range: EventRange & { readonly count: number },
): Promise<EventPage> {
  const [after, before] = 'after' in range ? [range.after, null] : [null, range.before]
  const { rows } = await translateRefusal(
    sql<EventPage>`
      select ${INBOX},
             (
               select coalesce(json_agg(${TOLD_AS_JSON} order by told.place), '[]')
                 from notify.read_events(
                        ${kind}, decode(${digest}, 'hex'), ${watchId ?? null}, ${team ?? null}, ${kinds ?? null},
                        ${isMuted ?? null}, ${after}, ${before}, ${range.count}) with ordinality
                   as told (
                        account_id, nr, watch_id, watch_name, watch_team, seq, type, kinds, entered_by, is_muted, at,
                        detail, subject, recorded_at, upstream_day, types, diff, record, place)
             ) as rows
        from notify.read_inbox(${kind}, decode(${digest}, 'hex')) inbox
    `.execute(accounts),
  )
  const [page] = rows
  if (!page) throw new Error('notify.read_inbox returned no row')
  return page
}

export async function readOwnInbox(accounts: Database, { kind, digest }: Credential): Promise<Inbox> {
  const { rows } = await translateRefusal(
    sql<Inbox>`select ${INBOX} from notify.read_inbox(${kind}, decode(${digest}, 'hex')) inbox`.execute(accounts),
  )
  const [inbox] = rows
  if (!inbox) throw new Error('notify.read_inbox returned no row')
  return inbox
}
