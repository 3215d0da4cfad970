// The store of nearly every feed, built from a description of its table. A delivery is copied into a staging table that
// is created `like` the target table and compared with the target table by `content_hash`; only new and changed rows
// are written.
//
// In all SQL statements `staged` is the staging table and `held` is the target table. `held.content_hash is null` means
// that the target table has no row with the same key, because the column is never null.
//
// EPSS has its own store, which compares 330,000 rows without hashes and updates them in place.
import { hash } from 'node:crypto'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { CopyValue } from '../../database/copy-line.ts'
import type { DeliveryStats } from '../guard.ts'
import type { DeliveryScope, MergeCounts, Store } from '../store.ts'
import {
  type FeedColumn,
  type FirstSeen,
  listInsertConstants,
  renewFirstSeen,
  setRemovalFirstSeen,
} from './first-seen.ts'
import { type Links, replaceLinks, selectLinks } from './links.ts'

type Sql = RawBuilder<unknown>

export interface StagedTable<Row> {
  /** Name of the target table in the schema `source`. The staging table is named `staged_<table>`. */
  readonly table: string
  /** Columns that identify a row within the feed. A slice (range of ids) is a range of the first key column. */
  readonly key: readonly string[]
  /** Column with the feed's name, in a table that several feeds share. It is the first column of the primary key. */
  readonly feedColumn?: FeedColumn
  /** Columns that are written, including the key columns and excluding `content_hash` and `truncated`. */
  readonly columns: Readonly<Record<string, (row: Row) => CopyValue>>
  readonly readTime?: (row: Row) => Date | null
  /** Default: the SHA-256 of all column values. */
  readonly contentHash?: (row: Row) => Buffer
  /**
   * Columns that exist only in the staging table. Guards count `is_future` and `score`; `cve_ids` go to the link table.
   */
  readonly stagingColumns?: Readonly<Record<string, { readonly type: string; value(row: Row): CopyValue }>>
  /** Column that is set when a row is inserted and never updated afterwards. */
  readonly firstStoredColumn?: string
  /** Null for rows of the feed's first load. */
  readonly firstSeen?: FirstSeen
  /** True if rows have a `modified` time. A staged row then never overwrites a stored row that was modified later. */
  readonly isVersioned?: boolean
  /** Of several rows with the same key, the first in this order is stored; by default the newest or else the last. */
  readonly preferred?: Sql
  /** Further condition for overwriting a stored row (`held`) with a staged row (`staged`) of different content. */
  readonly mayOverwrite?: Sql
  /** Condition: the staged row (`staged`) names no CVE and the stored row (`held`) does. A guard counts these rows. */
  readonly lostCve?: Sql
  readonly removal: Removal
  /** Link table between rows and CVEs, for rows that name several CVEs. It requires a key of one column. */
  readonly links?: Links
  /**
   * Feed name under which the CVEs of written and removed rows are queued for publication; by default, none are queued.
   */
  readonly queueAs?: string
}

/** Stored rows that a snapshot lacks stay (`keep`), are deleted (`delete`) or get a `removed_at` time (`mark`). */
interface Removal {
  readonly rule: 'keep' | 'delete' | 'mark'
  /** By default, and if the value is null, the current time. */
  readonly removedAt?: Sql
  /** Further condition for counting a stored row (`held`) as missing. */
  readonly onlyIf?: Sql
  /** Upstream still has rejected records, so their rows are not missing. */
  readonly rejected?: { readonly column: Sql; ids(subjects: readonly string[]): readonly string[] }
}

interface Parts {
  readonly target: Sql
  readonly staging: Sql
  readonly key: Sql
  readonly sameKey: Sql
  readonly isOfFeed: Sql
  /** Condition: no stored row has the key of the staged row, or the stored row is marked as removed. */
  readonly isNew: Sql
  readonly isChanged: Sql
}

export function stagedStore<Row>(table: StagedTable<Row>): Store<Row> {
  const staging = Object.entries(table.stagingColumns ?? {})
  const readers = Object.values(table.columns)
  const parts = buildParts(table)
  return {
    ...(table.readTime && { readTime: table.readTime }),
    copyTarget: `staged_${table.table} (${[...writtenColumns(table), ...staging.map(([name]) => name)].join(', ')})`,
    toCopyValues: (row, truncated = []) => {
      const values = readers.map((read) => read(row))
      const contentHash = table.contentHash?.(row) ?? hash('sha256', JSON.stringify(values), 'buffer')
      return [
        ...values,
        contentHash,
        truncated.length === 0 ? null : truncated,
        ...staging.map(([, column]) => column.value(row)),
      ]
    },
    describeRow: (row) => table.key.map((name) => String(table.columns[name]?.(row))).join(' '),
    createStaging: (tx) => createStaging(tx, table, parts),
    computeStats: async (tx, scope) => {
      const duplicates = await dropDuplicates(tx, table, parts)
      return { ...(await countEffects(tx, table, parts, scope)), duplicates }
    },
    merge: async (tx, scope) => {
      const { removed, queued } =
        table.removal.rule === 'keep' ? { removed: 0, queued: 0 } : await removeMissing(tx, table, parts, scope)
      const upserted = await upsertChanged(tx, table, parts, scope)
      return { ...upserted, removed, queued: upserted.queued + queued }
    },
  }
}

function buildParts(table: StagedTable<never>): Parts {
  const { key, feedColumn, removal } = table
  const isOfFeed = feedColumn ? sql`held.${sql.id(feedColumn.name)} = ${feedColumn.value}` : sql`true`
  const isNotOlder = table.isVersioned ? sql`staged.modified >= held.modified` : sql`true`
  const mayOverwrite = table.mayOverwrite ? and([isNotOlder, table.mayOverwrite]) : isNotOlder
  return {
    target: sql.id('source', table.table),
    staging: sql.id(`staged_${table.table}`),
    key: list(key),
    sameKey: and([isOfFeed, ...key.map((name) => sql`held.${sql.id(name)} = staged.${sql.id(name)}`)]),
    isOfFeed: removal.rule === 'mark' ? sql`${isOfFeed} and held.removed_at is null` : isOfFeed,
    isNew:
      removal.rule === 'mark'
        ? sql`(held.content_hash is null or held.removed_at is not null)`
        : sql`held.content_hash is null`,
    isChanged: sql`held.content_hash <> staged.content_hash and (${mayOverwrite})`,
  }
}

/** `including compression` compresses long text like the target table, so that the merge does not compress it again. */
async function createStaging(tx: Transaction<unknown>, table: StagedTable<never>, parts: Parts): Promise<void> {
  const extra = Object.entries(table.stagingColumns ?? {}).map(
    ([name, { type }]) => sql`, ${sql.id(name)} ${sql.raw(type)}`,
  )
  await sql`
    create temporary table ${parts.staging} (
      like ${parts.target} including compression,
      ordinal bigint generated always as identity
      ${extra.length === 0 ? sql`` : sql.join(extra, sql``)}
    ) on commit drop
  `.execute(tx)
  const unused = [table.feedColumn?.name, table.firstStoredColumn, table.firstSeen?.column].filter(
    (name) => name !== undefined,
  )
  const changes = unused.map((name) => sql`drop column ${sql.id(name)}`)
  if (changes.length > 0) await sql`alter table ${parts.staging} ${sql.join(changes)}`.execute(tx)
}

async function dropDuplicates(
  tx: Transaction<unknown>,
  { preferred, isVersioned }: StagedTable<never>,
  { staging, key }: Parts,
): Promise<number> {
  const { rows } = await sql<{ hasDuplicates: boolean }>`
    select count(*) > count(distinct (${key})) as "hasDuplicates"
      from ${staging}
  `.execute(tx)
  if (!rows[0]?.hasDuplicates) return 0
  const order = preferred ?? (isVersioned ? sql`modified desc` : undefined)
  const { numAffectedRows } = await sql`
    delete from ${staging}
     where ordinal in (
             select ordinal
               from (
                      select ordinal,
                             row_number() over (
                               partition by ${key} order by ${order ? sql`${order}, ` : sql``} ordinal desc
                             ) as rank
                        from ${staging}
                    ) ranked
              where rank > 1
           )
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

async function countEffects(
  tx: Transaction<unknown>,
  table: StagedTable<never>,
  parts: Parts,
  scope: DeliveryScope,
): Promise<Omit<DeliveryStats, 'duplicates'>> {
  const { target, staging, key, sameKey, isOfFeed, isNew, isChanged } = parts
  // The number of stored rows of a new source is not known to the query planner until the table was analyzed. With the
  // index, a plan for few rows stays fast for many.
  await sql`create index on ${staging} (${key})`.execute(tx)
  await sql`analyze ${staging} (${key}, content_hash)`.execute(tx)
  const { is_future: isFuture, score } = table.stagingColumns ?? {}
  const { lostCve } = table
  const versions = table.isVersioned
    ? sql`,
           count(*) filter (where ${isChanged} and staged.modified = held.modified)::integer as "changedWithoutNewDate",
           count(*) filter (where staged.modified < held.modified)::integer as older`
    : sql``
  const { rows } = await sql<Omit<DeliveryStats, 'duplicates'>>`
    select count(*)::integer as staged,
           count(*) filter (where ${isNew})::integer as added,
           count(*) filter (where not ${isNew} and ${isChanged})::integer as changed,
           ${isFuture ? sql`count(*) filter (where staged.is_future)::integer` : sql`0`} as "futureDated",
           ${score ? sql`count(staged.score)::integer` : sql`0`} as scored,
           ${score ? sql`count(*) filter (where staged.score = 0)::integer` : sql`0`} as "scoredZero",
           ${lostCve ? sql`count(*) filter (where ${isChanged} and ${lostCve})::integer` : sql`0`} as "lostCve",
           (select count(*)::integer from ${target} held where ${isOfFeed} and ${isInSlice(table, scope)}) as existing,
           (select count(*)::integer from (${missingKeys(table, parts, scope)}) missing) as missing
           ${versions}
      from ${staging} staged
      left join ${target} held
        on ${sameKey}
  `.execute(tx)
  const [stats] = rows
  if (!stats) throw new Error('an aggregate returns one row')
  return stats
}

/** Selects the stored rows that a snapshot (all records) lacks; none for a delta (only changed records). */
function missingKeys(table: StagedTable<never>, parts: Parts, scope: DeliveryScope): Sql {
  const { key, removal } = table
  const { onlyIf, rejected } = removal
  const isMissing = and([
    sql`present.content_hash is null`,
    // A literal, not a parameter, so that the query planner can skip the join for a delta.
    scope.kind === 'snapshot' ? sql`true` : sql`false`,
    isInSlice(table, scope),
    ...(rejected ? [sql`${rejected.column} <> all (${rejected.ids(scope.rejected)}::text[])`] : []),
    ...(onlyIf ? [onlyIf] : []),
  ])
  return sql`
    select ${list(key, 'held')}
      from ${parts.target} held
      left join ${parts.staging} present
        on ${and(key.map((name) => sql`present.${sql.id(name)} = held.${sql.id(name)}`))}
     where ${parts.isOfFeed}
       and ${isMissing}
  `
}

function isInSlice({ key }: StagedTable<never>, { slice }: DeliveryScope): Sql {
  const [first = ''] = key
  return slice === undefined ? sql`true` : sql`held.${sql.id(first)} between ${slice.first} and ${slice.last}`
}

async function removeMissing(
  tx: Transaction<unknown>,
  table: StagedTable<never>,
  parts: Parts,
  scope: DeliveryScope,
): Promise<{ readonly removed: number; readonly queued: number }> {
  const { removal, links, feedColumn, queueAs } = table
  const isMissing = sql`${parts.isOfFeed} and (${parts.key}) in (${missingKeys(table, parts, scope)})`
  const remove =
    removal.rule === 'delete'
      ? sql`delete from ${parts.target} held`
      : sql`update ${parts.target} held set removed_at = coalesce(${removal.removedAt ?? null}, ${scope.now}::timestamptz)
             ${setRemovalFirstSeen(table.firstSeen, scope.now)}`
  const returnedCve = queueAs ? sql`held.cve_id` : sql`true`
  const returned = links ? sql`held.${list(table.key)} as row_key` : returnedCve
  const { rows } = await sql<{ removed: number; queued: number }>`
    with removed as (
      ${remove}
       where ${isMissing}
      returning ${returned}
    )
    ${queueCves(table, links ? selectLinks(links, feedColumn, 'removed') : sql`select cve_id from removed`, scope)}
    select count(*)::integer as removed, ${countQueued(table)} as queued
      from removed
  `.execute(tx)
  return rows[0] ?? { removed: 0, queued: 0 }
}

/** All parts of an SQL statement see the tables as they were before it, so the former links are still readable. */
async function upsertChanged(
  tx: Transaction<unknown>,
  table: StagedTable<never>,
  parts: Parts,
  scope: DeliveryScope,
): Promise<Omit<MergeCounts, 'removed'> & { readonly queued: number }> {
  const { now } = scope
  const { target, staging, sameKey, isNew, isChanged } = parts
  const { key, feedColumn, links, removal, queueAs } = table
  const written = writtenColumns(table)
  const hasRows = sql`exists (select from ${target} held where ${parts.isOfFeed})`
  const constants = listInsertConstants(table, hasRows, now)
  const cveColumns = queueAs ? sql`, staged.cve_id, held.cve_id as former_cve_id` : sql``
  const namingColumns = links
    ? sql`, staged.${list(key)} as row_key, staged.cve_ids, ${links.firstSeen?.isNews ?? sql`false`} as is_news
      ${links.content ? sql`, staged.${sql.id(links.content.staged)} as contents` : sql``}`
    : cveColumns
  const namedCves = links
    ? sql`select unnest(cve_ids) from changed union all ${selectLinks(links, feedColumn, 'changed')}`
    : sql`select cve_id from changed union all select former_cve_id from changed where former_cve_id is distinct from cve_id`
  const { rows } = await sql<{ inserted: number; updated: number; queued: number }>`
    with changed as (
      select staged.ordinal, ${isNew} as is_new ${namingColumns}
        from ${staging} staged
        left join ${target} held
          on ${sameKey}
       where ${isNew}
          or ${isChanged}
    ), written as (
      insert into ${target} as held (${list([...constants.map(({ name }) => name), ...written])})
      select ${sql.join([...constants.map(({ value }) => value), list(written, 'staged')])}
        from ${staging} staged
        join changed
          on changed.ordinal = staged.ordinal
      on conflict (${list([...(feedColumn ? [feedColumn.name] : []), ...key])}) do update
         set ${sql.join(written.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`))}
             ${removal.rule === 'mark' ? sql`, removed_at = null` : sql``}
             ${renewFirstSeen(table.firstSeen, now)}
    )
    ${queueCves(table, namedCves, scope)}
    ${links ? replaceLinks(links, feedColumn, now) : sql``}
    select count(*) filter (where is_new)::integer as inserted,
           count(*) filter (where not is_new)::integer as updated,
           ${countQueued(table)} as queued
      from changed
  `.execute(tx)
  return rows[0] ?? { inserted: 0, updated: 0, queued: 0 }
}

/** Builds the part of a `with` clause that queues each selected CVE once for publication. */
function queueCves({ queueAs }: StagedTable<never>, cves: Sql, { runId }: DeliveryScope): Sql {
  if (queueAs === undefined) return sql``
  return sql`, queued as (
      insert into source.publication_queue (cve_id, feed, run_id)
      select distinct cve_id, ${queueAs}, ${runId ?? null}::bigint
        from (${cves}) named (cve_id)
       where cve_id is not null
       order by cve_id
      returning cve_id
    )`
}

const countQueued = ({ queueAs }: StagedTable<never>) =>
  queueAs === undefined ? sql`0` : sql`(select count(*)::integer from queued)`

function writtenColumns({ columns }: StagedTable<never>): readonly string[] {
  return [...Object.keys(columns), 'content_hash', 'truncated']
}

function list(names: readonly string[], table?: 'held' | 'staged'): Sql {
  return sql.join(names.map((name) => (table ? sql.id(table, name) : sql.id(name))))
}

function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}
