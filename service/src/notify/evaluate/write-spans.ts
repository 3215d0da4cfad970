// Writes how far spans were judged, and deletes those that are finished.
import { sql, type Transaction } from 'kysely'
import type { LogPosition } from './read-log.ts'
import type { Span } from './spans.ts'

const listKeys = (spans: readonly Span[]) => sql`
  select watch, revision
    from unnest(${spans.map(({ watch }) => watch)}::bigint[], ${spans.map(({ revision }) => revision)}::integer[])
         as listed (watch, revision)`

/** Null: as far as the evaluator's position. */
export async function writeDone(
  tx: Transaction<unknown>,
  spans: readonly Span[],
  done: LogPosition | null,
): Promise<void> {
  if (spans.length === 0) return
  await sql`
    update notify.watch_span span
       set done_seq = ${done && String(done.seq)}, done_tag = ${done && String(done.tag)}
      from (${listKeys(spans)}) listed
     where span.watch_id = listed.watch and span.revision = listed.revision
  `.execute(tx)
}

export async function deleteSpans(tx: Transaction<unknown>, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return
  await sql`delete from notify.watch_span where (watch_id, revision) in (${listKeys(spans)})`.execute(tx)
}

/** Open spans begin again at a position: what was before it cannot be judged. */
export async function restartSpans(
  tx: Transaction<unknown>,
  spans: readonly Span[],
  { seq, tag }: LogPosition,
): Promise<void> {
  if (spans.length === 0) return
  await sql`
    update notify.watch_span span
       set from_seq = ${String(seq)}, from_tag = ${String(tag)}, done_seq = null, done_tag = null
      from (${listKeys(spans)}) listed
     where span.watch_id = listed.watch and span.revision = listed.revision
  `.execute(tx)
}

/**
 * After a restore of the catalog, changes get numbers again that events of the lost changes have. These events get negative
 * numbers, which no change has.
 */
export async function renumberAfter(tx: Transaction<unknown>, { seq }: LogPosition): Promise<void> {
  const renumbered = sql`-(extract(epoch from now())::bigint * 1000000000 + seq % 1000000000)`
  await sql`update notify.event set seq = ${renumbered} where seq > ${String(seq)}`.execute(tx)
  await sql`update notify.news set seq = ${renumbered} where seq > ${String(seq)}`.execute(tx)
}
