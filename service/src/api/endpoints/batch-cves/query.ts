import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { RECORD_JOINS, type RecordRow, recordColumns } from '../../cve-record/load.ts'
import type { Selection } from '../../cve-record/selection.ts'
import { isInBands, type Level } from '../../cve-record/severity.ts'
import { orderBy, type Sort } from '../../cve-record/sort.ts'

interface Wanted {
  readonly keys: readonly CveKey[]
  readonly selection: Selection
  readonly sort: Sort | undefined
  readonly severity: readonly Level[] | undefined
}

export interface BatchRow extends RecordRow {
  readonly is_enriched: boolean
  /** Not filtered out by severity. */
  readonly is_wanted: boolean
}

/** In the order of the answer: as sorted, else as asked for. One statement, so that all are of one moment. */
export async function readBatch(db: Database, { keys, selection, sort, severity }: Wanted): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select ${recordColumns(selection)},
           cve.is_enriched,
           ${severity ? isInBands(severity) : sql`true`} as is_wanted
      from unnest(${keys}::bigint[]) with ordinality as asked (cve_key, position)
           join catalog.cve as cve on cve.cve_key = asked.cve_key
           ${RECORD_JOINS}
     order by ${sort ? orderBy(sort) : sql`asked.position`}
  `.execute(db)
  return rows
}
