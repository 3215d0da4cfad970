// Reads the weaknesses, the ATT&CK techniques and the relations between them: a few thousand rows, read once for many
// CVEs.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { ReferenceData } from '../model/source-data.ts'

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
  const derived = await sql<{ weakness: string; techniques: string[] }>`
    select weakness, array_agg(distinct technique order by technique) as techniques
      from source.capec, unnest(cwe_ids) as weakness, unnest(technique_ids) as technique
     where removed_at is null and not is_deprecated
     group by weakness
  `.execute(db)
  return {
    weaknesses: new Map(weaknesses.rows.map(({ id, name, description }) => [id, { name, description }])),
    techniquesByWeakness: new Map(derived.rows.map((row) => [row.weakness, row.techniques])),
    activeTechniques: new Set(techniques.rows.map(({ id }) => id)),
  }
}
