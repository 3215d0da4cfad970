import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import { setStore } from '../../stores/set-store.ts'
import { CAPEC_ID, CWE_ID, sortedIds, TECHNIQUE_ID } from './ids.ts'
import { idsBy, nameOf, type RawPattern } from './pattern.ts'

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
const NAME = Type.String({ minLength: 1, maxLength: 500 })

const STIX = shapeOf(
  Type.Object({
    name: NAME,
    x_capec_status: WORD,
    x_capec_abstraction: orNull(WORD),
    x_capec_likelihood_of_attack: orNull(WORD),
    x_capec_typical_severity: orNull(WORD),
    revoked: Type.Optional(Type.Boolean()),
  }),
)

const PLAIN = shapeOf(
  Type.Object({
    id: Type.String(),
    name: NAME,
    status: WORD,
    abstraction: orNull(WORD),
    likelihood: orNull(WORD),
    severity: orNull(WORD),
    cwe: Type.Array(Type.String()),
    attack: Type.Array(Type.String()),
    deprecated: Type.Boolean(),
  }),
)

export function normaliseCapec({ form, said }: RawPattern): CapecRow | Rejected {
  const row = form === 'stix' ? fromStix(said) : fromPlain(said)
  if ('reason' in row) return row
  if (!CAPEC_ID.test(row.id)) return { rejected: row.id || nameOf(said), reason: 'not a CAPEC id' }
  const strange = [
    ...row.cweIds.filter((each) => !CWE_ID.test(each)),
    ...row.techniqueIds.filter((each) => !TECHNIQUE_ID.test(each)),
  ]
  if (strange.length === 0) return row
  return {
    rejected: row.id,
    reason: `it names "${strange[0]}", which is the id neither of a weakness nor of a technique`,
  }
}

function fromStix(said: unknown): CapecRow | Rejected {
  const [id = ''] = idsBy('capec', said)
  if (!STIX.fits(said)) return { rejected: id || nameOf(said), reason: STIX.fault(said) }
  return {
    id,
    name: said.name,
    status: said.x_capec_status,
    abstraction: said.x_capec_abstraction ?? null,
    likelihood: said.x_capec_likelihood_of_attack ?? null,
    severity: said.x_capec_typical_severity ?? null,
    cweIds: sortedIds(idsBy('cwe', said)),
    techniqueIds: sortedIds(idsBy('ATTACK', said)),
    isDeprecated: said.x_capec_status === 'Deprecated' || said.revoked === true,
  }
}

function fromPlain(said: unknown): CapecRow | Rejected {
  if (!PLAIN.fits(said)) return { rejected: nameOf(said), reason: PLAIN.fault(said) }
  return {
    id: said.id,
    name: said.name,
    status: said.status,
    abstraction: said.abstraction ?? null,
    likelihood: said.likelihood ?? null,
    severity: said.severity ?? null,
    cweIds: sortedIds(said.cwe),
    techniqueIds: sortedIds(said.attack),
    isDeprecated: said.deprecated,
  }
}

/** No CVE is published again when a pattern changes: it is found by its weaknesses when a record is shown. */
export const capecStore = setStore<CapecRow>({
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
  subject: { column: 'capec_id', pattern: /CAPEC-\d+/ },
})
