import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { compileSchema } from '../../schema-check.ts'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { findName, listExternalIds, type RawPattern, TECHNIQUE_ID } from './pattern.ts'

export interface TechniqueRow {
  readonly id: string
  readonly name: string
  readonly tactics: readonly string[]
  readonly isDeprecated: boolean
}

const NAME = Type.String({ minLength: 1 })
const FLAG = Type.Optional(Type.Boolean())

const STIX_OBJECT = compileSchema(
  Type.Object({
    name: NAME,
    revoked: FLAG,
    x_mitre_deprecated: FLAG,
    kill_chain_phases: Type.Optional(
      Type.Array(Type.Object({ kill_chain_name: Type.String(), phase_name: Type.String() })),
    ),
  }),
)

const PLAIN_OBJECT = compileSchema(
  Type.Object({ id: Type.String(), name: NAME, tactics: Type.Array(Type.String()), deprecated: Type.Boolean() }),
)

export function normaliseTechnique({ format, object }: RawPattern): TechniqueRow | Rejected {
  const row = format === 'stix' ? parseStix(object) : parsePlain(object)
  if ('reason' in row || TECHNIQUE_ID.test(row.id)) return row
  return { rejected: row.id || findName(object), reason: 'not a technique id such as T1059.003' }
}

function parseStix(object: unknown): TechniqueRow | Rejected {
  const [id = ''] = listExternalIds('mitre-attack', object)
  if (!STIX_OBJECT.matches(object))
    return { rejected: id || findName(object), reason: STIX_OBJECT.describeMismatch(object) }
  const phases = object.kill_chain_phases ?? []
  return {
    id,
    name: object.name,
    tactics: phases.flatMap((each) => (each.kill_chain_name === 'mitre-attack' ? [each.phase_name] : [])),
    isDeprecated: object.revoked === true || object.x_mitre_deprecated === true,
  }
}

function parsePlain(object: unknown): TechniqueRow | Rejected {
  if (!PLAIN_OBJECT.matches(object))
    return { rejected: findName(object), reason: PLAIN_OBJECT.describeMismatch(object) }
  return { id: object.id, name: object.name, tactics: object.tactics, isDeprecated: object.deprecated }
}

/** Queues no CVE: a changed technique makes the next publication queue all CVEs. */
export const techniqueStore = stagedStore<TechniqueRow>({
  table: 'attack_technique',
  key: ['technique_id'],
  columns: {
    technique_id: (row) => row.id,
    name: (row) => row.name,
    tactics: (row) => row.tactics.toSorted(),
    is_subtechnique: (row) => row.id.includes('.'),
    is_deprecated: (row) => row.isDeprecated,
  },
  removal: { rule: 'mark', rejected: { column: sql`held.technique_id`, ids: extractIds(/T\d{4}(?:\.\d{3})?/) } },
})
