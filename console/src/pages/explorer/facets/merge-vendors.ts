// The service's suggestions in the form that the page shows.
import type { Suggestion } from 'vis-sdk'

export interface SuggestedName {
  readonly value: string
  /** Vendors of a product, or the title of a weakness or technique. */
  readonly note: string
  readonly count: number
}

/** Merges products with the same name into one suggestion, because the filter finds the products of all vendors. */
export function mergeVendors(suggestions: readonly Suggestion[]): readonly SuggestedName[] {
  const byValue = Map.groupBy(suggestions, ({ value }) => value)
  return [...byValue].map(([value, same]) => ({
    value,
    note: same[0]?.title ?? same.flatMap(({ vendor }) => vendor ?? []).join(', '),
    count: same.reduce((sum, { count }) => sum + count, 0),
  }))
}
