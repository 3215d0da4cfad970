// Changes CVEs in the database without writing to the change log, so that API nodes do not notice the change and keep
// their cached copy.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { requireCveKey } from './cve-builder.ts'

export async function rewriteUnlogged(db: Database, id: string, description: string): Promise<void> {
  await sql`
    update catalog.cve_document
       set description = ${JSON.stringify(description)}
     where cve_key = ${requireCveKey(id)}
  `.execute(db)
}
