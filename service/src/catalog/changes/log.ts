// Writes the change log (catalog.change; ADR 0024): one row per CVE and publication, and the values that the change
// replaces. The caller holds the publishers' lock, which keeps the rows in commit order.
import { sql, type Transaction } from 'kysely'
import { type ChangeCause, type ChangeContent, type Diff, strongestCause } from '../../domain/change/change.ts'
import { findChangeTypes } from '../../domain/change/types.ts'
import { type CveId, type CveKey, toCveId } from '../../domain/cve-id.ts'
import { selectReplaced } from './past.ts'

export interface LoggedChange extends ChangeContent {
  /** Null for a change that concerns all CVEs. */
  readonly key: CveKey | null
  readonly cause: ChangeCause
  /** JSON text of the replaced KEV entry, or null if the CVE was not listed. Absent if the entry did not change. */
  readonly replacedKev?: readonly [string | null] | undefined
}

export interface LoggedRow {
  readonly seq: string
  readonly key: CveKey | null
}

/**
 * Call it before the changed CVEs are written, because it saves the values that they replace. Returns the new rows in the
 * order of their numbers; none during a first load.
 */
export async function appendChanges(
  tx: Transaction<unknown>,
  changes: readonly LoggedChange[],
): Promise<readonly LoggedRow[]> {
  if (changes.length === 0) return []
  await sql`select catalog.add_change_ranges(${changes.length})`.execute(tx)
  const sent = changes.map((change) => ({ ...change, types: findChangeTypes(change) }))
  const { rows } = await sql<LoggedRow>`
    with sent as materialized (
      select *
        from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
             as sent (key bigint, kind text, fields text[], types text[], diff jsonb, cause text, "publishedDay" date,
                      "replacedKev" jsonb)
       -- A first load has one row for everything, which ends it (ADR 0030).
       where not exists (select from catalog.first_load where finished_at is null)
    ), logged as (
      insert into catalog.change (cve_key, kind, fields, types, diff, cause, upstream_day)
      select key, kind, fields, types, nullif(diff, '{}'), cause, ${UPSTREAM_DAY}
        from sent
      returning seq, at, cve_key, kind, fields
    ), replaced as (
      insert into catalog.cve_past (cve_key, until_seq, until_at, members)
      ${selectReplaced(sql`logged`, sql`sent`)}
    )
    select seq::text, cve_key as key from logged order by logged.seq
  `.execute(tx)
  return rows
}

/** The day that the upstream source names for a change. If a change has several events, the first in this order decides. */
const UPSTREAM_DAY = sql`
  case when 'kev_added' = any (types) then (diff -> 'kev.dateAdded' ->> 'new')::date
       when 'kev_removed' = any (types) then (
         select (removed_at at time zone 'utc')::date from source.kev_entry where cve_id = catalog.cve_id(key)
       )
       when 'eu_kev_added' = any (types) then (
         select date_listed from source.eu_kev_entry where cve_id = catalog.cve_id(key)
       )
       when 'eu_kev_removed' = any (types) then (
         select (removed_at at time zone 'utc')::date from source.eu_kev_entry where cve_id = catalog.cve_id(key)
       )
       when kind = 'epss' then (select (scored_at at time zone 'utc')::date from source.epss_release)
       when 'notice_added' = any (types) then (
         select (max(notice.published) at time zone 'utc')::date
           from source.acsc_notice_cve named
           join source.acsc_notice notice on notice.id = named.notice_id
          where named.cve_id = catalog.cve_id(key)
       )
       else "publishedDay"
  end`

/** A KEV change is logged in the same row as the other changes to its CVE. */
export interface KevChange {
  readonly key: CveKey
  readonly diff: Diff
  readonly cause: ChangeCause
  readonly replacedKev: LoggedChange['replacedKev']
}

export interface PublicationLog {
  append(
    tx: Transaction<unknown>,
    changes: readonly (ChangeContent & { readonly key: CveKey })[],
  ): Promise<readonly LoggedRow[]>
  /** Logs the KEV changes to CVEs without any other change. Call it after the last `append`. */
  appendOtherKevChanges(tx: Transaction<unknown>): Promise<readonly LoggedRow[]>
}

/** `findCause` returns the reason for publishing a CVE. */
export function createPublicationLog(
  findCause: (id: CveId) => ChangeCause = () => 'data',
  kevChanges: readonly KevChange[] = [],
): PublicationLog {
  const unlogged = new Map(kevChanges.map((change) => [change.key, change]))
  return {
    append: async (tx, changes) => {
      const rows = await appendChanges(
        tx,
        changes.map((change) =>
          withKevChange({ ...change, cause: findCause(toCveId(change.key)) }, unlogged.get(change.key)),
        ),
      )
      for (const { key } of changes) unlogged.delete(key)
      return rows
    },
    appendOtherKevChanges: (tx) =>
      appendChanges(
        tx,
        [...unlogged.values()].map((change) => ({ ...change, kind: 'kev', fields: ['kev'] })),
      ),
  }
}

function withKevChange(change: LoggedChange, kev: KevChange | undefined): LoggedChange {
  if (kev === undefined) return change
  return {
    ...change,
    // An added CVE lists no changed members, because all of them are new.
    fields: change.kind === 'added' ? change.fields : [...change.fields, 'kev'],
    diff: { ...change.diff, ...kev.diff },
    cause: strongestCause([change.cause, kev.cause]),
    replacedKev: kev.replacedKev,
  }
}
