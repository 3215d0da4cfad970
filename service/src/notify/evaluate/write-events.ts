// Writes events with their numbers. The row of notify.inbox stays locked until the end of the transaction, so an account's
// numbers become visible in their order and without gaps.
import { sql, type Transaction } from 'kysely'
import { formatCopyChunks } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import type { Match } from './findings.ts'
import type { IsMuted } from './mutes.ts'
import type { News } from './news.ts'
import type { LogPosition } from './read-log.ts'
import { formatLogPosition } from './read-log.ts'
import type { Recalculation } from './recalculation.ts'

export interface NewEvent {
  readonly account: string
  readonly watch: string
  readonly seq: bigint
  readonly subjectKey: string | null
  readonly type: 'matched' | 'recalculated' | 'gap'
  readonly kinds: readonly string[]
  readonly enteredBy: readonly string[]
  readonly isMuted: boolean
  readonly detail: object | null
}

export const toMatched =
  (isMuted: IsMuted) =>
  (match: Match): NewEvent => ({
    account: match.span.account,
    watch: match.span.watch,
    seq: match.news.seq,
    subjectKey: match.news.subjectKey,
    type: 'matched',
    kinds: match.kinds,
    enteredBy: match.enteredBy,
    isMuted: isMuted(match),
    detail: null,
  })

export const toRecalculated = ({ account, watch, last, detail }: Recalculation): NewEvent => ({
  account,
  watch,
  seq: last.seq,
  subjectKey: null,
  type: 'recalculated',
  kinds: [],
  enteredBy: [],
  isMuted: false,
  detail,
})

/** The watch was not judged between the positions. */
export const toGap = (
  { account, watch }: { readonly account: string; readonly watch: string },
  from: LogPosition,
  to: LogPosition,
): NewEvent => ({
  account,
  watch,
  seq: to.seq,
  subjectKey: null,
  type: 'gap',
  kinds: [],
  enteredBy: [],
  isMuted: false,
  detail: { from: formatLogPosition(from), to: formatLogPosition(to) },
})

/** In the order of the log, and then of watches and subjects: the same however often it is repeated. */
export async function writeEvents(
  session: Session,
  tx: Transaction<unknown>,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  const next = await takeNumbers(tx, events)
  const at = new Date()
  const numbered = events.toSorted(compareEvents).map((event) => {
    const nr = next.get(event.account) ?? 0n
    next.set(event.account, nr + 1n)
    return [
      event.account,
      String(nr),
      event.watch,
      String(event.seq),
      event.subjectKey,
      event.type,
      event.kinds,
      event.enteredBy,
      event.isMuted,
      at,
      event.detail && JSON.stringify(event.detail),
    ]
  })
  await session.copyInto(
    tx,
    'notify.event (account_id, nr, watch_id, seq, subject_key, type, kinds, entered_by, is_muted, at, detail)',
    formatCopyChunks(numbered),
  )
}

/** Returns the first number of each account. */
async function takeNumbers(tx: Transaction<unknown>, events: readonly NewEvent[]): Promise<Map<string, bigint>> {
  const counts = new Map<string, number>()
  for (const { account } of events) counts.set(account, (counts.get(account) ?? 0) + 1)
  const { rows } = await sql<{ account: string; first: string }>`
    insert into notify.inbox as inbox (account_id, last_nr)
    select account, count
      from unnest(${[...counts.keys()]}::bigint[], ${[...counts.values()]}::bigint[]) as taken (account, count)
     order by account
        on conflict (account_id) do update set last_nr = inbox.last_nr + excluded.last_nr
    returning account_id::text as account, last_nr::text as first
  `.execute(tx)
  return new Map(rows.map(({ account, first }) => [account, BigInt(first) - BigInt(counts.get(account) ?? 0) + 1n]))
}

const compare = (one: bigint, other: bigint) => (one < other ? -1 : Number(one > other))

function compareEvents(one: NewEvent, other: NewEvent): number {
  return (
    compare(one.seq, other.seq) ||
    compare(BigInt(one.watch), BigInt(other.watch)) ||
    compare(BigInt(one.subjectKey ?? 0), BigInt(other.subjectKey ?? 0))
  )
}

const NEWS_PER_STATEMENT = 1000

/** The news may be there already: another watch told it in an earlier transaction. */
export async function writeNews(tx: Transaction<unknown>, news: ReadonlySet<News>): Promise<void> {
  const rows = Array.from(news, ({ seq, subjectKey, subject, at, upstreamDay, types, diff, record }) => ({
    seq: String(seq),
    subject_key: subjectKey,
    subject,
    at,
    upstream_day: upstreamDay,
    types,
    diff,
    record,
  }))
  for (let start = 0; start < rows.length; start += NEWS_PER_STATEMENT)
    await sql`
      insert into notify.news (seq, subject_key, subject, at, upstream_day, types, diff, record)
      select seq, subject_key, subject, at, upstream_day, types, diff, record
        from jsonb_to_recordset(${JSON.stringify(rows.slice(start, start + NEWS_PER_STATEMENT))}::jsonb)
             as news (seq bigint, subject_key bigint, subject text, at timestamptz, upstream_day date, types text[],
                      diff jsonb, record jsonb)
       order by seq, subject_key
          on conflict (seq, subject_key) do nothing
    `.execute(tx)
}
