import { Type } from 'typebox'
import type { CveId } from '../../../domain/cve-id.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'

export interface RawDebianStatus {
  /** Name of the source package. */
  readonly package: string
  readonly cveId: CveId
  /** Code name of the release, such as `bookworm`. */
  readonly release: string
  /** The tracker has a text about the CVE; it has none about an id that is only reserved. */
  readonly isDescribed: boolean
  readonly state: unknown
}

export interface DebianRow {
  readonly package: string
  readonly cveId: CveId
  readonly release: string
  readonly status: string
  readonly fixedVersion: string | null
  readonly urgency: string | null
  readonly isDescribed: boolean
}

const STATE = compileSchema(
  Type.Object({
    status: Type.String({ minLength: 1, maxLength: 50 }),
    fixed_version: optionalOrNull(Type.String({ maxLength: 200 })),
    urgency: optionalOrNull(Type.String({ maxLength: 50 })),
  }),
)

export function normaliseDebian(raw: RawDebianStatus): DebianRow | Rejected {
  const { package: name, cveId, release, isDescribed, state } = raw
  if (!STATE.matches(state)) return { rejected: `${name} ${cveId} ${release}`, reason: STATE.describeMismatch(state) }
  return {
    package: name,
    cveId,
    release,
    status: state.status,
    fixedVersion: state.fixed_version || null,
    urgency: state.urgency || null,
    isDescribed,
  }
}
