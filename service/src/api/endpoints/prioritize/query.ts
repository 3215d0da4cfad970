import { sql } from 'kysely'
import type { CveRow } from '../../../contract/record/cve-fields.ts'
import { createFixedStatement } from '../../../database/fixed-statement.ts'
import type { Database } from '../../../database/postgres.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import { RECORD_JOINS, recordColumns } from '../../../record/columns.ts'
import { select } from '../../../record/selection-parameters.ts'

/**
 * Reads the facts and EPSS scores of all CVEs in a single statement, so that they come from the same database state.
 */
export async function readPriorities(db: Database, keys: readonly CveKey[]): Promise<readonly CveRow[]> {
  return prioritiesStatement(db, [keys])
}

const SELECTION = select('batch', { fields: ['priority'], include: ['priority'] })

const prioritiesStatement = createFixedStatement(sql<CveRow>`
  select ${recordColumns(SELECTION)}
    from unnest(${[]}::bigint[]) as requested (cve_key)
         join catalog.cve as cve on cve.cve_key = requested.cve_key
         ${RECORD_JOINS}
`)
