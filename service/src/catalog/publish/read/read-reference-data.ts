// Reads reference data: a few thousand rows, read once for many CVEs.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { ReferenceData } from '../../model/source-data.ts'

export async function readReferenceData(db: Database): Promise<ReferenceData> {
  const weaknesses = await sql<{ id: string; name: string; description: string }>`
    select cwe_id as id, name, description
      from source.weakness
     where removed_at is null
  `.execute(db)
  const techniques = await sql<{ id: string }>`
    select technique_id as id
      from source.attack_technique
     where removed_at is null and not is_deprecated
  `.execute(db)
  return {
    weaknesses: new Map(weaknesses.rows.map(({ id, name, description }) => [id, { name, description }])),
    activeTechniques: new Set(techniques.rows.map(({ id }) => id)),
  }
}
