// Reads the columns in memory from the database: all CVEs, or those that have changed since a position in
// catalog.column_change. Each read uses one snapshot of the database.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { readSnapshot } from '../../database/read-snapshot.ts'
import { formatPosition, isSamePosition, type Position, START } from '../../domain/change/position.ts'
import { POSITION, toPosition } from '../../record/change-log/position-text.ts'
import { CveColumns, type EpssRow, type RawRow } from './cve-columns.ts'
import { COLUMN_NAMES, DEFINITIONS } from './definitions.ts'
import type { NamedProduct } from './product-names.ts'

/** Columns and the position of the state that they show. */
export interface ReadColumns {
  readonly columns: CveColumns
  readonly position: Position
}

/** Null if no change has been noted yet. */
export const NEWEST_COLUMN_CHANGE = sql<
  string | null
>`(select ${POSITION} from catalog.column_change order by seq desc limit 1)`

const CVES_PER_READ = 5000
/** With more changed CVEs than this, reading all CVEs takes less time. */
const MAX_CHANGED = 20_000

/** Reads all CVEs. Pauses between its parts, so other work in the thread goes on. */
export function readAllColumns(db: Database): Promise<ReadColumns> {
  return readSnapshot(db, async (snapshot) => {
    const { position, expected } = await readStart(snapshot)
    const columns = new CveColumns(expected)
    let after = '0'
    for (;;) {
      const rows = await readRows(snapshot, sql`cve_key > ${after} order by cve_key limit ${CVES_PER_READ}`)
      await putRows(snapshot, columns, rows)
      if (rows.length < CVES_PER_READ) return { columns, position }
      after = rows.at(-1)?.[0] ?? after
    }
  })
}

/**
 * Changes the columns so that they show a later state. Returns its position, or undefined if they must be read again: the
 * changes are too many or no longer known, or the database was replaced.
 */
export function applyChanges(db: Database, { columns, position }: ReadColumns): Promise<Position | undefined> {
  return readSnapshot(db, async (snapshot) => {
    const changes = await readChanges(snapshot, position)
    if (!changes) return undefined
    const { keys, hasEpssRelease, newest } = changes
    const rows = keys.length === 0 ? [] : await readRows(snapshot, sql`cve_key = any(${keys}::bigint[])`)
    const names = await readMissingNames(snapshot, columns, rows)
    const scores = hasEpssRelease ? await readScores(snapshot) : undefined
    // Nothing below waits, so no call sees a part of the changes.
    for (const name of names) columns.addProduct(name)
    const found = new Set(rows.map(([key]) => key))
    for (const key of keys) if (!found.has(key)) columns.remove(key)
    for (const row of rows) columns.put(row)
    if (scores) columns.replaceEpss(scores)
    return newest
  })
}

async function readStart(db: Database): Promise<{ readonly position: Position; readonly expected: number }> {
  const { rows } = await sql<{ newest: string | null; expected: number }>`
    select ${NEWEST_COLUMN_CHANGE} as newest, count(*)::integer as expected
      from catalog.epss
  `.execute(db)
  return { position: toPosition(rows[0]?.newest), expected: rows[0]?.expected ?? 0 }
}

interface Changes {
  readonly keys: readonly string[]
  /** All scores must be read again. */
  readonly hasEpssRelease: boolean
  readonly newest: Position
}

async function readChanges(db: Database, position: Position): Promise<Changes | undefined> {
  const { rows } = await sql<{
    newest: string | null
    is_continued: boolean
    has_release: boolean
    is_too_much: boolean
    keys: readonly string[]
  }>`
    with noted as materialized (
      select source, cve_keys
        from catalog.column_change
       where seq > ${position.seq}
    )
    select ${NEWEST_COLUMN_CHANGE} as newest,
           coalesce(
             (select ${POSITION} = ${formatPosition(position)} from catalog.column_change where seq = ${position.seq}),
             ${isSamePosition(position, START)} and not exists (select from noted)
           ) as is_continued,
           exists (select from noted where source = 'epss' and cve_keys is null) as has_release,
           exists (select from noted where source <> 'epss' and cve_keys is null) as is_too_much,
           array(
             select distinct unnest(cve_keys)::text from noted limit ${MAX_CHANGED + 1}
           ) as keys
  `.execute(db)
  const [read] = rows
  if (!read?.is_continued || read.is_too_much || read.keys.length > MAX_CHANGED) return undefined
  return { keys: read.keys, hasEpssRelease: read.has_release, newest: toPosition(read.newest) }
}

/** Reads the rows as one JSON text, which takes less time to parse than rows with 23 columns. */
async function readRows(db: Database, condition: RawBuilder<unknown>): Promise<readonly RawRow[]> {
  const values = sql.join(COLUMN_NAMES.map((name) => DEFINITIONS[name].select))
  const { rows } = await sql<{ rows: readonly RawRow[] | null }>`
    select json_agg(json_build_array(cve.cve_key::text, json_build_array(${values}), named.products) order by cve.cve_key)
             as rows
      from (select * from catalog.cve where ${condition}) cve
      left join catalog.epss epss on epss.cve_key = cve.cve_key
      left join catalog.kev kev on kev.cve_key = cve.cve_key
      left join lateral (
             select array_agg(product_key) as products
               from catalog.cve_product
              where cve_product.cve_key = cve.cve_key
           ) named on true
  `.execute(db)
  return rows[0]?.rows ?? []
}

async function putRows(db: Database, columns: CveColumns, rows: readonly RawRow[]): Promise<void> {
  for (const name of await readMissingNames(db, columns, rows)) columns.addProduct(name)
  for (const row of rows) columns.put(row)
}

async function readMissingNames(
  db: Database,
  { products }: CveColumns,
  rows: readonly RawRow[],
): Promise<readonly NamedProduct[]> {
  const missing = new Set(rows.flatMap(([, , keys]) => (keys ?? []).filter((key) => !products.has(key))))
  if (missing.size === 0) return []
  const { rows: names } = await sql<NamedProduct>`
    select product_key as key, vendor, product
      from catalog.product
     where product_key = any(${[...missing]}::integer[])
  `.execute(db)
  return names
}

async function readScores(db: Database): Promise<readonly EpssRow[]> {
  const { rows } = await sql<{ scores: readonly (readonly [string, number | null, number | null])[] | null }>`
    select json_agg(json_build_array(cve_key::text, score, percentile)) as scores from catalog.epss
  `.execute(db)
  return (rows[0]?.scores ?? []).map(([key, score, percentile]) => ({ key, score, percentile }))
}
