// Reads version ranges written as conditions, such as `>= 2.0, < 2.4.1`. GitHub and other CNAs write them into one member.
import type { AffectedRange } from '../model/claim.ts'

type VersionLimits = Pick<AffectedRange, 'version' | 'lessThan' | 'lessThanOrEqual'>

const CONDITION = /^(>=|<=|>|<|=)?\s*v?(\d[\w.+:~-]*)$/i
const MAX_LENGTH = 1024

/** Returns one range per `||` alternative, or undefined for text in another form. */
export function readComparators(text: string): readonly VersionLimits[] | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const ranges = text.split('||').map(readRange)
  return ranges.every((each) => each !== undefined) ? ranges : undefined
}

function readRange(text: string): VersionLimits | undefined {
  const limits: { -readonly [K in keyof VersionLimits]: VersionLimits[K] } = {
    version: null,
    lessThan: null,
    lessThanOrEqual: null,
  }
  for (const part of text.split(',')) {
    const [, operator = '=', version = null] = CONDITION.exec(part.trim()) ?? []
    if (version === null) return undefined
    // An AffectedRange cannot exclude its start, so that `> 2.0` includes 2.0: one version too many is better than none.
    limits[toMember(operator)] = version
  }
  return limits
}

function toMember(operator: string): keyof VersionLimits {
  if (operator === '<') return 'lessThan'
  return operator === '<=' ? 'lessThanOrEqual' : 'version'
}
