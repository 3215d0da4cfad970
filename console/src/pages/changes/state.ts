// The state of the page, all of it in the address, with the parameters of GET /api/v1/changes.
import type { ChangeFilters } from 'vis-sdk'
import { PRIORITY_WORDS, SEVERITY_WORDS, TYPES_WORDS } from 'vis-sdk/vocabulary'
import { readDay } from '../../text/days.ts'

export type ChangeType = keyof typeof TYPES_WORDS

/**
 * The types that the page shows if none is chosen: what changes how urgent a CVE is, and what concerns the whole catalog.
 * They are 2 % of all changes.
 */
export const IMPORTANT_TYPES = [
  'kev_added',
  'eu_kev_added',
  'ransomware_added',
  'became_urgent',
  'exploit_added',
  'maturity_raised',
  'kev_removed',
  'eu_kev_removed',
  'notice_added',
  'rejected',
  'removed',
  'loaded',
  'rules_changed',
  'epss_model_changed',
] as const satisfies readonly ChangeType[]

export interface ChangesState {
  /** Last day of the week; undefined for the week that ends today. */
  readonly week: string | undefined
  /** Empty for the important types. */
  readonly types: readonly ChangeType[]
  readonly priority: readonly Priority[]
  readonly severity: readonly Severity[]
  readonly isInKev: boolean
  readonly vendor: string
  readonly product: string
}

export type Priority = keyof typeof PRIORITY_WORDS
export type Severity = keyof typeof SEVERITY_WORDS

const MAX_NAME_LENGTH = 100

export function parseState(search: Readonly<Record<string, unknown>>): ChangesState {
  const { week, types, priority, severity, kev, product_vendor, product } = search
  return {
    week: typeof week === 'string' && readDay(week) === week ? week : undefined,
    types: readWords(TYPES_WORDS, types),
    priority: readWords(PRIORITY_WORDS, priority),
    severity: readWords(SEVERITY_WORDS, severity),
    isInKev: kev === 'true',
    vendor: readName(product_vendor),
    product: readName(product),
  }
}

function readWords<Word extends string>(words: Readonly<Record<Word, string>>, text: unknown): readonly Word[] {
  const sent = typeof text === 'string' ? text.split(',') : []
  // The cast is safe: the keys of the table are the words.
  return (Object.keys(words) as Word[]).filter((word) => sent.includes(word))
}

const readName = (text: unknown) => (typeof text === 'string' ? text.slice(0, MAX_NAME_LENGTH) : '')

/** Default values are left out. */
export function toSearch(state: ChangesState): Readonly<Record<string, string>> {
  const { week, types, priority, severity, isInKev, vendor, product } = state
  return {
    ...(week === undefined ? {} : { week }),
    ...(types.length === 0 ? {} : { types: types.join(',') }),
    ...(priority.length === 0 ? {} : { priority: priority.join(',') }),
    ...(severity.length === 0 ? {} : { severity: severity.join(',') }),
    ...(isInKev ? { kev: 'true' } : {}),
    ...(vendor.trim() === '' ? {} : { product_vendor: vendor.trim() }),
    ...(product.trim() === '' ? {} : { product: product.trim() }),
  }
}

/** Returns the filters of the call. */
export function toFilters(state: ChangesState): ChangeFilters {
  const { types, priority, severity, isInKev, vendor, product } = state
  return {
    types: types.length === 0 ? [...IMPORTANT_TYPES] : [...types],
    ...(priority.length === 0 ? {} : { priority: [...priority] }),
    ...(severity.length === 0 ? {} : { severity: [...severity] }),
    ...(isInKev ? { kev: true } : {}),
    ...(vendor.trim() === '' ? {} : { product_vendor: [vendor.trim()] }),
    ...(product.trim() === '' ? {} : { product: [product.trim()] }),
  }
}

/** Returns whether a filter besides the week and the types is set. */
export function hasFilter(state: ChangesState): boolean {
  const { week: _week, types: _types, ...filters } = toSearch(state)
  return Object.keys(filters).length > 0
}
