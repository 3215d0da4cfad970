// Ranges of versions in scopes, as one text: constraints of VERS, separated by `|`, such as `>=1.0|<2.0` or `=1.5|=1.6`.
import type { VersionList, VersionRange } from '../version/range.ts'

export type ScopeRange = VersionRange | VersionList

export const MAX_RANGE_LENGTH = 512
export const RANGE_FORM = 'one interval such as >=1.0|<2.0, <2.0 or >1.4, or up to 20 versions such as =1.5|=1.6'

const MAX_VERSIONS = 20
const MAX_VERSION_LENGTH = 128
const CONSTRAINT = /^(>=|<=|>|<|=)(.+)$/
const CONTROL = /\p{Cc}/u

interface Constraint {
  readonly operator: string
  readonly version: string
}

/** Returns undefined for an empty text, which means all versions. */
export function parseRange(text: string): ScopeRange | { readonly error: string } | undefined {
  if (text.trim() === '') return undefined
  const constraints = text.length > MAX_RANGE_LENGTH ? [] : text.split('|').map(readConstraint)
  if (constraints.length === 0 || !constraints.every((each) => each !== undefined)) return FAULT
  if (constraints.every(({ operator }) => operator === '='))
    return constraints.length > MAX_VERSIONS
      ? FAULT
      : { versions: [...new Set(constraints.map(({ version }) => version))].sort() }
  const [low, ...otherLows] = constraints.filter(({ operator }) => operator.startsWith('>'))
  const [high, ...otherHighs] = constraints.filter(({ operator }) => operator.startsWith('<'))
  const isInterval = constraints.every(({ operator }) => operator !== '=')
  if (!isInterval || otherLows.length > 0 || otherHighs.length > 0) return FAULT
  return {
    ...(low && { low: low.version, lowIncluded: low.operator === '>=' }),
    ...(high && { high: high.version, highIncluded: high.operator === '<=' }),
  }
}

const FAULT = { error: `must have a version_range that is ${RANGE_FORM}` }

function readConstraint(text: string): Constraint | undefined {
  const [, operator, rest = ''] = CONSTRAINT.exec(text.trim()) ?? []
  const version = rest.trim()
  const isText = version.isWellFormed() && !CONTROL.test(version)
  const isVersion = version !== '' && version.length <= MAX_VERSION_LENGTH && isText
  return operator === undefined || !isVersion ? undefined : { operator, version }
}

export function formatRange(range: ScopeRange): string {
  if ('versions' in range) return range.versions.map((version) => `=${version}`).join('|')
  const { low, lowIncluded = false, high, highIncluded = false } = range
  return [
    ...(low === undefined ? [] : [`${lowIncluded ? '>=' : '>'}${low}`]),
    ...(high === undefined ? [] : [`${highIncluded ? '<=' : '<'}${high}`]),
  ].join('|')
}
