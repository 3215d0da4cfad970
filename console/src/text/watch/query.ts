// The search of a watch, in the words of the list of CVEs.
import { describeFilter, nameFilter } from '../search/describe-filters.ts'
import { FILTER_NAMES, type FilterName, normaliseFilter } from '../search/filters.ts'

/** Days such as `today-7d`, which the list does not know. */
const RELATIVE_DAY = /^today(?:-(\d{1,4})d)?$/

/** Describes each filter of a stored query: `Level: P0 act now, P1 this week`. An empty query finds every CVE. */
export function describeQuery(query: string): readonly string[] {
  const values = new URLSearchParams(query)
  const known = FILTER_NAMES.flatMap((name) => {
    const text = readPart(values, name)
    return text === undefined ? [] : [describePart(name, text)]
  })
  return known.length === 0 ? ['every CVE'] : known
}

/** A list is one text with commas, or a parameter for each item. */
function readPart(values: URLSearchParams, name: string): string | undefined {
  const texts = values.getAll(name)
  return texts.length === 0 ? undefined : texts.join(',')
}

function describePart(name: FilterName, text: string): string {
  const days = RELATIVE_DAY.exec(text)
  if (days) return describeFilter(name, days[1] === undefined ? 'today' : `${days[1]} days before the change`)
  return describeFilter(name, normaliseFilter(name, text) ?? text)
}

/** Describes the named filters of a query, such as those that did not hold. */
export function describeNamed(names: readonly string[], query: string): readonly string[] {
  const values = new URLSearchParams(query)
  return names.map((name) => {
    const known = FILTER_NAMES.find((each) => each === name)
    const text = readPart(values, name)
    if (known === undefined) return name
    return text === undefined ? nameFilter(known) : describePart(known, text)
  })
}

const MAX_NAME_LENGTH = 100

/** Suggests a name for a watch: its filters. */
export function suggestWatchName(query: string): string {
  const name = describeQuery(query).join('; ')
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
}
