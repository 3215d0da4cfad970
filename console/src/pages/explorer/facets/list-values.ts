// The values of a facet in the order of the page.
import type { FacetCounts } from './read-facet.ts'
import { type FacetName, listFixedValues } from './specs.ts'

interface ListedValue {
  readonly value: string
  /** Undefined if the number is not known. */
  readonly count: number | undefined
}

/** Lists fixed values in the order of their table, years from the newest on, and other values by their frequency. */
export function listValues(
  name: FacetName,
  counted: FacetCounts['values'] | undefined,
  chosen: readonly string[],
): readonly ListedValue[] {
  const fixed = listFixedValues(name)
  if (fixed) {
    const counts = new Map(counted?.map(({ value, count }) => [value, count]))
    return Object.keys(fixed).map((value) => ({ value, count: counted && (counts.get(value) ?? 0) }))
  }
  // The filter separates names by commas, so it cannot name one that contains a comma.
  const values = (counted ?? []).filter(({ value }) => !value.includes(','))
  const isListed = (value: string) => values.some((each) => each.value === value)
  const unlisted = chosen.filter((value) => !isListed(value)).map((value) => ({ value, count: undefined }))
  const all = [...unlisted, ...values]
  return name === 'year' ? all.toSorted((a, b) => b.value.localeCompare(a.value, 'en')) : all
}
