// Merges the temporary tables of a publication into the tables that the API reads. The caller must hold the publishers'
// lock.
import { sql, type Transaction } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../../contract/record/cve-fields.ts'
import type { ChangeContent } from '../../../domain/change/change.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { keepTouched, listTouched, mergeAffected } from '../../affected/store.ts'
import type { LoggedRow, PublicationLog } from '../../changes/log.ts'
import { addHolds } from '../../epss-history/holds.ts'
import { UPSERT_SEARCH_COLUMNS } from '../indexes/search-columns.ts'
import { addStagedNames, subtractNames, subtractStagedNames } from '../names/count-names.ts'
import { findChanges } from './find-changes.ts'
import { findFilteredDifferences, keepChanged, keepRemoved } from './keep-before.ts'
import { mergeProducts } from './merge-products.ts'

export interface Merged {
  readonly added: number
  readonly changed: number
}

export async function merge(tx: Transaction<unknown>, log: PublicationLog, now: Date): Promise<Merged> {
  await sql`
    analyze staged_cve (cve_key), staged_product (cve_key), staged_alias (cve_key), staged_document (cve_key),
            staged_detail (cve_key)
  `.execute(tx)
  // Runs before unchanged CVEs are dropped, because the content hash does not cover these rows.
  await mergeAffected(tx, sql`select cve_key as subject_key from staged_cve`)
  await dropUnchanged(tx)
  const changes = addAffected(await findChanges(tx), await listTouched(tx))
  if (changes.length === 0) return { added: 0, changed: 0 }
  const added = changes.filter(({ kind }) => kind === 'added').length
  const logged = await log.append(tx, await selectLogged(tx, changes))
  await keepChanged(tx, logged)
  await keepTouched(tx, logged)
  if (added < changes.length) await subtractStagedNames(tx)
  await UPSERT_SEARCH_COLUMNS.execute(tx)
  await keepUrgentDays(tx, logged)
  await mergeProducts(tx)
  await addStagedNames(tx)
  await mergeAliases(tx)
  await upsertDocuments(tx, now)
  await upsertDetails(tx, now)
  await addToEpss(tx)
  return { added, changed: changes.length - added }
}

interface Change extends ChangeContent {
  readonly key: CveKey
}

/** `touched`: CVEs whose affected versions changed. Some of them have no other change. */
function addAffected(changes: readonly Change[], touched: readonly CveKey[]): readonly Change[] {
  const rest = new Set(touched)
  const extended = changes.map((change) =>
    rest.delete(change.key) && change.kind === 'changed'
      ? { ...change, fields: [...change.fields, 'affected'] }
      : change,
  )
  return [...extended, ...Array.from(rest, (key): Change => ({ key, kind: 'changed', fields: ['affected'], diff: {} }))]
}

/**
 * A change that no answer shows has a row only if a filter reads the value: the CVE can begin or cease to be a hit of a
 * search. Other such rows would tell their reader nothing.
 */
async function selectLogged(tx: Transaction<unknown>, changes: readonly Change[]): Promise<readonly Change[]> {
  const filtered = await findFilteredDifferences(
    tx,
    changes.filter((change) => !isShown(change)).map(({ key }) => key),
  )
  return changes.flatMap((change) => {
    if (isShown(change)) return [change]
    return filtered.has(change.key) ? [{ ...change, fields: ['search'] }] : []
  })
}

function isShown({ kind, fields, diff }: ChangeContent): boolean {
  return kind !== 'changed' || fields.length > 0 || Object.keys(diff).length > 0
}

/** Leaves only new and changed CVEs in the temporary tables. */
async function dropUnchanged(tx: Transaction<unknown>): Promise<void> {
  // `offset 0` forces index lookups, as in mergeProducts.
  const { numAffectedRows: unchanged } = await sql`
    delete from staged_cve
     where cve_key in (
             select staged.cve_key
               from staged_cve staged
              cross join lateral (
                      select content_hash
                        from catalog.cve
                       where cve_key = staged.cve_key
                      offset 0
                    ) published
              where published.content_hash = staged.content_hash
           )
  `.execute(tx)
  if (unchanged === 0n) return
  for (const table of ['staged_product', 'staged_alias', 'staged_document', 'staged_detail'])
    await sql`
      delete from ${sql.table(table)} staged
       where not exists (select from staged_cve changed where changed.cve_key = staged.cve_key)
    `.execute(tx)
}

/** Keeps the day on which CVEs became urgent, for the sort order level_desc: the change log forgets it. */
async function keepUrgentDays(tx: Transaction<unknown>, logged: readonly LoggedRow[]): Promise<void> {
  if (logged.length === 0) return
  await sql`
    update catalog.cve
       set urgent_day = (change.at at time zone 'utc')::date - date '1970-01-01'
      from catalog.change
     where change.seq = any (${logged.map(({ seq }) => seq)}::bigint[])
       and change.cause = 'data'
       and 'became_urgent' = any (change.types)
       and cve.cve_key = change.cve_key
  `.execute(tx)
}

async function mergeAliases(tx: Transaction<unknown>): Promise<void> {
  // The lateral subquery with `offset 0` and the row addresses (ctid) force index lookups, as in mergeProducts.
  await sql`
    delete from catalog.alias
     where ctid = any (array(
             select published.place
               from staged_cve changed
              cross join lateral (
                      select ctid as place, alias
                        from catalog.alias
                       where cve_key = changed.cve_key
                      offset 0
                    ) published
              where (changed.cve_key, published.alias) not in (select cve_key, alias from staged_alias)
           ))
  `.execute(tx)
  await sql`
    insert into catalog.alias as published (alias, cve_key, source)
    select alias, cve_key, source
      from staged_alias
     order by alias, cve_key
    on conflict (alias, cve_key) do update
       set source = excluded.source
     where published.source <> excluded.source
  `.execute(tx)
}

async function upsertDocuments(tx: Transaction<unknown>, now: Date): Promise<void> {
  const columns = sql.join(DOCUMENT_COLUMNS.map((name) => sql.id(name)))
  const assignments = sql.join(DOCUMENT_COLUMNS.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`))
  await sql`
    insert into catalog.cve_document as published (cve_key, ${columns}, enriched_at)
    select cve_key, ${columns}, ${now}::timestamptz
      from staged_document
     order by cve_key
    on conflict (cve_key) do update
       set ${assignments},
           enriched_at = case when published.enrichment = excluded.enrichment then published.enriched_at
                              else excluded.enriched_at
                         end
  `.execute(tx)
}

async function upsertDetails(tx: Transaction<unknown>, now: Date): Promise<void> {
  await sql`
    delete from catalog.cve_detail published
     using staged_cve changed
     where changed.cve_key = published.cve_key
       and not exists (
             select from staged_detail staged
              where staged.cve_key = published.cve_key and staged.source = published.source
           )
  `.execute(tx)
  await sql`
    insert into catalog.cve_detail as published (cve_key, source, record, parts, content_hash, created_at, updated_at)
    select cve_key, source, record, parts, content_hash, ${now}::timestamptz, ${now}::timestamptz
      from staged_detail
     order by cve_key, source
    on conflict (cve_key, source) do update
       set record = excluded.record,
           parts = excluded.parts,
           content_hash = excluded.content_hash,
           updated_at = excluded.updated_at
     where published.content_hash <> excluded.content_hash
  `.execute(tx)
}

/**
 * New CVEs get their score only if the stored scores belong to the published EPSS release; otherwise the next EPSS
 * publication adds it.
 */
async function addToEpss(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.epss (cve_key, score, percentile)
    select staged.cve_key, stored.score, stored.percentile
      from staged_cve staged
      left join source.epss_score stored
        on stored.cve_id = catalog.cve_id(staged.cve_key)
       and (select revision from source.epss_release) = (select revision from catalog.epss_release)
     order by staged.cve_key
    on conflict (cve_key) do nothing
  `.execute(tx)
  await addHolds(tx, sql`select cve_key from staged_cve`)
}

/**
 * Removes CVEs that no source lists any longer, such as one that only KEV listed and CISA removed. The temporary tables
 * of a publication must exist.
 */
export async function removeCves(
  tx: Transaction<unknown>,
  log: PublicationLog,
  keys: readonly CveKey[],
): Promise<number> {
  if (keys.length === 0) return 0
  await subtractNames(tx, keys)
  const published = await listPublished(tx, keys)
  const logged = await log.append(tx, published.map(toRemoval))
  await keepRemoved(tx, logged)
  await sql`
    with removed as (
      delete from catalog.cve
       where cve_key = any (${keys}::bigint[])
      returning cve_key
    ), products as (
      delete from catalog.cve_product
       where cve_key in (select cve_key from removed)
      returning product_key
    ), counted as (
      insert into product_change (product_key, change)
      select product_key, -1
        from products
    ), aliases as (
      delete from catalog.alias
       where cve_key in (select cve_key from removed)
    ), affected as (
      delete from catalog.affected
       where subject_key in (select cve_key from removed)
      returning subject_key, name_key
    ), touched as (
      insert into catalog.affected_touched (seq, subject_key, name_key)
      select distinct logged.seq, affected.subject_key, affected.name_key
        from affected
        join unnest(${logged.map(({ seq }) => seq)}::bigint[], ${logged.map(({ key }) => key)}::bigint[])
             as logged (seq, subject_key) using (subject_key)
    ), documents as (
      delete from catalog.cve_document
       where cve_key in (select cve_key from removed)
    ), details as (
      delete from catalog.cve_detail
       where cve_key in (select cve_key from removed)
    ), scores as (
      delete from catalog.epss
       where cve_key in (select cve_key from removed)
    ), events as (
      delete from catalog.event
       where cve_key in (select cve_key from removed)
    )
    select from removed
  `.execute(tx)
  return published.length
}

interface PublishedCve {
  readonly key: CveKey
  readonly inEuKev: boolean
}

const toRemoval = ({ key, inEuKev }: PublishedCve) => ({
  key,
  kind: 'removed' as const,
  fields: [],
  diff: inEuKev ? { 'eu_kev.listed': { old: true, new: false } } : {},
})

async function listPublished(tx: Transaction<unknown>, keys: readonly CveKey[]): Promise<readonly PublishedCve[]> {
  const { rows } = await sql<PublishedCve>`
    select cve_key as key, in_eu_kev as "inEuKev"
      from catalog.cve
     where cve_key = any (${keys}::bigint[])
     order by cve_key
  `.execute(tx)
  return rows
}
