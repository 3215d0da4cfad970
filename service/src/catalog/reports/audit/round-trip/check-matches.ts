// Compares served CPE matches with the statements of their source.
import { compareRange, OPEN_RANGE, type ServedRange } from './compare-range.ts'
import type { DifferenceKind } from './kinds.ts'
import { readCpeKey, readCpeValues } from './name-keys.ts'
import { type Raw, toWords } from './raw-json.ts'
import { isSaidBy, type Statement } from './statement.ts'

/** Undefined if both agree. */
export type Compared = DifferenceKind | undefined

export interface MatchOrigin {
  readonly source: string
  /** Only statements in this record count, for example in a detail record; undefined for all records. */
  readonly record?: string
}

export function compareMatches(
  matches: readonly Raw[],
  { source, record }: MatchOrigin,
  statements: readonly Statement[],
): readonly Compared[] {
  const bySource = statements.filter(
    (each) => isSaidBy(each, source) && (record === undefined || each.record === record),
  )
  return matches.map((match) => compareMatch(match, bySource))
}

function compareMatch(match: Raw, statements: readonly Statement[]): Compared {
  if (statements.length === 0) return 'source'
  const criteria = toWords(match['criteria']) ?? toWords(match['cpe23Uri']) ?? ''
  const key = readCpeKey(criteria)
  const isDerived = match['derived'] === true
  const named = isDerived ? statements : statements.filter(({ names }) => key !== undefined && names.includes(key))
  if (named.length === 0) return 'product'
  // A platform that only has to be present is neither affected nor unaffected.
  if (match['vulnerable'] === false) return undefined
  return compareRange(toServedRange(match, criteria), named)
}

function toServedRange(match: Raw, criteria: string): ServedRange {
  const [, , , version = '*', update = '*'] = readCpeValues(criteria)
  const [from, after] = [toWords(match['versionStartIncluding']), toWords(match['versionStartExcluding'])]
  const [before, through] = [toWords(match['versionEndExcluding']), toWords(match['versionEndIncluding'])]
  const [low, high] = [from ?? after, before ?? through]
  if (low === null && high === null && version !== '*' && version !== '-')
    return { ...OPEN_RANGE, versions: [update === '*' ? version : `${version} ${update}`] }
  // Marked matches have only the limits that could be read, or none.
  const isVague = (low === null && high === null) || match['unknown_versions'] === true
  return { ...OPEN_RANGE, isVague, low, high, isLowIncluded: from !== null, isHighIncluded: before === null }
}
