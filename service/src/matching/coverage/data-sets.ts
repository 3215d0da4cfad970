import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import type { AsOfBasis, DataSetExtent, DataSetTimes } from '../../domain/source/data-age.ts'

/** What decides whether a data set covers a component. */
export interface DataSetState extends DataSetTimes, DataSetExtent {
  readonly asOfBasis: AsOfBasis | null
}

interface Row {
  readonly name: string
  readonly last_success_at: Date | null
  readonly stale_after_seconds: number
  readonly upstream_at: Date | null
  readonly as_of_basis: AsOfBasis | null
  readonly index_count: string | null
  readonly unheld_count: string
}

export async function readDataSets(db: Database): Promise<readonly DataSetState[]> {
  const rows = await datasetsStatement(db, [])
  return rows.map((row) => ({
    name: row.name,
    lastSuccessAt: row.last_success_at,
    staleAfterSeconds: row.stale_after_seconds,
    upstreamAt: row.upstream_at,
    asOfBasis: row.as_of_basis,
    indexCount: row.index_count === null ? null : Number(row.index_count),
    unheldCount: Number(row.unheld_count),
  }))
}

const datasetsStatement = createFixedStatement(sql<Row>`
  select name, last_success_at, stale_after_seconds, upstream_at, as_of_basis, index_count, unheld_count
    from catalog.dataset
`)
