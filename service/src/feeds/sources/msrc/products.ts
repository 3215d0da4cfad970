// Parses the products that a Microsoft vulnerability affects and the versions that fix it.
import type { VendorProduct } from '../../../domain/source/vendor-record.ts'
import type { NamedProduct } from './document.ts'
import { type Remediation, VENDOR_FIX, type Vulnerability } from './vulnerability.ts'

type Status = VendorProduct['status']
interface ListedProduct {
  readonly id: string
  readonly status: Status
}
type Definitions = ReadonlyMap<string, NamedProduct>

/**
 * Statuses by CVRF status type: first affected, first fixed, fixed, known affected, known not affected, last affected.
 */
const STATUSES: readonly Status[] = ['affected', 'fixed', 'fixed', 'affected', 'not_affected', 'affected']
const RECOMMENDED_TYPE = 6
/** A version such as `10.0.20348.2655` or `9.0.1145-1`. The member FixedBuild can also be a URL or "Not Applicable". */
const VERSION = /^v?\d[\w.:+~-]{0,100}$/i
/** For Microsoft's Linux distributions, FixedBuild is the version of the package that Description names. */
const LINUX = /mariner|azure linux/i
const MAX_PACKAGE_NAME_LENGTH = 100
/** Microsoft's vulnerabilities of 2026 have a few hundred products at most. */
const MAX_PRODUCTS = 5000

/**
 * Leaves out products that the document does not define. Returns the reason as a string if the vulnerability must be
 * rejected.
 */
export function parseProducts(
  vulnerability: Vulnerability,
  definitions: Definitions,
): readonly VendorProduct[] | string {
  const statuses = parseStatuses(vulnerability)
  if (statuses.size > 0 && definitions.size === 0) return 'its product ids are not defined in the document'
  const fixes = groupFixes(vulnerability)
  const products = new Map<string, VendorProduct>()
  for (const { id, status } of statuses.values()) {
    const found = findProduct(definitions, id)
    for (const each of found ? toVendorProducts(found, status, fixes.get(id) ?? []) : [])
      products.set(JSON.stringify([each.product, each.status, each.fixed, each.cpe]), each)
    if (products.size > MAX_PRODUCTS) return `it lists more than ${MAX_PRODUCTS} products`
  }
  return [...products.values()]
}

function parseStatuses({ ProductStatuses }: Vulnerability): ReadonlyMap<string, ListedProduct> {
  const statuses = new Map<string, ListedProduct>()
  for (const { Type, ProductID } of ProductStatuses ?? []) {
    const status = STATUSES[Type ?? -1] ?? 'affected'
    for (const id of Type === RECOMMENDED_TYPE ? [] : (ProductID ?? [])) statuses.set(`${status} ${id}`, { id, status })
  }
  return statuses
}

interface Fix {
  readonly id: string
  readonly fix: Remediation
}

function groupFixes({ Remediations }: Vulnerability): ReadonlyMap<string, readonly Fix[]> {
  const fixes = (Remediations ?? []).filter(
    ({ Type, FixedBuild }) => Type === VENDOR_FIX && VERSION.test(FixedBuild ?? ''),
  )
  const pairs = fixes.flatMap((fix) => [...new Set(fix.ProductID)].map((id) => ({ id, fix })))
  return Map.groupBy(pairs, ({ id }) => id)
}

/** An undefined id such as `20296-17084` means product 20296 on product 17084. */
function findProduct(definitions: Definitions, id: string): NamedProduct | undefined {
  const [part, whole] = id.split('-').map((each) => definitions.get(each))
  return definitions.get(id) ?? (part && whole ? { name: `${part.name} on ${whole.name}`, cpe: part.cpe } : undefined)
}

function toVendorProducts({ name, cpe }: NamedProduct, status: Status, fixes: readonly Fix[]): VendorProduct[] {
  const unfixed = { vendor: 'Microsoft', product: name, status, cpe, purl: null, introduced: null, last_affected: null }
  // Only an affected product gets a fixed version, because a fixed version suggests that all earlier versions are
  // affected.
  if (status !== 'affected' || fixes.length === 0) return [{ ...unfixed, fixed: null }]
  return fixes.map(({ fix }) => ({ ...unfixed, product: addPackageName(name, fix), fixed: fix.FixedBuild ?? null }))
}

function addPackageName(name: string, { SubType, Description }: Remediation): string {
  const part = LINUX.test(SubType ?? '') ? Description?.Value?.trim().slice(0, MAX_PACKAGE_NAME_LENGTH) : undefined
  return part && !name.includes(part) ? `${part} on ${name}` : name
}
