import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { shapeOf } from '../../schema-check.ts'
import { setStore } from '../../stores/set-store.ts'
import { TECHNIQUE_ID } from './ids.ts'
import { idsBy, nameOf, type RawPattern } from './pattern.ts'

export interface TechniqueRow {
  readonly id: string
  readonly name: string
  readonly tactics: readonly string[]
  readonly isDeprecated: boolean
}

const NAME = Type.String({ minLength: 1, maxLength: 500 })
const FLAG = Type.Optional(Type.Boolean())

const STIX = shapeOf(
  Type.Object({
    name: NAME,
    revoked: FLAG,
    x_mitre_deprecated: FLAG,
    kill_chain_phases: Type.Optional(
      Type.Array(Type.Object({ kill_chain_name: Type.String(), phase_name: Type.String() })),
    ),
  }),
)

const PLAIN = shapeOf(
  Type.Object({ id: Type.String(), name: NAME, tactics: Type.Array(Type.String()), deprecated: Type.Boolean() }),
)

export function normaliseTechnique({ form, said }: RawPattern): TechniqueRow | Rejected {
  const row = form === 'stix' ? fromStix(said) : fromPlain(said)
  if ('reason' in row || TECHNIQUE_ID.test(row.id)) return row
  return { rejected: row.id || nameOf(said), reason: 'not the id of a technique, such as T1059.003' }
}

function fromStix(said: unknown): TechniqueRow | Rejected {
  const [id = ''] = idsBy('mitre-attack', said)
  if (!STIX.fits(said)) return { rejected: id || nameOf(said), reason: STIX.fault(said) }
  const phases = said.kill_chain_phases ?? []
  return {
    id,
    name: said.name,
    tactics: phases.flatMap((each) => (each.kill_chain_name === 'mitre-attack' ? [each.phase_name] : [])),
    isDeprecated: said.revoked === true || said.x_mitre_deprecated === true,
  }
}

function fromPlain(said: unknown): TechniqueRow | Rejected {
  if (!PLAIN.fits(said)) return { rejected: nameOf(said), reason: PLAIN.fault(said) }
  return { id: said.id, name: said.name, tactics: said.tactics, isDeprecated: said.deprecated }
}

/** No CVE is published again when a technique changes: its name is looked up when a record is shown. */
export const techniqueStore = setStore<TechniqueRow>({
  table: 'attack_technique',
  key: ['technique_id'],
  columns: {
    technique_id: (row) => row.id,
    name: (row) => row.name,
    tactics: (row) => row.tactics.toSorted(),
    is_subtechnique: (row) => row.id.includes('.'),
    is_deprecated: (row) => row.isDeprecated,
  },
  subject: { column: 'technique_id', pattern: /T\d{4}(?:\.\d{3})?/ },
})
