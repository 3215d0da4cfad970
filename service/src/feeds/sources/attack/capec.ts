import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { CAPEC_ID, CWE_ID, findName, listExternalIds, type RawPattern, sortIds, TECHNIQUE_ID } from './pattern.ts'

export interface CapecRow {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly abstraction: string | null
  readonly likelihood: string | null
  readonly severity: string | null
  readonly cweIds: readonly string[]
  readonly techniqueIds: readonly string[]
  readonly isDeprecated: boolean
}

const WORD = Type.String({ minLength: 1, maxLength: 50 })
const NAME = Type.String({ minLength: 1 })

const STIX_OBJECT = compileSchema(
  Type.Object({
    name: NAME,
    x_capec_status: WORD,
    x_capec_abstraction: optionalOrNull(WORD),
    x_capec_likelihood_of_attack: optionalOrNull(WORD),
    x_capec_typical_severity: optionalOrNull(WORD),
    revoked: Type.Optional(Type.Boolean()),
  }),
)

const PLAIN_OBJECT = compileSchema(
  Type.Object({
    id: Type.String(),
    name: NAME,
    status: WORD,
    abstraction: optionalOrNull(WORD),
    likelihood: optionalOrNull(WORD),
    severity: optionalOrNull(WORD),
    cwe: Type.Array(Type.String()),
    attack: Type.Array(Type.String()),
    deprecated: Type.Boolean(),
  }),
)

export function normaliseCapec({ format, object }: RawPattern): CapecRow | Rejected {
  const row = format === 'stix' ? parseStix(object) : parsePlain(object)
  if ('reason' in row) return row
  if (!CAPEC_ID.test(row.id)) return { rejected: row.id || findName(object), reason: 'not a CAPEC id' }
  const invalidIds = [
    ...row.cweIds.filter((each) => !CWE_ID.test(each)),
    ...row.techniqueIds.filter((each) => !TECHNIQUE_ID.test(each)),
  ]
  if (invalidIds.length === 0) return row
  return {
    rejected: row.id,
    reason: `the pattern refers to "${invalidIds[0]}", which is not a CWE id or an ATT&CK technique id`,
  }
}

function parseStix(object: unknown): CapecRow | Rejected {
  const [id = ''] = listExternalIds('capec', object)
  if (!STIX_OBJECT.matches(object))
    return { rejected: id || findName(object), reason: STIX_OBJECT.describeMismatch(object) }
  return {
    id,
    name: object.name,
    status: object.x_capec_status,
    abstraction: object.x_capec_abstraction ?? null,
    likelihood: object.x_capec_likelihood_of_attack ?? null,
    severity: object.x_capec_typical_severity ?? null,
    cweIds: sortIds(listExternalIds('cwe', object)),
    techniqueIds: sortIds(listExternalIds('ATTACK', object)),
    isDeprecated: object.x_capec_status === 'Deprecated' || object.revoked === true,
  }
}

function parsePlain(object: unknown): CapecRow | Rejected {
  if (!PLAIN_OBJECT.matches(object))
    return { rejected: findName(object), reason: PLAIN_OBJECT.describeMismatch(object) }
  return {
    id: object.id,
    name: object.name,
    status: object.status,
    abstraction: object.abstraction ?? null,
    likelihood: object.likelihood ?? null,
    severity: object.severity ?? null,
    cweIds: sortIds(object.cwe),
    techniqueIds: sortIds(object.attack),
    isDeprecated: object.deprecated,
  }
}

/** Queues no CVE for publication, because only the report on derived techniques reads the patterns. */
export const capecStore = stagedStore<CapecRow>({
  table: 'capec',
  key: ['capec_id'],
  columns: {
    capec_id: (row) => row.id,
    name: (row) => row.name,
    status: (row) => row.status,
    abstraction: (row) => row.abstraction,
    likelihood: (row) => row.likelihood,
    severity: (row) => row.severity,
    cwe_ids: (row) => row.cweIds,
    technique_ids: (row) => row.techniqueIds,
    is_deprecated: (row) => row.isDeprecated,
  },
  removal: { rule: 'mark', rejected: { column: sql`held.capec_id`, ids: extractIds(/CAPEC-\d+/) } },
})
