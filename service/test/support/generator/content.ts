// Generates the content of a CVE record. The NVD file and the CVE List file contain the same content in different
// formats.
import { drawOne, getValueAt } from './draw.ts'
import type { GeneratedRecord } from './generated-records.ts'
import { drawMatches, drawProduct, type Match, type Product } from './products.ts'
import { drawRatings, type GeneratedRating } from './ratings.ts'
import { PERCENTILES, REFERENCE_TAGS, WEAKNESSES } from './shape.ts'
import { generateDescription } from './text.ts'

export interface Content {
  readonly product: Product
  readonly description: string
  readonly ratings: readonly GeneratedRating[]
  readonly weakness: string
  readonly matches: readonly (readonly Match[])[]
  readonly references: readonly Reference[]
}

interface Reference {
  readonly url: string
  readonly source: string
  readonly tags?: readonly string[]
}

const REJECTION = 'This CVE was rejected by its numbering authority and must not be used.'

export function generateContent(record: GeneratedRecord): Content {
  const dice = record.dice('content')
  const product = drawProduct(dice)
  const weakness = drawOne(dice, WEAKNESSES)
  if (record.status === 'Rejected')
    return { product, description: REJECTION, ratings: [], weakness, matches: [], references: [] }
  const maxLength = Math.round(getValueAt(PERCENTILES.descriptionCharacters, dice.share()))
  return {
    product,
    description: generateDescription(dice, `${product.name} of ${product.vendor}`, maxLength),
    ratings: drawRatings(dice, record.era),
    weakness,
    matches: drawMatches(dice, product),
    references: generateReferences(record, product),
  }
}

function generateReferences({ cveId, dice }: GeneratedRecord, { vendor, name }: Product): readonly Reference[] {
  const random = dice('references')
  const count = Math.round(getValueAt(PERCENTILES.references, random.share()))
  return Array.from({ length: count }, (_, index) => {
    const tag = drawOne(random, REFERENCE_TAGS)
    const host = index === 0 ? `security.${vendor}.example` : `list${random.below(400)}.example`
    return {
      url: `https://${host}/${name}/advisories/${cveId.toLowerCase()}/${index}`,
      source: `security@${vendor}.example`,
      ...(tag !== '' && { tags: [tag] }),
    }
  })
}
