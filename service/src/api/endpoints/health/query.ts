import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { coalesce } from '../../coalesce.ts'

export interface Dataset {
  readonly name: string
  readonly tableCount: number
  readonly lastSuccessAt: Date | null
  readonly staleAfterSeconds: number
  /** Whether /health reports the service as degraded if this data set is stale. */
  readonly isRequired: boolean
}

/**
 * Reads the states of the data sets with one query for all concurrent requests. Otherwise anyone could use up the
 * database connections, because /health needs no API key.
 */
export const readDatasets = coalesce(queryDatasets, { maxAgeMs: 0 })

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
