// Versions as conditions, `>= 2.0, < 2.4.1`: some CNAs, GitHub among them, write the whole range into one member.
import type { AffectedRange } from '../model/claim.ts'

type Limits = Pick<AffectedRange, 'version' | 'lessThan' | 'lessThanOrEqual'>

const CONDITION = /^(>=|<=|>|<|=)?\s*v?(\d[\w.+:~-]*)$/i
const MAX_LENGTH = 1024

/** One range for each `||`; undefined where it is not written so. */
export function readComparators(text: string): readonly Limits[] | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const ranges = text.split('||').map(readRange)
  return ranges.every((each) => each !== undefined) ? ranges : undefined
}

function readRange(text: string): Limits | undefined {
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = { version: null, lessThan: null, lessThanOrEqual: null }
  for (const part of text.split(',')) {
    const [, operator = '=', version = null] = CONDITION.exec(part.trim()) ?? []
    if (version === null) return undefined
    // Our ranges have no open beginning: one version too many is better than a range without its end.
    limits[memberFor(operator)] = version
  }
  return limits
}

function memberFor(operator: string): keyof Limits {
  if (operator === '<') return 'lessThan'
  return operator === '<=' ? 'lessThanOrEqual' : 'version'
}
