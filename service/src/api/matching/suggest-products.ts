// Products with a similar name, for components whose product the catalog does not know.
import type { Database } from '../../database/postgres.ts'
import { suggestNames } from '../search/names/suggest-names.ts'
import type { MatchedComponent } from './match.ts'

/** Maximum number of components for which similar names are looked up, because each of them takes a statement. */
const MAX_COMPONENTS = 10
const MAX_SUGGESTIONS = 3
const MIN_LENGTH = 3

interface SuggestedProduct {
  readonly vendor: string
  readonly product: string
}

export async function suggestProducts(
  db: Database,
  matched: readonly MatchedComponent[],
): Promise<ReadonlyMap<MatchedComponent, readonly SuggestedProduct[]>> {
  const suggestions = new Map<MatchedComponent, readonly SuggestedProduct[]>()
  const unknown = matched.filter(
    ({ verdict, component: { kind, product } }) =>
      verdict === 'unknown_product' && kind === 'cpe' && product.length >= MIN_LENGTH,
  )
  for (const each of unknown.slice(0, MAX_COMPONENTS)) {
    const names = await suggestNames(db, { kind: 'product', text: each.component.product, limit: MAX_SUGGESTIONS })
    const products = names.flatMap(({ value, vendor }) => (vendor === null ? [] : [{ vendor, product: value }]))
    if (products.length > 0) suggestions.set(each, products)
  }
  return suggestions
}
