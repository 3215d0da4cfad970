import { type RawBuilder, sql } from 'kysely'
import type { CveRow } from '../../../contract/record/cve-fields.ts'
import { createFixedStatement } from '../../../database/fixed-statement.ts'
import type { Database } from '../../../database/postgres.ts'
import type { Position } from '../../../domain/change/position.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { NEWEST_POSITION, toPosition } from '../../../record/change-log/position-text.ts'
import { RECORD_JOINS, recordColumns } from '../../../record/columns.ts'
import type { Selection } from '../../../record/selection.ts'
import { select } from '../../../record/selection-parameters.ts'
import { isInBands, type Level } from '../../../search/filters/values/severity.ts'
import { orderBy, type Sort } from '../../../search/sort.ts'

export interface BatchQuery {
  readonly keys: readonly CveKey[]
  readonly selection: Selection
  readonly sort: Sort | undefined
  readonly severity: readonly Level[] | undefined
}

interface BatchRow extends CveRow {
  readonly is_enriched: boolean
  /** False if the `severity` filter excludes the CVE from the response. */
  readonly passes_filter: boolean
}

/**
 * Returns the rows of the requested CVEs in response order. A single SQL statement reads all rows, so they come from
 * the same database state.
 */
export async function readBatch(db: Database, query: BatchQuery): Promise<readonly BatchRow[]> {
  return (await batchStatement(query).execute(db)).rows
}

interface ReadBatch {
  readonly rows: readonly BatchRow[]
  /** The newest change log position in the database state that was read. */
  readonly position: Position
}

/** Reads CVEs as `readBatch` does for a request that has none of fields, include, sort and severity. */
export async function readDefaultBatch(db: Database, keys: readonly CveKey[]): Promise<ReadBatch> {
  const rows = await defaultStatement(db, [keys])
  return { rows, position: toPosition(rows[0]?.position) }
}

/** Returns whether a batch request has none of fields, include, sort and severity, as is the case for most. */
export function isDefaultBatch({ selection, sort, severity }: Omit<BatchQuery, 'keys'>): boolean {
  return selection === DEFAULT_SELECTION && sort === undefined && severity === undefined
}

export const DEFAULT_SELECTION = select('batch', {})

const defaultStatement = createFixedStatement(
  batchStatement<BatchRow & { readonly position: string | null }>(
    { keys: [], selection: DEFAULT_SELECTION, sort: undefined, severity: undefined },
    sql`, ${NEWEST_POSITION} as position`,
  ),
)

function batchStatement<Row extends BatchRow>(
  { keys, selection, sort, severity }: BatchQuery,
  furtherColumns: RawBuilder<unknown> = sql``,
): RawBuilder<Row> {
  return sql<Row>`
    select ${recordColumns(selection)},
           cve.is_enriched,
           ${severity ? isInBands(severity) : sql`true`} as passes_filter
           ${furtherColumns}
      from unnest(${keys}::bigint[]) with ordinality as requested (cve_key, position)
           join catalog.cve as cve on cve.cve_key = requested.cve_key
           ${RECORD_JOINS}
     order by ${sort ? orderBy(sort) : sql`requested.position`}
  `
}
