import { type RawBuilder, sql } from 'kysely'
import { fixedStatement } from '../../../database/fixed-statement.ts'
import type { Database } from '../../../database/postgres.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { type CveRow, RECORD_JOINS, recordColumns } from '../../cve-record/load.ts'
import { type Selection, select } from '../../cve-record/selection.ts'
import { isInBands, type Level } from '../../cve-record/severity.ts'
import { orderBy, type Sort } from '../../cve-record/sort.ts'

interface Wanted {
  readonly keys: readonly CveKey[]
  readonly selection: Selection
  readonly sort: Sort | undefined
  readonly severity: readonly Level[] | undefined
}

export interface BatchRow extends CveRow {
  readonly is_enriched: boolean
  /** Not filtered out by severity. */
  readonly is_wanted: boolean
}

/** In the order of the answer: as sorted, else as asked for. One statement, so that all are of one moment. */
export async function readBatch(db: Database, wanted: Wanted): Promise<BatchRow[]> {
  const { keys, selection, sort, severity } = wanted
  if (selection === USUAL && !sort && !severity) return usualStatement(db, [keys])
  return (await batchStatement(wanted).execute(db)).rows
}

const USUAL = select('batch', {})

/** What nearly everybody asks for. */
const usualStatement = fixedStatement(
  batchStatement({ keys: [], selection: USUAL, sort: undefined, severity: undefined }),
)

function batchStatement({ keys, selection, sort, severity }: Wanted): RawBuilder<BatchRow> {
  return sql<BatchRow>`
    select ${recordColumns(selection)},
           cve.is_enriched,
           ${severity ? isInBands(severity) : sql`true`} as is_wanted
      from unnest(${keys}::bigint[]) with ordinality as asked (cve_key, position)
           join catalog.cve as cve on cve.cve_key = asked.cve_key
           ${RECORD_JOINS}
     order by ${sort ? orderBy(sort) : sql`asked.position`}
  `
}
