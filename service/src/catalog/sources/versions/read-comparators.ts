// Reads ranges written as conditions, such as `>= 2.0, < 2.4.1`, which GitHub and other CNAs write into one member.
import type { AffectedRange } from '../../model/claim.ts'

type VersionLimits = Pick<AffectedRange, 'version' | 'lessThan' | 'lessThanOrEqual' | 'isDerived'>

/** Also matches MinIO's releases, such as `RELEASE.2024-01-31T20-20-33Z`. */
const CONDITION = /^(>=|<=|>|<|=)?\s*v?((?:release\.)?\d[\w.+:~-]*)$/i
const MAX_LENGTH = 1024

/** Returns one range per alternative (`||`), or undefined if the text does not consist of conditions. */
export function readComparators(text: string): readonly VersionLimits[] | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const ranges = text.split('||').map(readRange)
  return ranges.every((each) => each !== undefined) ? ranges : undefined
}

function readRange(text: string): VersionLimits | undefined {
  const limits: { -readonly [K in keyof Omit<VersionLimits, 'isDerived'>]: VersionLimits[K] } = {
    version: null,
    lessThan: null,
    lessThanOrEqual: null,
  }
  let isOpen = false
  let isStartIncluded = true
  for (const part of text.split(',')) {
    const [, operator = '=', version = null] = CONDITION.exec(part.trim()) ?? []
    if (version === null) return undefined
    // A range always includes its start, so `> 2.0` becomes `>= 2.0`: one version too many is better than no range.
    const member = toMember(operator)
    // Two limits of the same type mean two ranges, such as `>= 6.0, < 6.2, >= 7.0, < 7.1`, which readVersionText reads.
    if (limits[member] !== null) return undefined
    limits[member] = version
    if (operator.startsWith('>')) isOpen = true
    if (operator === '>') isStartIncluded = false
  }
  const hasEnd = limits.lessThan !== null || limits.lessThanOrEqual !== null
  const range = isOpen && !hasEnd ? { ...limits, lessThan: '*' } : limits
  return isStartIncluded ? range : { ...range, isDerived: true }
}

function toMember(operator: string): keyof Omit<VersionLimits, 'isDerived'> {
  if (operator === '<') return 'lessThan'
  return operator === '<=' ? 'lessThanOrEqual' : 'version'
}
