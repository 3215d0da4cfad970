import { Type } from 'typebox'
import type { CveId } from '../../../domain/cve-id.ts'
import { deb } from '../../../domain/version/deb.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, type Matched, optionalOrNull } from '../../schema-check.ts'

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
  /** Newest version in the release's repositories; null if the status is `resolved`. */
  readonly knownVersion: string | null
  /** `no-dsa`, `postponed` or `ignored`; null if Debian has not decided, or if the status is `resolved`. */
  readonly decision: string | null
  readonly isDescribed: boolean
}

const Version = Type.String({ maxLength: 200 })

const STATE = compileSchema(
  Type.Object({
    status: Type.String({ minLength: 1, maxLength: 50 }),
    fixed_version: optionalOrNull(Version),
    urgency: optionalOrNull(Type.String({ maxLength: 50 })),
    /** The tracker's own form: versions by the repository's name. */
    repositories: optionalOrNull(Type.Record(Type.String(), Version)),
    /** The form in the file of one release. */
    repository: optionalOrNull(Type.Array(Type.Object({ version: Version }))),
    /** The reason in a sentence; empty without one. */
    nodsa: optionalOrNull(Type.String()),
    nodsa_reason: optionalOrNull(Type.String({ maxLength: 50 })),
  }),
)

type State = Matched<typeof STATE>

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
    ...(state.status === 'resolved'
      ? FIXED
      : { knownVersion: findNewestVersion(state), decision: readDecision(state) }),
    isDescribed,
  }
}

/** Otherwise each upload of the kernel would change thousands of rows. */
const FIXED: Pick<DebianRow, 'knownVersion' | 'decision'> = { knownVersion: null, decision: null }

function findNewestVersion({ repositories, repository }: State): string | null {
  const versions = [...Object.values(repositories ?? {}), ...(repository ?? []).map(({ version }) => version)]
  const [first = null, ...others] = versions.filter((each) => each !== '')
  return others.reduce(
    (newest, each) => (newest !== null && (deb.compare(each, newest) ?? 0) > 0 ? each : newest),
    first,
  )
}

/** `nodsa_reason` is empty or absent if Debian decided against an advisory without postponing or ignoring the fix. */
function readDecision({ nodsa, nodsa_reason: reason }: State): string | null {
  return reason || (nodsa ? 'no-dsa' : null)
}
