// Writes the staged rows to catalog.affected. Only rows that differ are written.
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { CopyValue } from '../../database/copy-line.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { type AffectedRow, AFFECTED_COLUMNS as COLUMNS, toAffectedValues } from '../../record/affected-row.ts'

export const AFFECTED_TARGET = `staged_affected (subject_key, nr, kind, vendor, product, ${COLUMNS.join(', ')})`

/** PostgreSQL drops the tables at the end of the transaction. */
export async function prepareAffected(tx: Transaction<unknown>): Promise<void> {
  await sql`create temporary table staged_affected (like catalog.affected) on commit drop`.execute(tx)
  await sql`
    alter table staged_affected
      alter column name_key drop not null,
      add column kind text not null,
      add column vendor text collate "C" not null,
      add column product text collate "C" not null
  `.execute(tx)
  // The rows that a merge deletes (-1) and inserts (1), without their numbers.
  await sql`
    create temporary table moved_affected (subject_key bigint, name_key integer, content text, change integer)
        on commit drop
  `.execute(tx)
}

/** The temporary tables that are emptied before the next subjects are staged. */
export const AFFECTED_TABLES = sql`staged_affected, moved_affected`

/** Returns the values of the rows to COPY into AFFECTED_TARGET. */
export function listAffectedValues(
  subjectKey: string,
  rows: readonly AffectedRow[],
): readonly (readonly CopyValue[])[] {
  return rows.map((row, index) => [subjectKey, index + 1, row.kind, row.vendor, row.product, ...toAffectedValues(row)])
}

const listColumns = (table: string) =>
  sql.join(['name_key', ...COLUMNS].map((name) => sql`${sql.id(table)}.${sql.id(name)}`))

const CONTENT = sql`row(${sql.join(COLUMNS.map((name) => sql.id(name)))})::text`

/** A first load logs no changes. */
const IS_LOGGED = sql`not exists (select from catalog.first_load where finished_at is null)`

const IS_SAME = sql`(${listColumns('staged')}) is not distinct from (${listColumns('published')})`

/** `subjects` is a query for `subject_key`. A subject without staged rows loses its published ones. */
export async function mergeAffected(tx: Transaction<unknown>, subjects: RawBuilder<unknown>): Promise<void> {
  await sql`analyze staged_affected (subject_key, nr)`.execute(tx)
  await insertNames(tx)
  await deleteOutdated(tx, subjects)
  await sql`
    with inserted as (
      insert into catalog.affected (subject_key, nr, name_key, ${sql.join(COLUMNS.map((name) => sql.id(name)))})
      select staged.subject_key, staged.nr, ${listColumns('staged')}
        from staged_affected staged
        left join lateral (
               select nr
                 from catalog.affected
                where subject_key = staged.subject_key
                  and nr = staged.nr
               offset 0
             ) published on true
       where published.nr is null
       order by staged.subject_key, staged.nr
      returning *
    )
    insert into moved_affected (subject_key, name_key, content, change)
    select subject_key, name_key, ${CONTENT}, 1
      from inserted
     where ${IS_LOGGED}
  `.execute(tx)
}

/** A row that was deleted and inserted again under another number has not changed. */
const TOUCHED = sql`(
  select distinct subject_key, name_key
    from (
           select subject_key, name_key
             from moved_affected
            group by subject_key, name_key, content
           having sum(change) <> 0
         ) differing
)`

/** Lists the CVEs whose affected versions were changed by the merge of what is staged; none during a first load. */
export async function listTouched(tx: Transaction<unknown>): Promise<readonly CveKey[]> {
  const { rows } = await sql<{ key: CveKey }>`
    select distinct subject_key as key from ${TOUCHED} touched order by subject_key
  `.execute(tx)
  return rows.map(({ key }) => key)
}

/** Adds the names of touched subjects to the rows of the change log that are about them. */
export async function keepTouched(
  tx: Transaction<unknown>,
  logged: readonly { readonly seq: string; readonly key: string | null }[],
): Promise<void> {
  if (logged.length === 0) return
  await sql`
    insert into catalog.affected_touched (seq, subject_key, name_key)
    select logged.seq, touched.subject_key, touched.name_key
      from ${TOUCHED} touched
      join unnest(${logged.map(({ seq }) => seq)}::bigint[], ${logged.map(({ key }) => key)}::bigint[])
           as logged (seq, subject_key) using (subject_key)
     order by logged.seq, touched.subject_key, touched.name_key
  `.execute(tx)
}

/** Also sets the keys of the staged rows. */
async function insertNames(tx: Transaction<unknown>): Promise<void> {
  await sql`
    with named as materialized (
      select distinct kind, vendor, product from staged_affected
    ), known as materialized (
      select named.kind, named.vendor, named.product, stored.name_key
        from named
        left join lateral (
               select name_key
                 from catalog.affected_name
                where product = named.product
                  and vendor = named.vendor
                  and kind = named.kind
               offset 0
             ) stored on true
    ), added as (
      insert into catalog.affected_name (kind, vendor, product)
      select kind, vendor, product
        from known
       where name_key is null
       order by product, vendor, kind
      returning kind, vendor, product, name_key
    )
    update staged_affected staged
       set name_key = keyed.name_key
      from (
             select kind, vendor, product, name_key from known where name_key is not null
              union all
             select kind, vendor, product, name_key from added
           ) keyed
     where keyed.product = staged.product
       and keyed.vendor = staged.vendor
       and keyed.kind = staged.kind
  `.execute(tx)
}

/** The lateral subquery with `offset 0` and the row addresses (ctid) force index lookups, as in mergeProducts. */
async function deleteOutdated(tx: Transaction<unknown>, subjects: RawBuilder<unknown>): Promise<void> {
  await sql`
    with deleted as (
      delete from catalog.affected
       where ctid = any (array(
               select published.place
                 from (${subjects}) subject
                cross join lateral (
                        select ctid as place, nr, ${sql.join(['name_key', ...COLUMNS].map((name) => sql.id(name)))}
                          from catalog.affected
                         where subject_key = subject.subject_key
                        offset 0
                      ) published
                 left join staged_affected staged
                   on staged.subject_key = subject.subject_key
                  and staged.nr = published.nr
                where staged.nr is null or not (${IS_SAME})
             ))
      returning *
    )
    insert into moved_affected (subject_key, name_key, content, change)
    select subject_key, name_key, ${CONTENT}, -1
      from deleted
     where ${IS_LOGGED}
  `.execute(tx)
}

/** Compares names as text, because a verification adds no names. CVEs that are not published are reported elsewhere. */
export async function findDifferingAffected(
  tx: Transaction<unknown>,
): Promise<readonly { readonly key: string; readonly columns: readonly string[] }[]> {
  const { rows } = await sql<{ key: string; columns: readonly string[] }>`
    select coalesce(staged.subject_key, published.subject_key)::text as key, array['affected'] as columns
      from staged_affected staged
      full join (
             select affected.*, named.kind, named.vendor, named.product
               from catalog.affected
               join catalog.affected_name named using (name_key)
              where subject_key in (select cve_key from staged_cve)
           ) published
        on published.subject_key = staged.subject_key
       and published.nr = staged.nr
     where ((${listNamed('staged')}) is distinct from (${listNamed('published')}))
       and exists (
             select from catalog.cve where cve_key = coalesce(staged.subject_key, published.subject_key)
           )
     group by 1
  `.execute(tx)
  return rows
}

const listNamed = (table: string) =>
  sql.join(['kind', 'vendor', 'product', ...COLUMNS].map((name) => sql`${sql.id(table)}.${sql.id(name)}`))
