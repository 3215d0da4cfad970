// The values of a facet, in page order.

import { type FacetName, listFixedValues } from '../../../text/search/facet-specs.ts'
import { isOneItem } from '../../../text/search/filters.ts'
import { nestExploited } from '../../../text/search/maturities.ts'
import type { FacetCounts } from './read-facet.ts'

interface ListedValue {
  readonly value: string
  /** Undefined if the number is unknown. */
  readonly count: number | undefined
}

/** Lists fixed values in table order, years newest first, and other values by frequency. */
export function listValues(
  name: FacetName,
  counted: FacetCounts['values'] | undefined,
  chosen: readonly string[],
): readonly ListedValue[] {
  const fixed = listFixedValues(name)
  if (fixed) {
    const counts = new Map(counted?.map(({ value, count }) => [value, count]))
    const listed = Object.keys(fixed).map((value) => ({ value, count: counted && (counts.get(value) ?? 0) }))
    return name === 'exploit_maturity' ? nestExploited(listed) : listed
  }
  // A filter that separates names with commas cannot contain every name with a comma.
  const values = (counted ?? []).filter(({ value }) => name === 'year' || isOneItem(name, value))
  const isListed = (value: string) => values.some((each) => each.value === value)
  const unlisted = chosen.filter((value) => !isListed(value)).map((value) => ({ value, count: undefined }))
  const all = [...unlisted, ...values]
  return name === 'year' ? all.toSorted((a, b) => b.value.localeCompare(a.value, 'en')) : all
}
