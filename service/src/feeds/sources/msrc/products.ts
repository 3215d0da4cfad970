// Which products a vulnerability is in, and from which version on it is not.
import type { VendorProduct } from '../../../domain/vendor-record.ts'
import type { NamedProduct } from './document.ts'
import { type Remediation, VENDOR_FIX, type Vulnerability } from './vulnerability.ts'

type Status = VendorProduct['status']
interface Listed {
  readonly id: string
  readonly status: Status
}
type Named = ReadonlyMap<string, NamedProduct>

/** CVRF's words in their order: first affected, first fixed, fixed, known affected, known not affected, last affected. */
const STATUSES: readonly Status[] = ['affected', 'fixed', 'fixed', 'affected', 'not_affected', 'affected']
const RECOMMENDED = 6
/** `10.0.20348.2655`, `9.0.1145-1`. It has been an address, too, and "Not Applicable". */
const VERSION = /^v?\d[\w.:+~-]{0,100}$/i
/** Microsoft's Linux: there a version is one of a package, and the package is where an update's number is otherwise. */
const LINUX = /mariner|azure linux/i
const MAX_PACKAGE_NAME_LENGTH = 100
/** No vulnerability of 2026 has more than some hundreds. */
const MAX_PRODUCTS = 5000

/** Those that the document explains; each once for every version that it is fixed in. Text: why there are none. */
export function productsOf(said: Vulnerability, named: Named): readonly VendorProduct[] | string {
  const statuses = statusesOf(said)
  if (statuses.size > 0 && named.size === 0) return 'it names products by numbers that the document does not explain'
  const fixes = fixesOf(said)
  const products = new Map<string, VendorProduct>()
  for (const { id, status } of statuses.values()) {
    const found = find(named, id)
    for (const each of found ? entries(found, status, fixes.get(id) ?? []) : [])
      products.set(JSON.stringify([each.product, each.status, each.fixed, each.cpe]), each)
    if (products.size > MAX_PRODUCTS) return `it names more than ${MAX_PRODUCTS} products`
  }
  return [...products.values()]
}

function statusesOf({ ProductStatuses }: Vulnerability): ReadonlyMap<string, Listed> {
  const statuses = new Map<string, Listed>()
  for (const { Type, ProductID } of ProductStatuses ?? []) {
    // What is listed at all is affected unless it says otherwise.
    const status = STATUSES[Type ?? -1] ?? 'affected'
    for (const id of Type === RECOMMENDED ? [] : (ProductID ?? [])) statuses.set(`${status} ${id}`, { id, status })
  }
  return statuses
}

interface Fix {
  readonly id: string
  readonly fix: Remediation
}

/** By the product that they are for. */
function fixesOf({ Remediations }: Vulnerability): ReadonlyMap<string, readonly Fix[]> {
  const fixes = (Remediations ?? []).filter(
    ({ Type, FixedBuild }) => Type === VENDOR_FIX && VERSION.test(FixedBuild ?? ''),
  )
  const pairs = fixes.flatMap((fix) => [...new Set(fix.ProductID)].map((id) => ({ id, fix })))
  return Map.groupBy(pairs, ({ id }) => id)
}

/** A part of a product has the number `20296-17084` where it has none of its own: this one on that one. */
function find(named: Named, id: string): NamedProduct | undefined {
  const [part, whole] = id.split('-').map((each) => named.get(each))
  return named.get(id) ?? (part && whole ? { name: `${part.name} on ${whole.name}`, cpe: part.cpe } : undefined)
}

function entries({ name, cpe }: NamedProduct, status: Status, fixes: readonly Fix[]): VendorProduct[] {
  const unfixed = { vendor: 'Microsoft', product: name, status, cpe, purl: null, introduced: null, last_affected: null }
  // Of a product that is fixed or not affected, a version would say the contrary.
  if (status !== 'affected' || fixes.length === 0) return [{ ...unfixed, fixed: null }]
  return fixes.map(({ fix }) => ({ ...unfixed, product: fixedProduct(name, fix), fixed: fix.FixedBuild ?? null }))
}

function fixedProduct(name: string, { SubType, Description }: Remediation): string {
  const part = LINUX.test(SubType ?? '') ? Description?.Value?.trim().slice(0, MAX_PACKAGE_NAME_LENGTH) : undefined
  return part && !name.includes(part) ? `${part} on ${name}` : name
}
