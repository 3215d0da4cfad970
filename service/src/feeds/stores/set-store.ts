// Sets: all things of one kind that an upstream speaks of, each under a key of its own. What is no longer in the set
// is kept and marked, what did not change is left alone.
import { hash } from 'node:crypto'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { CopyValue } from '../../database/copy-line.ts'
import type { Measure } from '../guard.ts'
import type { Merged, Scope, Store } from '../store.ts'

export interface SetPlan<Row> {
  /** In the schema `source`. Beside the columns named here it has `content_hash` and `removed_at`. */
  readonly table: string
  /** Its primary key. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, (row: Row) => CopyValue>>
  /** How a rejected record names its rows: they are in the set all the same, and have not vanished. */
  readonly subject: { readonly column: string; readonly pattern: RegExp }
  /** The feed in whose name every changed `cve_id` is queued; absent: none is. */
  readonly queuedFor?: string
}

/** The table and its columns, ready to be put into statements. */
interface SetSql {
  readonly table: RawBuilder<unknown>
  readonly staged: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
  readonly columns: RawBuilder<unknown>
  readonly overwritten: RawBuilder<unknown>
  readonly subject: RawBuilder<unknown>
}

export function setStore<Row>(plan: SetPlan<Row>): Store<Row> {
  const names = Object.keys(plan.columns)
  const written = [...names, 'content_hash']
  const readers = Object.values(plan.columns)
  const parts: SetSql = {
    table: sql.id('source', plan.table),
    staged: sql.id(`staged_${plan.table}`),
    key: list(plan.key),
    columns: list(written),
    overwritten: sql.join(written.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`)),
    subject: sql.id('ours', plan.subject.column),
  }
  const rejectedIn = ({ rejected }: Scope) => rejected.flatMap((each) => plan.subject.pattern.exec(each)?.[0] ?? [])
  return {
    staging: `staged_${plan.table} (${written.join(', ')})`,
    values: (row) => {
      const values = readers.map((read) => read(row))
      return [...values, hash('sha256', JSON.stringify(values), 'buffer')]
    },
    stage: (tx) => stage(tx, parts),
    measure: async (tx, scope) => {
      const duplicates = await dropDuplicates(tx, parts)
      return { ...(await count(tx, parts, rejectedIn(scope))), duplicates }
    },
    merge: async (tx, scope) => {
      const queue = plan.queuedFor
      const removed = await removeVanished(tx, parts, { rejected: rejectedIn(scope), now: scope.now, queue })
      return { ...(await upsertChanged(tx, parts, queue)), removed }
    },
  }
}

async function stage(tx: Transaction<unknown>, { table, staged }: SetSql): Promise<void> {
  await sql`
    create temporary table ${staged} (
      ordinal bigint generated always as identity,
      like ${table}
    ) on commit drop
  `.execute(tx)
}

/** Of several under one key, the last counts. */
async function dropDuplicates(tx: Transaction<unknown>, { staged, key }: SetSql): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${staged}
     where ordinal in (
             select ordinal
               from (
                      select ordinal, row_number() over (partition by ${key} order by ordinal desc) as place
                        from ${staged}
                    ) ranked
              where place > 1
           )
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** What counts as ours is what is in the set: a removed thing that comes back is fresh. */
async function count(
  tx: Transaction<unknown>,
  { table, staged, key, subject }: SetSql,
  rejected: readonly string[],
): Promise<Omit<Measure, 'duplicates'>> {
  const { rows } = await sql<Omit<Measure, 'duplicates'>>`
    select count(staged.ordinal)::integer as staged,
           count(ours.content_hash)::integer as existing,
           count(*) filter (where ours.content_hash is null)::integer as fresh,
           count(*) filter (where ours.content_hash <> staged.content_hash)::integer as changed,
           count(*) filter (where staged.ordinal is null and ${subject} <> all (${rejected}))::integer as vanished,
           0 as future,
           0 as scored,
           0 as "scoredZero"
      from ${staged} staged
      full join (
             select ${key}, content_hash
               from ${table}
              where removed_at is null
           ) ours
     using (${key})
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('a count has one row')
  return counted
}

interface Removal {
  readonly rejected: readonly string[]
  readonly now: Date
  readonly queue: string | undefined
}

async function removeVanished(
  tx: Transaction<unknown>,
  { table, staged, key, subject }: SetSql,
  { rejected, now, queue }: Removal,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      update ${table} ours
         set removed_at = ${now}
       where removed_at is null
         and ${subject} <> all (${rejected})
         and (${key}) not in (select ${key} from ${staged})
      returning ${key}
    )${queued('gone', queue)}
    select count(*)::integer as removed
      from gone
  `.execute(tx)
  return rows[0]?.removed ?? 0
}

/** New, changed, or back after it was removed. */
async function upsertChanged(
  tx: Transaction<unknown>,
  { table, staged, key, columns, overwritten }: SetSql,
  queue: string | undefined,
): Promise<Omit<Merged, 'removed'>> {
  const { rows } = await sql<Omit<Merged, 'removed'>>`
    with news as (
      select ${key}, ours.content_hash is null or ours.removed_at is not null as is_new
        from ${staged} staged
        left join ${table} ours
       using (${key})
       where ours.content_hash is null
          or ours.removed_at is not null
          or ours.content_hash <> staged.content_hash
    ), written as (
      insert into ${table} (${columns})
      select ${columns}
        from ${staged}
       where (${key}) in (select ${key} from news)
      on conflict (${key}) do update
         set ${overwritten},
             removed_at = null
    )${queued('news', queue)}
    select count(*) filter (where is_new)::integer as inserted,
           count(*) filter (where not is_new)::integer as updated
      from news
  `.execute(tx)
  return rows[0] ?? { inserted: 0, updated: 0 }
}

function queued(from: 'gone' | 'news', feed: string | undefined): RawBuilder<unknown> {
  if (feed === undefined) return sql``
  return sql`, queued as (
      insert into source.publication_queue (cve_id, feed)
      select distinct cve_id, ${feed}
        from ${sql.id(from)}
    )`
}

function list(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.id(name)))
}
