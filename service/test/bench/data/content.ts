// What a record says, apart from the form in which NVD or the CVE List says it: both say the same.
import { drawOne, valueAt } from './draw.ts'
import { drawMatches, drawProduct, type Match, type Product } from './products.ts'
import { drawRatings, type MadeRating } from './ratings.ts'
import type { RecordFacts } from './record-facts.ts'
import { PERCENTILES, REFERENCE_TAGS, WEAKNESSES } from './shape.ts'
import { describe } from './text.ts'

export interface Content {
  readonly product: Product
  readonly description: string
  readonly ratings: readonly MadeRating[]
  readonly weakness: string
  readonly matches: readonly (readonly Match[])[]
  readonly references: readonly Reference[]
}

interface Reference {
  readonly url: string
  readonly source: string
  readonly tags?: readonly string[]
}

const REJECTION = 'This candidate was withdrawn by its numbering authority, and is not to be used.'

export function contentOf(facts: RecordFacts): Content {
  const dice = facts.dice('content')
  const product = drawProduct(dice)
  const weakness = drawOne(dice, WEAKNESSES)
  if (facts.status === 'Rejected')
    return { product, description: REJECTION, ratings: [], weakness, matches: [], references: [] }
  const characters = Math.round(valueAt(PERCENTILES.descriptionCharacters, dice.share()))
  return {
    product,
    description: describe(dice, `${product.name} of ${product.vendor}`, characters),
    ratings: drawRatings(dice, facts.era),
    weakness,
    matches: drawMatches(dice, product),
    references: referencesOf(facts, product),
  }
}

function referencesOf({ cveId, dice }: RecordFacts, { vendor, name }: Product): readonly Reference[] {
  const own = dice('references')
  const count = Math.round(valueAt(PERCENTILES.references, own.share()))
  return Array.from({ length: count }, (_, place) => {
    const tag = drawOne(own, REFERENCE_TAGS)
    const host = place === 0 ? `security.${vendor}.example` : `list${own.below(400)}.example`
    return {
      url: `https://${host}/${name}/advisories/${cveId.toLowerCase()}/${place}`,
      source: `security@${vendor}.example`,
      ...(tag !== '' && { tags: [tag] }),
    }
  })
}
