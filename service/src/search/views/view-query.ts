// The query of a saved search: the query string of GET /api/v1/cves with its filters and its order, checked and written
// by the filters' own code. A date can be relative to the day on which the search runs.
import { readQueryString } from '../../contract/read-input.ts'
import type { Parameter, Parameters, RawValue } from '../../contract/request/parameters.ts'
import { splitQuery } from '../../contract/request/query-string.ts'
import { createIssue, type Reading, type ValidationIssue } from '../../contract/request/validation-issue.ts'
import { addDays } from '../../domain/epss-series/days.ts'
import { formatDay } from '../../domain/instant.ts'
import { filterRules } from '../filters/rules.ts'
import { FILTER_ENTRIES, type FilterValues, filterParameters } from '../filters/table.ts'
import { requireWords, PARAMETERS as SEARCH_PARAMETERS } from '../parameters.ts'

export const MAX_QUERY_LENGTH = 2000

const PARAMETERS: Parameters = { ...filterParameters('search'), sort: SEARCH_PARAMETERS.sort }

/** `include` is added when the search runs, so a view needs no rule about it. */
const RULES = [...filterRules('search').filter(({ parameters }) => !parameters.includes('include')), requireWords]

const RELATIVE_DAY = /^today(?:-([1-9]\d{0,3})d)?$/

/** The filters that take a day, each with the filter for the other end of its range. */
const DAY_FILTERS = FILTER_ENTRIES.filter(([name]) => /_(?:after|before)$/.test(name)).map(([name, filter]) => ({
  name,
  upperEnd: filter.upperEnd?.filter,
}))

/**
 * Checks the query of a view and returns it in the form in which it is stored: parameters in the order of the
 * documentation, words in their own spelling and sorted, dates and names as they were sent.
 */
export function readViewQuery(text: string, now: Date, owner = 'a view'): Reading<string> {
  const reading = readQueryString({ parameters: acceptRelativeDays(now), rules: RULES, owner }, text)
  const raw = splitQuery(text)
  const issues = [...('issues' in reading ? reading.issues : []), ...findMixedRanges(raw)]
  if (issues.length > 0 || 'issues' in reading) return { issues }
  const query = formatQuery(
    Object.entries(PARAMETERS).flatMap(([name, parameter]) => {
      const value = reading.value[name]
      const sent = raw.get(name)
      if (sent === undefined || value === undefined) return []
      return listTexts(parameter, value, sent).map((each) => [name, each] as const)
    }),
  )
  if (query.length <= MAX_QUERY_LENGTH) return { value: query }
  return {
    issues: [{ ...createIssue('', null, 'shorter'), message: `must have at most ${MAX_QUERY_LENGTH} characters` }],
  }
}

/**
 * Returns a function that reads the filters of stored queries as they are on a day. The rules between filters are not
 * checked again: a range that was valid on the day on which the query was stored can be empty on another day.
 */
export function createFilterReader(now: Date): (query: string) => Reading<FilterValues> {
  const known = acceptRelativeDays(now)
  return (query) => {
    // Only the parameters that the query has, because reading all takes most of the time.
    const names = [...splitQuery(query).keys()]
    const parameters = names.every((name) => name in known)
      ? Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]] as const] : [])))
      : known
    const reading = readQueryString({ parameters, rules: [], owner: 'a view' }, query)
    if ('issues' in reading) return reading
    const { sort: _, ...filters } = reading.value
    return { value: filters }
  }
}

/** Returns whether a filter of a stored query moves with the day. */
export function hasRelativeDay(query: string): boolean {
  const raw = splitQuery(query)
  return DAY_FILTERS.some(({ name }) => RELATIVE_DAY.test(raw.get(name)?.[0]?.text ?? ''))
}

/** Returns the query string with which GET /api/v1/cves runs a stored query on this day. */
export function toSearch(query: string, now: Date): string {
  const needed = new Set<string>()
  const pairs = [...splitQuery(query)].flatMap(([name, values]) => {
    const needs = PARAMETERS[name]?.needs
    if (needs !== undefined) needed.add(needs.replace('include=', ''))
    const isDay = DAY_FILTERS.some((filter) => filter.name === name)
    return values.map(({ text }) => [name, (isDay ? toDay(text, now) : undefined) ?? text] as const)
  })
  return formatQuery([...pairs, ...(needed.size > 0 ? [['include', [...needed].join(',')] as const] : [])])
}

function acceptRelativeDays(now: Date): Parameters {
  const wrapped = DAY_FILTERS.map(({ name }) => [name, acceptRelativeDay(PARAMETERS[name], now)] as const)
  return {
    ...PARAMETERS,
    ...Object.fromEntries(wrapped.flatMap(([name, parameter]) => (parameter ? [[name, parameter]] : []))),
  }
}

function acceptRelativeDay(parameter: Parameter<unknown> | undefined, now: Date): Parameter<unknown> | undefined {
  return (
    parameter && {
      ...parameter,
      read: (name, values) => {
        const reading = parameter.read(
          name,
          values.map((value) => ({ ...value, text: toDay(value.text, now) ?? value.text })),
        )
        return 'value' in reading ? reading : { issues: reading.issues.map(mentionRelativeDays) }
      },
    }
  )
}

function mentionRelativeDays(issue: ValidationIssue): ValidationIssue {
  return { ...issue, message: `${issue.message}; or relative to the day of the search, such as today-7d or today` }
}

function toDay(text: string, now: Date): string | undefined {
  const [found, days = '0'] = RELATIVE_DAY.exec(text) ?? []
  return found === undefined ? undefined : addDays(formatDay(now), -Number(days))
}

/** A range whose beginning moves and whose end stays would be empty from some day on. */
function findMixedRanges(raw: ReadonlyMap<string, readonly RawValue[]>): readonly ValidationIssue[] {
  const get = (name: string | undefined) => (name === undefined ? undefined : raw.get(name)?.[0]?.text)
  return DAY_FILTERS.flatMap(({ name, upperEnd }) => {
    const [from, to] = [get(name), get(upperEnd)]
    if (from === undefined || to === undefined || upperEnd === undefined) return []
    if (!RELATIVE_DAY.test(from) || RELATIVE_DAY.test(to)) return []
    const message = `must be relative too, such as today, because ${name} moves with the day`
    return [{ ...createIssue(upperEnd, to, message), message }]
  })
}

/**
 * Only the values of word lists and numbers have one spelling; other texts are shown as the person wrote them. A name
 * with commas must stay a text of its own: the filter reads it as one name if it knows that name.
 */
function listTexts({ schema, isList }: Parameter<unknown>, value: unknown, sent: readonly RawValue[]): string[] {
  const items = schema as { readonly items?: { readonly maxLength?: number } }
  if (isList && Array.isArray(value) && items.items?.maxLength === undefined)
    return [[...new Set(value.map(String))].toSorted().join(',')]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value === 'string' && 'enum' in schema) return [value]
  return sent.map(({ text }) => text.trim())
}

function formatQuery(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':')}`)
    .join('&')
}
