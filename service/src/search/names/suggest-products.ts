// Suggests products with a similar name, for components whose product is not in the catalog.
import type { Database } from '../../database/postgres.ts'
import type { Component } from '../../domain/component/component.ts'
import type { CoverageGap } from '../../domain/match-words.ts'
import { suggestNames } from './suggest-names.ts'

/** Maximum number of components for which similar names are looked up: each takes one statement. */
export const MAX_SUGGESTED = 10
const MAX_SUGGESTIONS = 3
const MIN_LENGTH = 3

export interface SuggestedProduct {
  readonly vendor: string
  readonly product: string
}

/** How many more components of an answer may have similar names looked up. */
export interface SuggestionState {
  left: number
}

/** A component, and why the sources do not cover it. */
interface Judged {
  readonly component: Component
  readonly gap: CoverageGap | undefined
}

export async function suggestProducts<T extends Judged>(
  db: Database,
  judged: readonly T[],
  state: SuggestionState,
): Promise<ReadonlyMap<T, readonly SuggestedProduct[]>> {
  const suggestions = new Map<T, readonly SuggestedProduct[]>()
  const unknown = judged.filter((each) => each.gap === 'unknown_product' && hasSuggestions(each.component))
  for (const each of unknown.slice(0, state.left)) {
    state.left -= 1
    const products = await suggestForProduct(db, each.component)
    if (products.length > 0) suggestions.set(each, products)
  }
  return suggestions
}

/** Returns no products for a package or for a name that is too short to compare. */
export async function suggestForProduct(db: Database, component: Component): Promise<readonly SuggestedProduct[]> {
  if (!hasSuggestions(component)) return []
  const names = await suggestNames(db, { kind: 'product', text: component.product, limit: MAX_SUGGESTIONS })
  return names.flatMap(({ value, vendor }) => (vendor === null ? [] : [{ vendor, product: value }]))
}

const hasSuggestions = ({ kind, product }: Component) => kind === 'cpe' && product.length >= MIN_LENGTH
