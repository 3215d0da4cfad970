// Text about filters of a search: the labels of chips, and notes on CVEs that a filter or a default excludes.
import { formatProbability } from '../format.ts'
import { describeValue, FACETS, type FacetName, listFixedValues } from './facet-specs.ts'
import { FILTER_NAMES, FILTERS, type FilterName, type FilterValues, splitItems } from './filters.ts'
import { describeMaturities } from './maturities.ts'

interface Filtered {
  readonly filters: FilterValues
}

/** Returns the label of a filter's chip, in the words of its facet: `Severity: Critical, High`. */
export function describeFilter(name: FilterName, value: string): string {
  const spec = FILTERS[name]
  const title = nameFilter(name)
  switch (spec.kind) {
    case 'flag':
      return (isFacet(name) && listFixedValues(name)?.[value]) || spec.texts[value === 'true' ? 0 : 1]
    case 'choice':
    case 'choices':
      return `${title}: ${describeChoices(name, spec.options, value.split(','))}`
    case 'percent':
      return `${spec.label} ${formatProbability(Number(value))}`
    case 'number':
    case 'date':
    case 'day':
      return `${spec.label} ${value}`
    case 'ids': {
      const ids = value.split(',')
      return ids.length === 1 ? `id: ${value}` : `${ids.length} chosen CVEs`
    }
    case 'list': {
      const items = splitItems(name, value).map((each) => (isFacet(name) ? describeValue(name, each) : each))
      return `${title}: ${items.length === 1 ? items[0] : items.map(quoteComma).join(', ')}`
    }
    case 'text':
      return `${spec.label}: ${value}`
  }
}

/** Returns the name of a filter, as its facet is called: `Level`. */
export function nameFilter(name: FilterName): string {
  return isFacet(name) ? FACETS[name].title : FILTERS[name].label
}

function describeChoices(name: FilterName, words: Readonly<Record<string, string>>, chosen: readonly string[]): string {
  if (name === 'exploit_maturity') return describeMaturities(chosen, words)
  return chosen.map((each) => words[each] ?? each).join(', ')
}

/** Keeps a name with a comma apart from the other names. */
function quoteComma(item: string): string {
  return item.includes(',') ? `“${item}”` : item
}

function isFacet(name: FilterName): name is FilterName & FacetName {
  return Object.hasOwn(FACETS, name)
}

export function listActiveFilters({ filters }: Filtered): readonly FilterName[] {
  return FILTER_NAMES.filter((name) => filters[name] !== undefined)
}

/** Returns sentences about CVEs that the filters exclude because they lack a value. Those without a score are counted (omitted-line.tsx). */
export function describeOmissions({ filters }: Filtered): readonly string[] {
  const byComponent = filters.cpe ?? filters.purl
  const byEpss = ['epss_min', 'epss_max', 'epss_percentile_min'] as const
  return [
    ...(byComponent === undefined
      ? []
      : ['Uncertain CVEs of the component are left out. An empty list does not mean that it is not affected.']),
    ...(byEpss.some((name) => filters[name] !== undefined) ? ['CVEs without an EPSS value are left out.'] : []),
  ]
}
