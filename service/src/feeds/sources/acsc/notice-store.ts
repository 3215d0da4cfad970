import { sql, type Transaction } from 'kysely'
import type { Measure } from '../../guard.ts'
import type { Merged, Store } from '../../store.ts'
import type { NoticeRow } from './normalise.ts'

/** The feeds are short, so nothing is ever removed: a notice that left them stays. */
export const noticeStore: Store<NoticeRow> = {
  staging:
    'staged_notice (id, title, type, priority, published, updated, url, summary, affected_products, cve_ids, ' +
    'is_whole, is_future, content_hash)',
  values: (row) => [
    row.id,
    row.title,
    row.type,
    row.priority,
    row.published,
    row.updated,
    row.url,
    row.summary,
    row.affectedProducts,
    row.cveIds,
    row.isWhole,
    row.isFuture,
    row.contentHash,
  ],
  stage,
  measure,
  merge,
}

async function stage(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table staged_notice (
      like source.acsc_notice,
      ordinal   bigint  generated always as identity,
      cve_ids   text[]  not null,
      is_future boolean not null
    ) on commit drop
  `.execute(tx)
}

async function measure(tx: Transaction<unknown>): Promise<Measure> {
  const duplicates = await dropDuplicates(tx)
  const { rows } = await sql<Record<'staged' | 'fresh' | 'changed' | 'future' | 'existing', number>>`
    select count(*)::int as staged,
           (count(*) filter (where held.id is null))::int as fresh,
           (count(*) filter (where ${isNews}))::int as changed,
           (count(*) filter (where staged.is_future))::int as future,
           (select count(*)::int from source.acsc_notice) as existing
      from staged_notice staged
      left join source.acsc_notice held
        on held.id = staged.id
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('a count has one row')
  return { ...counted, duplicates, vanished: 0, scored: 0, scoredZero: 0 }
}

/** Of a notice that is held: whether what was staged differs, and knows as much. */
const isNews = sql`held.content_hash <> staged.content_hash and (staged.is_whole or not held.is_whole)`

/** A notice may come in both feeds: it is an alert then. */
async function dropDuplicates(tx: Transaction<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from staged_notice staged
     using (
             select ordinal,
                    row_number() over (
                      partition by id
                      order by is_whole desc, type = 'alert' desc, published desc, ordinal desc
                    ) as place
               from staged_notice
           ) ranked
     where ranked.ordinal = staged.ordinal
       and ranked.place > 1
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

async function merge(tx: Transaction<unknown>): Promise<Merged> {
  await dropUnchanged(tx)
  await queueCves(tx)
  const merged = await writeNotices(tx)
  await replaceCves(tx)
  return merged
}

async function dropUnchanged(tx: Transaction<unknown>): Promise<void> {
  await sql`
    delete from staged_notice staged
     using source.acsc_notice held
     where held.id = staged.id
       and not (${isNews})
  `.execute(tx)
}

/** Those that a written notice names, and those that it named before. */
async function queueCves(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select cve_id, 'acsc'
      from (
             select unnest(cve_ids) collate "C" as cve_id
               from staged_notice
              union
             select held.cve_id
               from source.acsc_notice_cve held
               join staged_notice staged
                 on staged.id = held.notice_id
           ) touched
     order by cve_id
  `.execute(tx)
}

async function writeNotices(tx: Transaction<unknown>): Promise<Merged> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into source.acsc_notice as ours (
             id, title, type, priority, published, updated, url, summary, affected_products, is_whole, content_hash
           )
    select id, title, type, priority, published, updated, url, summary, affected_products, is_whole, content_hash
      from staged_notice
    on conflict (id) do update
       set title = excluded.title,
           type = excluded.type,
           priority = excluded.priority,
           published = excluded.published,
           updated = excluded.updated,
           url = excluded.url,
           summary = excluded.summary,
           affected_products = excluded.affected_products,
           is_whole = excluded.is_whole,
           content_hash = excluded.content_hash
    returning ours.xmax = 0 as "isNew"
  `.execute(tx)
  const inserted = rows.filter(({ isNew }) => isNew).length
  return { inserted, updated: rows.length - inserted, removed: 0 }
}

async function replaceCves(tx: Transaction<unknown>): Promise<void> {
  await sql`
    delete from source.acsc_notice_cve held
     using staged_notice staged
     where staged.id = held.notice_id
       and held.cve_id <> all (staged.cve_ids)
  `.execute(tx)
  await sql`
    insert into source.acsc_notice_cve (notice_id, cve_id)
    select id, unnest(cve_ids)
      from staged_notice
    on conflict (notice_id, cve_id) do nothing
  `.execute(tx)
}
