// The filters of the list, derived from the API's own vocabulary. Names are the parameters of GET /api/v1/cves, so a
// query string of the console is also valid in the API.
import { searchCvesParameters } from 'vis-sdk/vocabulary'
import { capitalise } from '../format.ts'

type Parameters = typeof searchCvesParameters
/** A parameter with a label is a filter; `sort`, `limit`, `fields` and others have none. */
export type FilterName = {
  [Name in keyof Parameters]: Parameters[Name] extends { readonly label: string } ? Name : never
}[keyof Parameters]

interface FilterBase {
  readonly label: string
  /** Whether the API accepts the filter only together with include=enrichment. */
  readonly needsEnrichment: boolean
}

/** One or several words from a list. */
interface ChoiceFilter extends FilterBase {
  readonly kind: 'choices' | 'choice'
  /** API values with their labels. */
  readonly options: Readonly<Record<string, string>>
}

/** Yes, no or unset. */
interface FlagFilter extends FilterBase {
  readonly kind: 'flag'
  /** Chip labels for true and false. */
  readonly texts: readonly [string, string]
}

/** A number with the bounds that the API enforces. */
interface NumberFilter extends FilterBase {
  readonly kind: 'number' | 'percent'
  readonly min: number
  readonly max: number
  readonly isInteger?: boolean
}

/** A list of ids or names. */
interface ListFilter extends FilterBase {
  readonly kind: 'ids' | 'list'
  /** Pattern that the API accepts for an item. */
  readonly item: RegExp
  readonly maxItems: number
}

interface PlainFilter extends FilterBase {
  readonly kind: 'date' | 'day'
}

interface TextFilter extends FilterBase {
  readonly kind: 'text'
  readonly maxLength: number
}

type FilterSpec = ChoiceFilter | FlagFilter | NumberFilter | ListFilter | PlainFilter | TextFilter

/** A parameter as the vocabulary describes it. */
interface Described {
  readonly label?: string
  readonly type: string
  readonly isList?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly needs?: string
  readonly words?: Readonly<Record<string, string>>
}

const PARAMETERS: Readonly<Record<string, Described>> = searchCvesParameters

// The cast is safe: FilterName selects the names in the same way.
export const FILTER_NAMES = Object.keys(PARAMETERS).filter(
  (name) => PARAMETERS[name]?.label !== undefined,
) as readonly FilterName[]

/** Upper bound for numbers that the API does not limit; no CVE has this many matches or items of evidence. */
const MAX_COUNT = 1_000_000

// The cast is safe: the entries are those of FILTER_NAMES.
export const FILTERS = Object.fromEntries(
  FILTER_NAMES.map((name) => [name, describeParameter(name, searchCvesParameters[name])]),
) as Readonly<Record<FilterName, FilterSpec>>

function describeParameter(name: FilterName, parameter: Described): FilterSpec {
  const { label = name, type, isList = false, words = {}, minimum: min = 0, maximum: max = MAX_COUNT } = parameter
  const base = { label, needsEnrichment: parameter.needs === 'include=enrichment' }
  switch (type) {
    case 'flag':
      return { ...base, kind: 'flag', texts: [words['true'] ?? label, words['false'] ?? `not ${label}`] }
    case 'word':
      return { ...base, kind: isList ? 'choices' : 'choice', options: nameWords(words, name === 'priority') }
    case 'number':
    case 'integer':
      return { ...base, kind: max === 1 ? 'percent' : 'number', min, max, isInteger: type === 'integer' }
    case 'day':
      return { ...base, kind: 'day' }
    case 'moment':
      return { ...base, kind: 'date' }
    default:
      return isList
        ? { ...base, kind: name === 'ids' ? 'ids' : 'list', ...describeItems(parameter) }
        : { ...base, kind: 'text', maxLength: parameter.maxLength ?? MAX_COUNT }
  }
}

/** A priority level is shown with its label: `P0 act now`. The label of `unrated` says the same as the word. */
function nameWords(words: Readonly<Record<string, string>>, isLevel: boolean): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(words).map(([value, label]) => [
      value,
      isLevel && value !== 'unrated' ? `${value} ${label}` : capitalise(label),
    ]),
  )
}

function describeItems({ pattern, maxLength = 128, maxItems = 20 }: Described) {
  // regex-bound: the API's own patterns, applied to items of an address with at most a few thousand characters.
  return { item: new RegExp(pattern ?? `^.{1,${maxLength}}$`, 'u'), maxItems }
}

export type FilterValues = Readonly<Partial<Record<FilterName, string>>>

const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?)?$/
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Returns the value in the form that the API expects, or undefined if the API would refuse it. */
export function normaliseFilter(name: FilterName, text: string): string | undefined {
  const spec = FILTERS[name]
  const value = text.trim()
  if (value === '') return undefined
  switch (spec.kind) {
    case 'text':
      return value.slice(0, spec.maxLength)
    case 'flag':
      return value === 'true' || value === 'false' ? value : undefined
    case 'choice':
    case 'choices':
      return normaliseChoices(spec, value)
    case 'number':
    case 'percent':
      return DECIMAL.test(value) && isWithinBounds(spec, Number(value)) ? value : undefined
    case 'date':
      return DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
    case 'day':
      return normaliseFilter('published_after', value)?.slice(0, DAY_LENGTH)
    case 'ids':
      return normaliseItems(spec, value.toUpperCase().replaceAll(/[\s;]/g, ',').split(','))
    case 'list':
      return normaliseItems(spec, splitItems(name, value))
  }
}

function isWithinBounds({ min, max, isInteger = false }: NumberFilter, value: number): boolean {
  return value >= min && value <= max && (!isInteger || Number.isInteger(value))
}

/** Keeps known words, in table order, so that equal filters have equal addresses. */
function normaliseChoices({ kind, options }: ChoiceFilter, value: string): string | undefined {
  const sent = value.split(',').map((each) => each.trim().toLowerCase())
  const known = Object.keys(options).filter((option) => sent.includes(option.toLowerCase()))
  const kept = kind === 'choice' ? known.slice(0, 1) : known
  return kept.length === 0 ? undefined : kept.join(',')
}

function normaliseItems({ item, maxItems }: ListFilter, sent: readonly string[]): string | undefined {
  const items = sent.map((each) => each.trim())
  const isValid = (each: string) => each.split(',').every((part) => item.test(part))
  const known = [...new Set(items.filter(isValid))].slice(0, maxItems)
  return known.length === 0 ? undefined : known.join(',')
}

/** The filters whose names can contain commas, such as `ios,_ipados,_and_macos`. */
const NAMES_WITH_COMMAS: readonly FilterName[] = ['product', 'product_vendor']

/**
 * Splits the value of a filter into its items. In the names of products and vendors, a comma followed by an underscore,
 * which stands for a blank, is part of the name.
 */
export function splitItems(name: FilterName, value: string): readonly string[] {
  return value.split(NAMES_WITH_COMMAS.includes(name) ? /,(?!_)/ : ',')
}

/** Returns whether the filter can contain the value as one item. */
export function isOneItem(name: FilterName, value: string): boolean {
  return splitItems(name, value).length === 1
}
