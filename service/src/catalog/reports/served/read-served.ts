// Reads the served rows of the catalog in batches, in the order of the CVE ids.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { type CveId, type CveKey, toCveId } from '../../../domain/cve-id.ts'
import type { ServedRow } from './served.ts'

const ROWS_PER_BATCH = 250

export type KeyedRow = ServedRow & { readonly cve_key: string }

/** Yields all served rows in batches, so that memory does not grow with the catalog. */
export async function* readServedBatches(db: Database): AsyncGenerator<readonly KeyedRow[]> {
  let after = '0'
  for (;;) {
    // All columns are read (`document.*`), because the audit also runs on catalogs from older versions, which lack the
    // newest columns.
    const { rows } = await sql<KeyedRow>`
      select document.*,
             catalog.cve_id(document.cve_key) as cve_id,
             array(select source from catalog.cve_detail where cve_detail.cve_key = document.cve_key) as detail_sources
        from catalog.cve_document as document
       where document.cve_key > ${after}
       order by document.cve_key
       limit ${ROWS_PER_BATCH}
    `.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.cve_key
  }
}

/** Returns the served rows of the given CVEs by CVE id. */
export async function readServedRows(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, KeyedRow>> {
  const { rows } = await sql<KeyedRow>`
    select document.*,
           requested.cve_id,
           array(select source from catalog.cve_detail where cve_detail.cve_key = document.cve_key) as detail_sources
      from unnest(${ids}::text[]) as requested (cve_id)
      join catalog.cve_document as document
        on document.cve_key = catalog.cve_key(requested.cve_id)
  `.execute(db)
  return new Map(rows.map((row) => [row.cve_id, row]))
}

/** Yields the ids of all served CVEs in batches. */
export async function* readServedIds(db: Database): AsyncGenerator<readonly CveId[]> {
  let after = '0'
  for (;;) {
    const { rows } = await sql<{ cve_key: CveKey }>`
      select cve_key::text
        from catalog.cve_document
       where cve_key > ${after}
       order by cve_key
       limit ${ROWS_PER_BATCH}
    `.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ cve_key }) => toCveId(cve_key))
    after = last.cve_key
  }
}

export async function countServed(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::float8 as count from catalog.cve_document`.execute(db)
  return rows[0]?.count ?? 0
}
