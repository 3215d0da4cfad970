// What a feed of exploit evidence says is a set: what is no longer in it, is no longer said.
import { sql, type Transaction } from 'kysely'
import type { EvidenceRow } from './evidence.ts'
import type { Measure } from './guard.ts'
import type { Merged, Scope, Store } from './store.ts'
import { LONGEST_SUBJECT } from './tally.ts'

export function evidenceStore(feed: string): Store<EvidenceRow> {
  return {
    staging: 'staged_item (id, kind, title, url, published, rank, content_hash, cve_ids, is_future)',
    values: (row) => [
      row.id,
      row.kind,
      row.title,
      row.url,
      row.published,
      row.rank,
      row.contentHash,
      row.cveIds,
      row.isFuture,
    ],
    stage,
    measure: (tx, scope) => measure(tx, feed, scope),
    merge: (tx, scope) => merge(tx, feed, scope),
  }
}

async function stage(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table staged_item (
      ordinal      bigint  generated always as identity,
      id           text    not null,
      kind         text    not null,
      title        text    not null,
      url          text    not null,
      published    date,
      rank         text,
      content_hash bytea   not null,
      cve_ids      text[]  collate "C" not null,
      is_future    boolean not null
    ) on commit drop
  `.execute(tx)
}

async function measure(tx: Transaction<unknown>, feed: string, scope: Scope): Promise<Measure> {
  const duplicates = await settleDuplicates(tx)
  await sql`analyze staged_item (id)`.execute(tx)
  const { rows } = await sql<Omit<Measure, 'duplicates'>>`
    select count(staged.id)::integer as staged,
           count(ours.id)::integer as existing,
           count(*) filter (where ours.id is null)::integer as fresh,
           count(*) filter (where ours.content_hash <> staged.content_hash)::integer as changed,
           (select count(*)::integer from source.exploit_item ours where ${isGone(feed, scope)}) as vanished,
           count(*) filter (where staged.is_future)::integer as future,
           0 as scored,
           0 as "scoredZero"
      from staged_item staged
      full join (select id, content_hash from source.exploit_item where feed = ${feed}) ours
        on ours.id = staged.id
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('a count has one row')
  return { ...counted, duplicates }
}

/** Of several items with one id, the last counts. */
async function settleDuplicates(tx: Transaction<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from staged_item staged
     using (
             select ordinal, row_number() over (partition by id order by ordinal desc) as place
               from staged_item
           ) ranked
     where ranked.ordinal = staged.ordinal
       and ranked.place > 1
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** An item that cannot be used is there all the same. Whoever rejects one names it by its id, which may be cut. */
const isGone = (feed: string, { rejected }: Scope) => sql`
       ours.feed = ${feed}
   and left(ours.id, ${LONGEST_SUBJECT}) <> all (${rejected}::text[])
   and not exists (select from staged_item present where present.id = ours.id)
`

async function merge(tx: Transaction<unknown>, feed: string, scope: Scope): Promise<Merged> {
  await queueGone(tx, feed, scope)
  const gone = await sql`delete from source.exploit_item ours where ${isGone(feed, scope)}`.execute(tx)
  await forgetUnchanged(tx, feed)
  await queueNews(tx, feed)
  const written = await writeNews(tx, feed)
  await replaceCves(tx, feed)
  return { ...written, removed: Number(gone.numAffectedRows ?? 0) }
}

async function queueGone(tx: Transaction<unknown>, feed: string, scope: Scope): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select distinct named.cve_id, ${feed}
      from source.exploit_item ours
      join source.exploit_item_cve named
        on named.feed = ours.feed and named.item_id = ours.id
     where ${isGone(feed, scope)}
  `.execute(tx)
}

async function forgetUnchanged(tx: Transaction<unknown>, feed: string): Promise<void> {
  await sql`
    delete from staged_item staged
     using source.exploit_item ours
     where ours.feed = ${feed}
       and ours.id = staged.id
       and ours.content_hash = staged.content_hash
  `.execute(tx)
}

/** Those that a written item names, and those that it named before. */
async function queueNews(tx: Transaction<unknown>, feed: string): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select cve_id, ${feed}
      from (
             select unnest(cve_ids) collate "C" as cve_id
               from staged_item
              union
             select named.cve_id
               from source.exploit_item_cve named
               join staged_item staged
                 on staged.id = named.item_id
              where named.feed = ${feed}
           ) touched
     order by cve_id
  `.execute(tx)
}

async function writeNews(tx: Transaction<unknown>, feed: string): Promise<Omit<Merged, 'removed'>> {
  const { rows } = await sql<Omit<Merged, 'removed'>>`
    with written as (
      insert into source.exploit_item as ours (feed, id, kind, title, url, published, rank, content_hash)
      select ${feed}, id, kind, title, url, published, rank, content_hash
        from staged_item
      on conflict (feed, id) do update
         set kind = excluded.kind,
             title = excluded.title,
             url = excluded.url,
             published = excluded.published,
             rank = excluded.rank,
             content_hash = excluded.content_hash
      returning ours.xmax = 0 as is_new
    )
    select count(*) filter (where is_new)::integer as inserted,
           count(*) filter (where not is_new)::integer as updated
      from written
  `.execute(tx)
  return rows[0] ?? { inserted: 0, updated: 0 }
}

async function replaceCves(tx: Transaction<unknown>, feed: string): Promise<void> {
  await sql`
    delete from source.exploit_item_cve named
     using staged_item staged
     where named.feed = ${feed}
       and named.item_id = staged.id
       and named.cve_id <> all (staged.cve_ids)
  `.execute(tx)
  await sql`
    insert into source.exploit_item_cve (feed, item_id, cve_id)
    select ${feed}, id, unnest(cve_ids)
      from staged_item
    on conflict (feed, item_id, cve_id) do nothing
  `.execute(tx)
}
