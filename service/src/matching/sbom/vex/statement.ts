// The statements of a VEX document about a component. Silence about a component says nothing, so all that is known about
// it is stated: what is not decided is under investigation, and only somebody's own statement makes it not affected.
import type { Component } from '../../../domain/component/component.ts'
import type { Level } from '../../../domain/priority/policy.ts'
import { formatPurl } from '../../../domain/purl/purl.ts'
import { describeReason } from '../../answer/describe.ts'
import { isWithin, type SelectedComponent } from '../../answer/select-matches.ts'
import type { Match } from '../../match.ts'
import { compareUrgency } from '../../plan/plan-fix.ts'
import type { Suppression } from '../../suppress.ts'
import type { NamedComponent } from '../document/name-component.ts'

export interface VexStatement {
  readonly id: string
  /** Ids of the same vulnerability in other databases. */
  readonly aliases: readonly string[]
  readonly score: number | null
  readonly status: 'affected' | 'under_investigation' | 'not_affected' | 'fixed'
  /** For a component that is not affected or fixed, the caller's own reason. */
  readonly reason: string
  /** Advice such as an upgrade; undefined unless the component is affected. */
  readonly action: string | undefined
}

export interface VexLimits {
  readonly maxLevel: Level
  /** Maximum number of statements about a component, without those about suppressed hits. */
  readonly maxMatches: number
}

export function listStatements(
  { matched, shown }: SelectedComponent,
  { maxLevel, maxMatches }: VexLimits,
): readonly VexStatement[] {
  const { component, upgrade, suppressed, weaker, unordered } = matched
  const isListed = ({ subject }: Pick<Match, 'subject'>) => isWithin(subject.rank, maxLevel)
  const listed = shown.map((match): VexStatement => {
    const isAffected = match.verdict === 'affected'
    return {
      ...identify(match),
      status: isAffected ? 'affected' : 'under_investigation',
      reason: describeReason(match, component),
      action: isAffected ? describeAction(match, upgrade?.version ?? null) : undefined,
    }
  })
  const undecided = [
    ...weaker.map((match) => ({ subject: match.subject, reason: describeReason(match, component) })),
    ...unordered
      .filter(({ entry }) => entry === undefined)
      .map(({ subject }) => ({ subject, reason: describeUnordered(component) })),
  ]
    .filter(isListed)
    .sort(compareUrgency)
    .slice(0, Math.max(0, maxMatches - listed.length))
    .map(investigate)
  const judged = [
    ...suppressed.map(({ match, entry }) => repeatJudgement(match, entry)),
    ...unordered.flatMap((each) => (each.entry === undefined ? [] : [repeatJudgement(each, each.entry)])),
  ]
  return [...listed, ...undecided, ...judged]
}

function describeUnordered({ product, version }: Component): string {
  return version === null
    ? `Sources name versions of ${product}, and the component has none.`
    : `The order of ${version.text} and the versions of ${product} that sources name is not known.`
}

type Named = Pick<Match, 'subject'>

const identify = ({ subject }: Named) => ({
  id: subject.id,
  aliases: subject.aliases.map(({ alias }) => alias),
  score: subject.score,
})

function investigate({ subject, reason }: Named & { readonly reason: string }): VexStatement {
  return { ...identify({ subject }), status: 'under_investigation', reason, action: undefined }
}

function repeatJudgement(named: Named, { reason, isFixed, state }: Suppression): VexStatement {
  // Who accepts a risk does not say that it does not exist.
  if (state?.state === 'accepted') return { ...identify(named), status: 'affected', reason, action: reason }
  return { ...identify(named), status: isFixed === true ? 'fixed' : 'not_affected', reason, action: undefined }
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
