// The facets of the list: the values in a search, with the number of CVEs for each. Selecting a value sets the facet's
// filter.
import type { Facet, NameKind } from 'vis-sdk'
import { toDisplayName } from '../display-name.ts'
import { nameTechnique } from '../technique-names.ts'
import { nameWeakness } from '../weakness-names.ts'
import { FILTERS, type FilterName } from './filters.ts'

/** The facet `source` has no filter that every plan may use. */
export type FacetName = Exclude<Facet, 'source'>

interface FacetSpec {
  readonly title: string
  /** Words for the CVEs without a value. They are counted, but only a few facets have a filter that finds them. */
  readonly none: string
  /** Filters that the facet sets. Its counts ignore them, because further values of the facet would be alternatives. */
  readonly filters: readonly FilterName[]
  /** Type of names that the service suggests for the facet. */
  readonly names?: { readonly kind: NameKind; readonly label: string }
}

export const FACETS: Readonly<Record<FacetName, FacetSpec>> = {
  priority: { title: 'Level', none: 'No level: rejected', filters: ['priority'] },
  severity: { title: 'Severity', none: 'No score, or 0.0', filters: ['severity'] },
  kev: { title: 'KEV catalog', none: 'Not stated', filters: ['kev'] },
  exploit_maturity: { title: 'Exploitation', none: 'Not stated', filters: ['exploit_maturity'] },
  product_vendor: {
    title: 'Vendor',
    none: 'No vendor named',
    filters: ['product_vendor'],
    names: { kind: 'vendor', label: 'Find a vendor' },
  },
  product: {
    title: 'Product',
    none: 'No product named',
    filters: ['product'],
    names: { kind: 'product', label: 'Find a product' },
  },
  cwe: {
    title: 'Weakness',
    none: 'No weakness named',
    filters: ['cwe'],
    names: { kind: 'cwe', label: 'Find a weakness' },
  },
  year: { title: 'Published', none: 'Day not stated', filters: ['published_after', 'published_before'] },
  attack_vector: { title: 'Attack vector', none: 'Not stated', filters: ['attack_vector'] },
  technique: {
    title: 'Technique',
    none: 'No technique mapped',
    filters: ['technique'],
    names: { kind: 'technique', label: 'Find a technique' },
  },
  assigner: {
    title: 'Assigned by',
    none: 'Not stated',
    filters: ['assigner'],
    names: { kind: 'assigner', label: 'Find an assigner' },
  },
  status: { title: 'Status in NVD', none: 'Not stated', filters: ['status'] },
}

// The cast is safe: the keys of the table are the names of the facets.
export const FACET_NAMES = Object.keys(FACETS) as readonly FacetName[]

const KEV_VALUES = { true: 'In CISA KEV', false: 'Not in CISA KEV' } as const

/**
 * Returns all values of a facet with their labels, or undefined if the values are names that only the service knows.
 */
export function listFixedValues(name: FacetName): Readonly<Record<string, string>> | undefined {
  if (name === 'kev') return KEV_VALUES
  if (name === 'year') return undefined
  const spec = FILTERS[name]
  return spec.kind === 'choices' || spec.kind === 'choice' ? spec.options : undefined
}

/** Returns the label of a facet or filter value. */
export function describeValue(name: FacetName, value: string): string {
  switch (name) {
    case 'cwe':
      return withName(value, nameWeakness(value))
    case 'technique':
      return withName(value, nameTechnique(value))
    case 'product':
    case 'product_vendor':
      return toDisplayName(value)
    case 'exploit_maturity':
      // Shown below "Exploited", which contains it.
      return value === 'ransomware' ? 'Of these, by ransomware' : (listFixedValues(name)?.[value] ?? value)
    default:
      return listFixedValues(name)?.[value] ?? value
  }
}

function withName(id: string, name: string | undefined): string {
  return name === undefined ? id : `${id} ${name}`
}
