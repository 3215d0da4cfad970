import { type RawBuilder, sql } from 'kysely'
import type { CveRow } from '../../../contract/cve-fields.ts'
import { createFixedStatement } from '../../../database/fixed-statement.ts'
import type { Database } from '../../../database/postgres.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { RECORD_JOINS, recordColumns } from '../../../record/columns.ts'
import type { Selection } from '../../../record/selection.ts'
import { select } from '../../cve-record/selection.ts'
import { isInBands, type Level } from '../../cve-record/severity.ts'
import { orderBy, type Sort } from '../../cve-record/sort.ts'

interface BatchQuery {
  readonly keys: readonly CveKey[]
  readonly selection: Selection
  readonly sort: Sort | undefined
  readonly severity: readonly Level[] | undefined
}

export interface BatchRow extends CveRow {
  readonly is_enriched: boolean
  /** False if the `severity` filter excludes the CVE from the response. */
  readonly passes_filter: boolean
}

/**
 * Returns the rows of the requested CVEs in the order of the response. One SQL statement reads all rows, so that they
 * come from the same state of the database.
 */
export async function readBatch(db: Database, query: BatchQuery): Promise<BatchRow[]> {
  const { keys, selection, sort, severity } = query
  if (selection === DEFAULT_SELECTION && !sort && !severity) return defaultStatement(db, [keys])
  return (await batchStatement(query).execute(db)).rows
}

const DEFAULT_SELECTION = select('batch', {})

/** Prepared statement for batch requests without fields, include, sort and severity, as most batch requests are. */
const defaultStatement = createFixedStatement(
  batchStatement({ keys: [], selection: DEFAULT_SELECTION, sort: undefined, severity: undefined }),
)

function batchStatement({ keys, selection, sort, severity }: BatchQuery): RawBuilder<BatchRow> {
  return sql<BatchRow>`
    select ${recordColumns(selection)},
           cve.is_enriched,
           ${severity ? isInBands(severity) : sql`true`} as passes_filter
      from unnest(${keys}::bigint[]) with ordinality as requested (cve_key, position)
           join catalog.cve as cve on cve.cve_key = requested.cve_key
           ${RECORD_JOINS}
     order by ${sort ? orderBy(sort) : sql`requested.position`}
  `
}
