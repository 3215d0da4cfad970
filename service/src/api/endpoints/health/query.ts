import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'

export interface Dataset {
  readonly name: string
  readonly tableCount: number
  readonly lastSuccessAt: Date | null
  readonly staleAfterSeconds: number
}

export async function readDatasets(db: Database): Promise<Dataset[]> {
  const { rows } = await sql<{
    name: string
    table_count: string
    last_success_at: Date | null
    stale_after_seconds: number
  }>`
    select name, table_count, last_success_at, stale_after_seconds
      from catalog.dataset
     order by name
  `.execute(db)
  return rows.map((row) => ({
    name: row.name,
    tableCount: Number(row.table_count),
    lastSuccessAt: row.last_success_at,
    staleAfterSeconds: row.stale_after_seconds,
  }))
}
