// The watches of the caller's own account. Database functions decide what the credential may see and change.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Position } from '../../domain/change/position.ts'
import type { WatchKind } from '../../domain/watch/kinds.ts'
import { type Credential, translateRefusal } from '../keys/credential.ts'

export interface WatchRow {
  readonly id: string
  readonly memberId: string | null
  readonly name: string
  readonly team: string | null
  readonly query: string
  readonly kinds: readonly WatchKind[]
  readonly snoozedUntil: Date | null
  readonly isPaused: boolean
  readonly hasFeed: boolean
  readonly revision: number
  readonly createdAt: Date
  readonly changedAt: Date
}

export interface ListedWatch extends WatchRow {
  readonly lastEvent: {
    readonly nr: number
    readonly cveId: string | null
    readonly kinds: readonly WatchKind[]
    readonly at: Date
  } | null
  /** Numbers of events on the last seven UTC days, today last. */
  readonly daily: readonly number[]
}

interface WatchFilter {
  readonly id?: string | undefined
  readonly team?: string | undefined
  /** Only watches with a lower id. */
  readonly before?: string | undefined
  readonly count: number
}

interface StoredLast {
  readonly lastNr: string | null
  readonly lastSubject: string | null
  readonly lastKinds: readonly WatchKind[] | null
  readonly lastAt: Date | null
}

/** Newest watch first. */
export async function readOwnWatches(
  accounts: Database,
  { kind, digest }: Credential,
  { id, team, before, count }: WatchFilter,
): Promise<readonly ListedWatch[]> {
  const { rows } = await translateRefusal(
    sql<WatchRow & StoredLast & Pick<ListedWatch, 'daily'>>`
      select ${COLUMNS}, listed.last_nr as "lastNr", listed.last_subject as "lastSubject",
             listed.last_kinds as "lastKinds", listed.last_at as "lastAt", listed.daily
        from notify.read_watches(
               ${kind}, decode(${digest}, 'hex'), ${id ?? null}, ${team ?? null}, ${before ?? null}, ${count}) listed
    `.execute(accounts),
  )
  return rows.map(({ lastNr, lastSubject, lastKinds, lastAt, ...row }) => ({
    ...row,
    lastEvent:
      lastNr === null || !lastAt
        ? null
        : { nr: Number(lastNr), cveId: lastSubject, kinds: lastKinds ?? [], at: lastAt },
  }))
}

type WatchOutcome =
  | 'done'
  | 'unknown'
  | 'conflict'
  | 'name'
  | 'own'
  | 'watched'
  | 'limit'
  | 'shared limit'
  | 'role'
  | 'forbidden'
  | 'too many'
  | 'exists'
  | 'none'

export interface WatchChange {
  readonly outcome: WatchOutcome
  /** The watch after the change, or as it is if the change was refused; undefined if there is none. */
  readonly watch: WatchRow | undefined
  /** How many watches or feeds the plan allows. */
  readonly allowed: number | undefined
}

/** Undefined keeps what a watch has. */
interface WatchContent {
  readonly name?: string | undefined
  readonly query?: string | undefined
  readonly kinds?: readonly WatchKind[] | undefined
  /** An empty text is no team. */
  readonly team?: string | undefined
  readonly isPaused?: boolean | undefined
}

interface WatchToSave extends WatchContent {
  /** Undefined for a new watch with a view of its own. */
  readonly viewId?: string | undefined
  readonly revision?: number | undefined
  readonly isNew: boolean
  /** The newest position of the change log: from there on, the watch is judged as it is now. */
  readonly seen: Position
}

/** Later revisions cannot be stored, so they are as wrong as this one. */
const MAX_REVISION = 2 ** 31 - 1

const limitRevision = (revision: number | undefined) =>
  revision === undefined ? null : Math.min(revision, MAX_REVISION)

/** The tag as the signed number that the database stores. */
const toTag = ({ tag }: Position) => BigInt.asIntN(64, BigInt(`0x${tag}`)).toString()

export function saveOwnWatch(
  accounts: Database,
  { kind, digest }: Credential,
  watch: WatchToSave,
): Promise<WatchChange> {
  const { viewId, revision, isNew, name, query, kinds, team, isPaused, seen } = watch
  return change(
    accounts,
    sql`notify.save_watch(
      ${kind}, decode(${digest}, 'hex'), ${viewId ?? null}, ${limitRevision(revision)}, ${isNew}, ${name ?? null},
      ${query ?? null}, ${kinds ?? null}, ${team ?? null}, ${isPaused ?? null}, ${seen.seq}, ${toTag(seen)})`,
    sql`listed.allowed`,
  )
}

export function removeOwnWatch(
  accounts: Database,
  { kind, digest }: Credential,
  watch: {
    readonly id: string
    readonly revision: number | undefined
    readonly keepsView: boolean
    readonly seen: Position
  },
): Promise<WatchChange> {
  const { id, revision, keepsView, seen } = watch
  return change(
    accounts,
    sql`notify.remove_watch(
      ${kind}, decode(${digest}, 'hex'), ${id}, ${limitRevision(revision)}, ${keepsView}, ${seen.seq}, ${toTag(seen)})`,
  )
}

export function snoozeOwnWatch(
  accounts: Database,
  { kind, digest }: Credential,
  { id, until }: { readonly id: string; readonly until: Date | null },
): Promise<WatchChange> {
  return change(accounts, sql`notify.snooze_watch(${kind}, decode(${digest}, 'hex'), ${id}, ${until})`)
}

/** `tokenDigest`: SHA-256 of the new token. */
export function makeOwnFeed(
  accounts: Database,
  { kind, digest }: Credential,
  { id, tokenDigest, isRotation }: { readonly id: string; readonly tokenDigest: Buffer; readonly isRotation: boolean },
): Promise<WatchChange> {
  return change(
    accounts,
    sql`notify.make_feed(${kind}, decode(${digest}, 'hex'), ${id}, ${tokenDigest}, ${isRotation})`,
    sql`listed.allowed`,
  )
}

export function removeOwnFeed(accounts: Database, { kind, digest }: Credential, id: string): Promise<WatchChange> {
  return change(accounts, sql`notify.remove_feed(${kind}, decode(${digest}, 'hex'), ${id})`)
}

async function change(
  accounts: Database,
  call: RawBuilder<unknown>,
  allowed: RawBuilder<unknown> = sql`null::integer`,
): Promise<WatchChange> {
  const { rows } = await translateRefusal(
    sql<WatchRow & { readonly outcome: WatchOutcome; readonly allowed: number | null }>`
      select listed.outcome, ${allowed} as allowed, ${COLUMNS} from ${call} listed
    `.execute(accounts),
  )
  const [row] = rows
  if (!row) throw new Error('the change of a watch returned no row')
  return { outcome: row.outcome, watch: row.id === null ? undefined : row, allowed: row.allowed ?? undefined }
}

export interface WatchSpan {
  readonly revision: number
  readonly query: string
  readonly kinds: readonly WatchKind[]
  /** Changes with a number above the first and up to the second are judged; null for the open span. */
  readonly from: string
  readonly until: string | null
}

/** The spans in which the watch was judged, oldest first. */
export async function readOwnSpans(
  accounts: Database,
  { kind, digest }: Credential,
  id: string,
): Promise<readonly WatchSpan[]> {
  const { rows } = await translateRefusal(
    sql<WatchSpan>`
      select span.revision, span.query, span.kinds, span.from_seq as "from", span.until_seq as "until"
        from notify.read_spans(${kind}, decode(${digest}, 'hex'), ${id}) span
    `.execute(accounts),
  )
  return rows
}

/** The events of the watch about these changes of a CVE, by the number of the change. */
export async function readOwnWatchEvents(
  accounts: Database,
  { kind, digest }: Credential,
  { watchId, cveId, seqs }: { readonly watchId: string; readonly cveId: string; readonly seqs: readonly string[] },
): Promise<ReadonlyMap<string, { readonly nr: number; readonly isMuted: boolean }>> {
  const { rows } = await translateRefusal(
    sql<{ seq: string; nr: number; isMuted: boolean }>`
      select told.seq::text as seq, told.nr::float8 as nr, told.is_muted as "isMuted"
        from notify.read_watch_events(
               ${kind}, decode(${digest}, 'hex'), ${watchId}, ${cveId}, ${seqs}::bigint[]) told
    `.execute(accounts),
  )
  return new Map(rows.map(({ seq, ...event }) => [seq, event]))
}

const COLUMNS = sql`
  (listed.watch).id, (listed.watch).member_id as "memberId", (listed.watch).name, (listed.watch).team,
  (listed.watch).query, (listed.watch).kinds, (listed.watch).snoozed_until as "snoozedUntil",
  (listed.watch).is_paused as "isPaused", (listed.watch).has_feed as "hasFeed", (listed.watch).revision,
  (listed.watch).created_at as "createdAt", (listed.watch).changed_at as "changedAt"
`
