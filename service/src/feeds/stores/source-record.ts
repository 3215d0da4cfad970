// Feeds that say one thing per CVE keep it whole in `source.source_record`. They replace, and never remove: neither NVD
// nor the CVE List takes records back, they mark them as rejected.
import { hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../domain/cve-id.ts'
import { idsAmong } from '../download/dated-release.ts'
import type { Measure } from '../guard.ts'
import type { Merged, Scope, Store } from '../store.ts'

export interface SourceRow {
  readonly cveId: CveId
  readonly modified: Date
  /** It was dated later than now, and is cut to now. */
  readonly isFuture: boolean
  readonly score: number | null
  /** JSON text. */
  readonly record: string
}

/** Clocks differ; whoever is ahead of us by less than this is not from the future. */
const CLOCK_DIFFERENCE_MS = 60 * 60_000

/** Timestamps in the future are cut to the time of ingest (decision C22). */
export function sourceRow(
  cveId: CveId,
  modified: Date,
  said: { readonly value: unknown; readonly score: number | null },
  now: Date,
): SourceRow {
  const aheadMs = modified.getTime() - now.getTime()
  return {
    cveId,
    modified: aheadMs > 0 ? now : modified,
    isFuture: aheadMs > CLOCK_DIFFERENCE_MS,
    score: said.score,
    record: JSON.stringify(said.value),
  }
}

export function sourceRecordStore(source: string): Store<SourceRow> {
  return {
    staging: 'staged_record (cve_id, content_hash, modified, record, is_future, score)',
    values: ({ cveId, modified, record, isFuture, score }) => [
      cveId,
      hash('sha256', record, 'buffer'),
      modified,
      record,
      isFuture,
      score,
    ],
    stage,
    measure: (tx, scope) => measure(tx, source, scope),
    merge: (tx) => merge(tx, source),
  }
}

async function stage(tx: Transaction<unknown>): Promise<void> {
  // The same compression as in the table it goes to, so that the text is compressed once and then only copied.
  await sql`
    create temporary table staged_record (
      like source.source_record including compression,
      ordinal   bigint generated always as identity,
      is_future boolean not null,
      score     real
    ) on commit drop
  `.execute(tx)
  await sql`alter table staged_record drop column source`.execute(tx)
}

/** As PostgreSQL's bigint arrives. */
type Counted = Record<Exclude<keyof Required<Measure>, 'duplicates' | 'drift'>, string>

async function measure(tx: Transaction<unknown>, source: string, scope: Scope): Promise<Measure> {
  const duplicates = await dropDuplicates(tx)
  await sql`analyze staged_record (cve_id, content_hash, modified)`.execute(tx)
  const { rows } = await sql<Counted>`
    select count(*) as staged,
           count(*) filter (where ours.cve_id is null) as fresh,
           count(*) filter (where ours.content_hash <> staged.content_hash and staged.modified >= ours.modified) as changed,
           count(*) filter (where ours.content_hash <> staged.content_hash and staged.modified = ours.modified) as "changedSilently",
           count(*) filter (where staged.modified < ours.modified) as older,
           count(*) filter (where staged.is_future) as future,
           count(staged.score) as scored,
           count(*) filter (where staged.score = 0) as "scoredZero",
           ${countExisting(source, scope)} as existing,
           ${countVanished(source, scope)} as vanished
      from staged_record staged
      left join source.source_record ours
        on ours.source = ${source} and ours.cve_id = staged.cve_id
  `.execute(tx)
  const counted = rows[0]
  if (!counted) throw new Error('a count has one row')
  return { ...numbers(counted), duplicates }
}

function numbers(counted: Counted): Omit<Measure, 'duplicates'> {
  return {
    staged: Number(counted.staged),
    fresh: Number(counted.fresh),
    changed: Number(counted.changed),
    changedSilently: Number(counted.changedSilently),
    older: Number(counted.older),
    future: Number(counted.future),
    scored: Number(counted.scored),
    scoredZero: Number(counted.scoredZero),
    existing: Number(counted.existing),
    vanished: Number(counted.vanished),
  }
}

/** Of several records for one CVE the newest counts; of equally new ones, the last. */
async function dropDuplicates(tx: Transaction<unknown>): Promise<number> {
  const { rows } = await sql<{ hasDuplicates: boolean }>`
    select count(*) > count(distinct cve_id) as "hasDuplicates"
      from staged_record
  `.execute(tx)
  if (!rows[0]?.hasDuplicates) return 0
  const { numAffectedRows } = await sql`
    delete from staged_record
     where ordinal in (
             select ordinal
               from (
                      select ordinal, row_number() over (partition by cve_id order by modified desc, ordinal desc) as place
                        from staged_record
                    ) ranked
              where place > 1
           )
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

const withinSlice = ({ slice }: Scope) =>
  slice === undefined ? sql`true` : sql`held.cve_id between ${slice.first} and ${slice.last}`

const countExisting = (source: string, scope: Scope) => sql`(
  select count(*)
    from source.source_record held
   where held.source = ${source} and ${withinSlice(scope)}
)`

const countVanished = (source: string, scope: Scope) =>
  scope.kind === 'delta'
    ? sql`0`
    : sql`(
  select count(*)
    from source.source_record held
   where held.source = ${source} and ${withinSlice(scope)}
     and not exists (select from staged_record present where present.cve_id = held.cve_id)
     and held.cve_id <> all (${idsAmong(scope.rejected)}::text[])
)`

/** An older record never overwrites a newer one; one of the same age with other content does. */
async function merge(tx: Transaction<unknown>, source: string): Promise<Merged> {
  const { rows } = await sql<{ inserted: string; updated: string }>`
    with written as (
      insert into source.source_record as ours (source, cve_id, content_hash, modified, record)
      select ${source}, staged.cve_id, staged.content_hash, staged.modified, staged.record
        from staged_record staged
        left join source.source_record held
          on held.source = ${source} and held.cve_id = staged.cve_id
       where held.cve_id is null
          or (held.content_hash <> staged.content_hash and staged.modified >= held.modified)
      on conflict (source, cve_id) do update
         set content_hash = excluded.content_hash, modified = excluded.modified, record = excluded.record
      returning cve_id, (xmax = 0) as is_new
    ), queued as (
      insert into source.publication_queue (cve_id, feed)
      select cve_id, ${source}
        from written
    )
    select count(*) filter (where is_new) as inserted,
           count(*) filter (where not is_new) as updated
      from written
  `.execute(tx)
  return { inserted: Number(rows[0]?.inserted ?? 0), updated: Number(rows[0]?.updated ?? 0), removed: 0 }
}
