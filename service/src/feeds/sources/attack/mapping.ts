import { sql, type Transaction } from 'kysely'
import { Type } from 'typebox'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { FeedError, type Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import type { Store } from '../../store.ts'
import { setStore } from '../../stores/set-store.ts'
import { TECHNIQUE_ID } from './ids.ts'

export interface MappingRow {
  readonly cveId: CveId
  readonly techniqueId: string
  readonly type: string
  readonly group: string | null
  readonly comments: string | null
}

const MAPPING = shapeOf(
  Type.Object({
    capability_id: Type.String(),
    attack_object_id: Type.String(),
    mapping_type: Type.Enum(['exploitation_technique', 'primary_impact', 'secondary_impact', 'uncategorized']),
    capability_group: orNull(Type.String({ maxLength: 100 })),
    comments: orNull(Type.String({ maxLength: 50_000 })),
  }),
)

export function normaliseMapping(said: unknown): MappingRow | Rejected {
  const id = idOf(said)
  const cveId = parseCanonicalCveId(id)
  if (!MAPPING.fits(said)) return { rejected: cveId ?? id, reason: MAPPING.fault(said) }
  if (!cveId) return { rejected: id, reason: 'not a CVE id' }
  const { attack_object_id: techniqueId, mapping_type: type, capability_group: group, comments } = said
  if (!TECHNIQUE_ID.test(techniqueId))
    return { rejected: cveId, reason: `it is mapped to "${techniqueId}", which is not the id of a technique` }
  return { cveId, techniqueId, type, group: group ?? null, comments: comments ?? null }
}

function idOf(said: unknown): string {
  const id = typeof said === 'object' && said !== null && 'capability_id' in said ? said.capability_id : undefined
  return typeof id === 'string' ? id : 'a mapping without a CVE'
}

const store = setStore<MappingRow>({
  table: 'attack_mapping',
  key: ['cve_id', 'technique_id', 'mapping_type'],
  columns: {
    cve_id: (row) => row.cveId,
    technique_id: (row) => row.techniqueId,
    mapping_type: (row) => row.type,
    capability_group: (row) => row.group,
    comments: (row) => row.comments,
  },
  // Of a CVE with a mapping that cannot be used, all mappings that we have stay.
  subject: { column: 'cve_id', pattern: /CVE-\d{4}-\d{4,19}/ },
  queuedFor: 'attack-mapping',
})

export const mappingStore: Store<MappingRow> = {
  ...store,
  measure: async (tx, scope) => {
    const unusable = await unstageStrangers(tx)
    const rejected = [...scope.rejected, ...unusable.map((each) => each.rejected)]
    return { ...(await store.measure(tx, { ...scope, rejected })), unusable }
  },
}

/** Mappings to techniques that nobody knows. Those that ATT&CK has withdrawn are known. */
async function unstageStrangers(tx: Transaction<unknown>): Promise<readonly Rejected[]> {
  const { rows: known } = await sql`
    select technique_id
      from source.attack_technique
     limit 1
  `.execute(tx)
  if (known.length === 0)
    throw new FeedError('There are no techniques yet that a CVE could be mapped to. Run the feed attack first.')
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
    reason: `it is mapped to ${techniqueId}, and ATT&CK has no such technique`,
  }))
}
