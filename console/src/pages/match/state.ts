// The options of a check. They are in the query string, under the names of the API's parameters. Pasted text is never
// part of an address.
import type { MatchOptions } from 'vis-sdk'

type Confidence = NonNullable<MatchOptions['confidence_min']>
type MaxLevel = NonNullable<MatchOptions['priority_max']>

export interface CheckOptions {
  readonly confidence_min: Confidence
  readonly priority_max: MaxLevel
}

export const CONFIDENCE_WORDS: Readonly<Record<Confidence, string>> = {
  high: 'High only',
  medium: 'Medium or high',
  low: 'Any confidence',
}

export const LEVEL_CHOICES: Readonly<Record<MaxLevel, string>> = {
  P4: 'All levels',
  P3: 'P0 to P3, and unrated',
  P2: 'P0 to P2',
  P1: 'P0 and P1',
  P0: 'P0 only',
}

const DEFAULTS: CheckOptions = { confidence_min: 'medium', priority_max: 'P4' }

export function parseOptions(search: Readonly<Record<string, unknown>>): CheckOptions {
  const { confidence_min: confidence, priority_max: level } = search
  return {
    confidence_min: isKeyOf(CONFIDENCE_WORDS, confidence) ? confidence : DEFAULTS.confidence_min,
    priority_max: isKeyOf(LEVEL_CHOICES, level) ? level : DEFAULTS.priority_max,
  }
}

/** Converts the options to a query string. Default values are left out. */
export function toSearch({ confidence_min, priority_max }: CheckOptions): Readonly<Record<string, string>> {
  return {
    ...(confidence_min === DEFAULTS.confidence_min ? {} : { confidence_min }),
    ...(priority_max === DEFAULTS.priority_max ? {} : { priority_max }),
  }
}

export function isSameOptions(one: CheckOptions, other: CheckOptions): boolean {
  return one.confidence_min === other.confidence_min && one.priority_max === other.priority_max
}

export function isKeyOf<Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(words, value)
}

const CVE_ID = /^CVE-\d{4}-\d{4,19}$/

/** The CVE from whose page the check was opened. The result answers about it first. */
export function parseCve({ cve }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof cve === 'string' && CVE_ID.test(cve) ? cve : undefined
}
