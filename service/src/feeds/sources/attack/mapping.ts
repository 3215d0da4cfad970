import { sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { FeedError, type Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull, readText } from '../../schema-check.ts'
import type { Store } from '../../store.ts'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { TECHNIQUE_ID } from './pattern.ts'

export interface MappingRow {
  readonly cveId: CveId
  readonly techniqueId: string
  readonly type: string
  readonly group: string | null
  readonly comments: string | null
}

const MAPPING = compileSchema(
  Type.Object({
    capability_id: Type.String(),
    attack_object_id: Type.String(),
    mapping_type: Type.Enum(['exploitation_technique', 'primary_impact', 'secondary_impact', 'uncategorized']),
    capability_group: optionalOrNull(Type.String()),
    comments: optionalOrNull(Type.String()),
  }),
)

export function normaliseMapping(object: unknown): MappingRow | Rejected {
  const id = readText(object, 'capability_id') ?? 'a mapping without a CVE id'
  const cveId = parseCanonicalCveId(id)
  if (!MAPPING.matches(object)) return { rejected: cveId ?? id, reason: MAPPING.describeMismatch(object) }
  if (!cveId) return { rejected: id, reason: 'not a CVE id' }
  const { attack_object_id: techniqueId, mapping_type: type, capability_group: group, comments } = object
  if (!TECHNIQUE_ID.test(techniqueId))
    return { rejected: cveId, reason: `the CVE is mapped to "${techniqueId}", which is not a technique id` }
  return { cveId, techniqueId, type, group: group ?? null, comments: comments ?? null }
}

const store = stagedStore<MappingRow>({
  table: 'attack_mapping',
  key: ['cve_id', 'technique_id', 'mapping_type'],
  columns: {
    cve_id: (row) => row.cveId,
    technique_id: (row) => row.techniqueId,
    mapping_type: (row) => row.type,
    capability_group: (row) => row.group,
    comments: (row) => row.comments,
  },
  // If one mapping of a CVE is rejected, all stored mappings of that CVE are kept.
  removal: { rule: 'mark', rejected: { column: sql`held.cve_id`, ids: extractIds(/CVE-\d{4}-\d{4,19}/) } },
  queueAs: 'attack-mapping',
})

export const mappingStore: Store<MappingRow> = {
  ...store,
  computeStats: async (tx, scope) => {
    const unusable = await unstageUnknownTechniques(tx)
    const rejected = [...scope.rejected, ...unusable.map((each) => each.rejected)]
    return { ...(await store.computeStats(tx, { ...scope, rejected })), unusable }
  },
}

/** Deprecated techniques are known too, so mappings to them are kept. */
async function unstageUnknownTechniques(tx: Transaction<unknown>): Promise<readonly Rejected[]> {
  const { rows: known } = await sql`
    select technique_id
      from source.attack_technique
     limit 1
  `.execute(tx)
  if (known.length === 0)
    throw new FeedError('No ATT&CK techniques are stored yet, and mappings refer to them. Run the feed attack first.')
  const { rows } = await sql<{ cveId: string; techniqueId: string }>`
    delete from staged_attack_mapping staged
     where not exists (
             select
               from source.attack_technique
              where attack_technique.technique_id = staged.technique_id
                and attack_technique.removed_at is null
           )
    returning cve_id as "cveId", technique_id as "techniqueId"
  `.execute(tx)
  return rows.map(({ cveId, techniqueId }) => ({
    rejected: cveId,
    reason: `the CVE is mapped to ${techniqueId}, which is not an ATT&CK technique`,
  }))
}
