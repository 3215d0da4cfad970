// A component without a hit gets no VEX statement.
import { formatPurl } from '../../../domain/purl/purl.ts'
import { describeReason } from '../../answer/describe.ts'
import type { SelectedComponent } from '../../answer/select-matches.ts'
import type { Match } from '../../match.ts'
import type { NamedComponent } from '../document/name-component.ts'

export interface VexStatement {
  readonly id: string
  readonly score: number | null
  readonly status: 'affected' | 'under_investigation' | 'not_affected'
  /** For a component that is not affected, the caller's own reason. */
  readonly reason: string
  /** Advice such as an upgrade; undefined unless the component is affected. */
  readonly action: string | undefined
}

export function listStatements({ matched, shown }: SelectedComponent): readonly VexStatement[] {
  const { component, upgrade, suppressed } = matched
  const open = shown.map((match): VexStatement => {
    const { subject, verdict } = match
    const isAffected = verdict === 'affected'
    return {
      id: subject.id,
      score: subject.score,
      status: isAffected ? 'affected' : 'under_investigation',
      reason: describeReason(match, component),
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

/** Characters that a URI must not contain (RFC 3986), such as quotes, blanks, non-Latin letters, and a lone `%`. */
const NOT_IN_URI = /[^\w!#$%&'()*+,./:;=?@~-]|%(?![\da-f]{2})/giu

/** Anyone can write the names in a document, so they may contain any character. */
export function toUri(name: string): string {
  const [before = '', ...fragments] = name.toWellFormed().replace(NOT_IN_URI, encodeURIComponent).split('#')
  return fragments.length === 0 ? before : `${before}#${fragments.join('%23')}`
}

/** A component known only by its name gets a generic purl. */
export function toProductId({ label }: NamedComponent): string {
  const { purl, cpe, name, version } = label
  if (purl !== undefined || cpe !== undefined) return toUri(purl ?? cpe ?? '')
  const base = formatPurl('generic', '', name)
  return version === undefined ? base : `${base}@${encodeURIComponent(version.toWellFormed())}`
}
