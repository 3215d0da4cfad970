// Statements of VEX documents about the components of an SBOM. A component without a hit gets no statement.
import { formatPurl } from '../../../domain/purl/purl.ts'
import { describeReason } from '../../answer/describe.ts'
import type { SelectedComponent } from '../../answer/select-matches.ts'
import type { Match } from '../../match.ts'
import type { NamedComponent } from '../document/name-component.ts'

export interface VexStatement {
  readonly id: string
  readonly score: number | null
  readonly status: 'affected' | 'under_investigation' | 'not_affected'
  /** Why the component is, or may be, affected; the caller's reason if it is not. */
  readonly reason: string
  /** What the reader of the VEX document should do, such as an upgrade; undefined unless the component is affected. */
  readonly action: string | undefined
}

export function listStatements({ matched, shown }: SelectedComponent): readonly VexStatement[] {
  const { component, upgrade, suppressed } = matched
  const open = shown.map((match): VexStatement => {
    const { subject, verdict, row } = match
    const isAffected = verdict === 'affected'
    return {
      id: subject.id,
      score: subject.score,
      status: isAffected ? 'affected' : 'under_investigation',
      reason: describeReason(row, component),
      action: isAffected ? describeAction(match, upgrade?.version ?? null) : undefined,
    }
  })
  const judged = suppressed.map(({ match: { subject }, entry }): VexStatement => {
    return { id: subject.id, score: subject.score, status: 'not_affected', reason: entry.reason, action: undefined }
  })
  return [...open, ...judged]
}

function describeAction({ fixes }: Match, upgrade: string | null): string {
  if (upgrade !== null) return `Upgrade to ${upgrade}.`
  const versions = [...new Set(fixes.map(({ version }) => version))]
  if (versions.length > 0) return `Upgrade to a version that contains the fix: ${versions.join(', ')}.`
  return 'No version with a fix is known. Ask the vendor, or remove the component.'
}

/** Characters that a URI does not have (RFC 3986), such as quotes, blanks, letters of other scripts, and a lone `%`. */
const NOT_IN_URI = /[^\w!#$%&'()*+,./:;=?@~-]|%(?![\da-f]{2})/giu

/** Escapes what a URI must not contain. The names of documents are written by anybody. */
export function toUri(name: string): string {
  const [before = '', ...fragments] = name.toWellFormed().replace(NOT_IN_URI, encodeURIComponent).split('#')
  return fragments.length === 0 ? before : `${before}#${fragments.join('%23')}`
}

/** Returns a URI for a component: its package URL or CPE name, also for one that is only known by its name. */
export function toProductId({ label }: NamedComponent): string {
  const { purl, cpe, name, version } = label
  if (purl !== undefined || cpe !== undefined) return toUri(purl ?? cpe ?? '')
  const base = formatPurl('generic', '', name)
  return version === undefined ? base : `${base}@${encodeURIComponent(version.toWellFormed())}`
}
