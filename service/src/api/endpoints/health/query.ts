import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'

export interface Dataset {
  readonly name: string
  readonly tableCount: number
  readonly lastSuccessAt: Date | null
  readonly staleAfterSeconds: number
  /** Whether the service is degraded without it. */
  readonly isRequired: boolean
}

const underWay = new WeakMap<Database, Promise<Dataset[]>>()

/** Anybody may ask, without a key: all who ask at once share one query, so that they cannot take every connection. */
export function readDatasets(db: Database): Promise<Dataset[]> {
  const asked = underWay.get(db) ?? queryDatasets(db).finally(() => underWay.delete(db))
  underWay.set(db, asked)
  return asked
}

interface Row {
  readonly name: string
  readonly table_count: string
  readonly last_success_at: Date | null
  readonly stale_after_seconds: number
  readonly is_required: boolean
}

async function queryDatasets(db: Database): Promise<Dataset[]> {
  const { rows } = await sql<Row>`
    select name, table_count, last_success_at, stale_after_seconds, is_required
      from catalog.dataset
     order by name
  `.execute(db)
  return rows.map((row) => ({
    name: row.name,
    tableCount: Number(row.table_count),
    lastSuccessAt: row.last_success_at,
    staleAfterSeconds: row.stale_after_seconds,
    isRequired: row.is_required,
  }))
}
