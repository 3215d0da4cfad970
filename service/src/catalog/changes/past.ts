// Keeps the values that a change replaces (catalog.cve_past; ADR 0024), so that the record of an earlier day can be
// reconstructed. Every day's EPSS scores are kept in catalog.epss_series.
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { CVE_FIELD_NAMES, listReadColumns } from '../../contract/record/cve-fields.ts'

/** Columns of catalog.cve_document that the answer for a single CVE contains. */
const COLUMNS = [...new Set(CVE_FIELD_NAMES.flatMap((field) => listReadColumns(field, 'single')))].filter(
  (column) => column !== 'enriched_at',
)

/** Removing a CVE replaces all members; other changes list the members they replace. */
const replaces = (member: string) => sql`(logged.kind = 'removed' or ${sql.lit(member)} = any (logged.fields))`

const ALIASES = sql`
  array(select alias || ' ' || source from catalog.alias where alias.cve_key = logged.cve_key order by alias)`

/**
 * Reads tables that the change is about to write. `logged` has the new rows of catalog.change; `sent` has the replaced
 * KEV entry, because KEV is published earlier.
 */
export const selectReplaced = (logged: RawBuilder<unknown>, sent: RawBuilder<unknown>) => sql`
  select logged.cve_key, logged.seq, logged.at, replaced.members
    from ${logged} logged
    join ${sent} sent
      on sent.key = logged.cve_key
    left join catalog.cve_document document
      on document.cve_key = logged.cve_key
   cross join lateral (
           select jsonb_object_agg(member.name, member.value) as members
             from (
                    select name, to_jsonb(text) as value
                      from (values ${sql.join(
                        COLUMNS.map((column) => sql`(${sql.lit(column)}, ${sql.ref(`document.${column}`)})`),
                      )}) fragment (name, text)
                     where text is not null
                       and (logged.kind = 'removed' or name = any (logged.fields))
                     union all
                    select 'enriched_at', to_jsonb(document.enriched_at) where ${replaces('enrichment')}
                     union all
                    select 'aliases', to_jsonb(${ALIASES}) where ${replaces('aliases')}
                     union all
                    select 'kev', coalesce(sent."replacedKev" -> 0, 'null')
                     where logged.kind = 'removed' or sent."replacedKev" is not null
                  ) member
         ) replaced
   where logged.kind in ('changed', 'removed', 'kev')
     and replaced.members is not null`

/** Records of the past are complete from the end of the first load onwards. */
export async function startPast(tx: Transaction<unknown>): Promise<void> {
  await sql`
    update catalog.past_start
       set complete_since = clock_timestamp()
     where complete_since is null
       and not exists (select from catalog.first_load where finished_at is null)
       and exists (select from catalog.cve)
       -- The scores of the published release must be among those of every day.
       and not exists (
             select from catalog.epss_release
              where (scored_at at time zone 'utc')::date not in (select day from catalog.epss_day)
           )
  `.execute(tx)
}

/**
 * catalog.epss_series has one score per CVE and day, so scores that are replaced by a corrected release for the same
 * day are kept here. Call it before the scores are published.
 */
export async function keepCorrectedScores(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.cve_past (cve_key, until_seq, until_at, members)
    select published.cve_key,
           -- No row of the log names the CVE, so the rows have a number that the log leaves out.
           (select nextval(pg_get_serial_sequence('catalog.change', 'seq'))),
           clock_timestamp(),
           jsonb_build_object('epss', jsonb_build_object(
             'day', release.day, 'score', published.score, 'percentile', published.percentile,
             'held', published.held_since
           ))
      from (
             select (published.scored_at at time zone 'utc')::date as day
               from catalog.epss_release published
               join source.epss_release stored
                 on (stored.scored_at at time zone 'utc')::date = (published.scored_at at time zone 'utc')::date
           ) release
     cross join catalog.epss published
      left join source.epss_score stored
        on stored.cve_id = catalog.cve_id(published.cve_key)
     where (stored.score, stored.percentile) is distinct from (published.score, published.percentile)
  `.execute(tx)
}
