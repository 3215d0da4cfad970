// Reads the products that a CSAF statement names by their positions in the document's list.
import { isTrueIn, type JsonObject, numbersIn, objectIn, textIn } from '../json.ts'

export interface NamedProduct {
  /** The document's full name of the product. */
  readonly name: string
  readonly vendor: string
  readonly product: string
  /** A version, or the text of a range. */
  readonly version: string | null
  readonly cpe: string | null
  readonly purl: string | null
  readonly isUndefined: boolean
  /** The product that contains this one, or on which it is installed. */
  readonly within?: NamedProduct
}

/** Known documents combine a package, a module and a product. */
const MAX_DEPTH = 10

export function readProductList(record: JsonObject) {
  const products = objectIn(record, 'products')
  const read = new Map<number, NamedProduct>()
  const find = (position: number): NamedProduct => {
    const known = read.get(position) ?? readProduct(objectIn(products, String(position)), 0)
    read.set(position, known)
    return known
  }
  return {
    /** Lists the products in the member `products`. */
    list: (object: JsonObject): readonly NamedProduct[] => numbersIn(object, 'products').map(find),
    find,
  }
}

function readProduct(object: JsonObject, depth: number): NamedProduct {
  const name = textIn(object, 'name') ?? ''
  const within = object['within'] === undefined || depth >= MAX_DEPTH ? undefined : objectIn(object, 'within')
  return {
    name,
    vendor: textIn(object, 'vendor') ?? '',
    product: textIn(object, 'product') ?? name,
    version: textIn(object, 'version'),
    cpe: textIn(object, 'cpe'),
    purl: textIn(object, 'purl'),
    isUndefined: isTrueIn(object, 'is_undefined'),
    ...(within && { within: readProduct(within, depth + 1) }),
  }
}
