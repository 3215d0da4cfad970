// Finds the CPE names that NVD uses for a product, by the vendor and product that a CNA names (decision E6). CNAs write
// company forms (`Oracle Corporation`), the vendor before the product (`Cisco IOS XE Software`), several products in one
// name (`iOS and iPadOS`), and other vendors than NVD.
import type { CpeName, ProductNames } from '../model/source-data.ts'
import { formatCpeName, toNameKey, toVendorKey } from './product-name-keys.ts'

/** A dictionary that grows: the publisher adds the names that it learns. */
export interface NameDictionary extends ProductNames {
  add(names: Iterable<CpeName>, aliases: Iterable<Alias>): void
}

/** A name that a CNA uses, with the name that NVD uses for the same CVE. */
export interface Alias {
  readonly vendor: string
  readonly product: string
  readonly name: CpeName
}

interface Index {
  readonly byPair: Map<string, CpeName>
  /** Names by product alone; null if NVD uses the product name for several vendors. */
  readonly byProduct: Map<string, CpeName | null>
  /** Names that NVD gave to CVEs whose only product has this vendor and product; null if NVD gave several names. */
  readonly byAlias: Map<string, CpeName | null>
  /** Vendor of NVD by the vendor that CNAs name; null if CNAs use one name for several vendors of NVD. */
  readonly vendors: Map<string, string | null>
}

/** Names that cannot be learnt, because NVD's name has no word in common with the name that CNAs use. */
const WELL_KNOWN: readonly Alias[] = [
  { vendor: 'Apple', product: 'iOS', name: { part: 'o', vendor: 'apple', product: 'iphone_os' } },
  { vendor: 'Linux', product: 'Linux', name: { part: 'o', vendor: 'linux', product: 'linux_kernel' } },
]

/** Results of lookups that are kept until the next names are added. */
const MAX_FOUND = 50_000

export function createNameDictionary(): NameDictionary {
  const index: Index = { byPair: new Map(), byProduct: new Map(), byAlias: new Map(), vendors: new Map() }
  const found = new Map<string, readonly CpeName[] | undefined>()
  for (const { vendor, product, name } of WELL_KNOWN) index.byAlias.set(toAliasKey(vendor, product), name)
  return {
    add(names, aliases) {
      found.clear()
      for (const name of names) addName(index, name)
      for (const alias of aliases) addAlias(index, alias)
    },
    find(vendor, product) {
      if (vendor.length + product.length > MAX_NAME_LENGTH) return undefined
      if (found.size >= MAX_FOUND) found.clear()
      const key = `${vendor}\n${product}`
      if (!found.has(key)) found.set(key, findNames(index, vendor, product))
      return found.get(key)
    },
  }
}

function toAliasKey(vendor: string, product: string): string {
  return `${toVendorKey(vendor)}|${toNameKey(product)}`
}

function addName({ byPair, byProduct }: Index, name: CpeName): void {
  const [vendor, product] = [toNameKey(name.vendor), toNameKey(name.product)]
  const pair = `${vendor}|${product}`
  const known = byPair.get(pair)
  if (known === undefined || isBetterPart(name, known)) byPair.set(pair, name)
  const other = byProduct.get(product)
  if (other === undefined || (other !== null && toNameKey(other.vendor) === vendor))
    byProduct.set(product, byPair.get(pair) ?? name)
  else byProduct.set(product, null)
}

const SYSTEM_ENDINGS = ['firmware', 'os', 'android', 'linux']

/** NVD has some products under two parts by mistake. Firmware and names that end in `os` are operating systems. */
function isBetterPart(name: CpeName, known: CpeName): boolean {
  const isSystem = name.product.includes('windows') || SYSTEM_ENDINGS.some((ending) => name.product.endsWith(ending))
  return name.part === (isSystem ? 'o' : 'a') && known.part !== name.part
}

/** An alias counts only if both product names have a word in common: a CVE can concern another product than it names. */
function addAlias({ byAlias, vendors }: Index, { vendor, product, name }: Alias): void {
  const isSameProduct = dropVendor(toNameKey(product), toVendorKey(vendor)).includes(toNameKey(name.product))
  const isOwnProduct = isSameProduct || isSimilarVendor(toVendorKey(vendor), name.vendor)
  if (!isOwnProduct || !hasCommonWord(product, name.product)) return
  setUnlessAmbiguous(byAlias, toAliasKey(vendor, product), name, isSameName)
  // A vendor alias is learnt only from products whose name is the same, because a CNA can be another company.
  if (isSameProduct) setUnlessAmbiguous(vendors, toVendorKey(vendor), toNameKey(name.vendor), Object.is)
}

function setUnlessAmbiguous<T>(
  map: Map<string, T | null>,
  key: string,
  value: T,
  isSame: (a: T, b: T) => boolean,
): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, value)
  else if (known !== null && !isSame(known, value)) map.set(key, null)
}

const MIN_WORD_LENGTH = 3

function hasCommonWord(a: string, b: string): boolean {
  const words = new Set(splitWords(a))
  return splitWords(b).some((each) => each.length >= MIN_WORD_LENGTH && words.has(each))
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function isSameName(a: CpeName, b: CpeName): boolean {
  return a.vendor === b.vendor && a.product === b.product
}

/** Longer texts are lists or descriptions of products, which have no CPE name. */
export const MAX_NAME_LENGTH = 512

function findNames(index: Index, vendor: string, product: string): readonly CpeName[] | undefined {
  if (product.length > MAX_NAME_LENGTH) return undefined
  const whole = findName(index, vendor, product)
  if (whole !== undefined) return [whole]
  const parts = splitProducts(product)
  if (parts.length < 2) return undefined
  const names = parts.map((part) => findName(index, vendor, part))
  return names.every((each) => each !== undefined) ? dropDuplicates(names) : undefined
}

function dropDuplicates(names: readonly CpeName[]): readonly CpeName[] {
  return [...new Map(names.map((each) => [formatCpeName(each), each])).values()]
}

const MAX_PRODUCTS = 50

/** Splits `iOS and iPadOS` and `MT6761, MT6765` into products. */
function splitProducts(product: string): readonly string[] {
  // regex-bound: a product name has at most MAX_NAME_LENGTH (512) characters here
  const parts = product.split(/\s*(?:,|;|\/|\band\b|&)\s*/).filter((each) => each !== '')
  return parts.length > MAX_PRODUCTS ? [] : parts
}

function findName(index: Index, vendor: string, product: string): CpeName | undefined {
  const alias = index.byAlias.get(toAliasKey(vendor, product))
  if (alias) return alias
  const products = listSpellings(product, toVendorKey(vendor))
  const vendors = [toNameKey(vendor), toVendorKey(vendor), index.vendors.get(toVendorKey(vendor)) ?? '']
  for (const each of vendors)
    for (const spelling of products) {
      const name = index.byPair.get(`${each}|${spelling}`)
      // NVD says that the firmware of a device is vulnerable, not the device.
      const firmware = name?.part === 'h' ? index.byPair.get(`${each}|${spelling}firmware`) : undefined
      if (name !== undefined) return firmware ?? name
    }
  return findUnderSimilarVendor(index, toVendorKey(vendor), products)
}

/**
 * Finds a product whose vendor NVD spells in another way, such as `opensc_project`. A product with the same name of another
 * vendor is another product: NVD knows Citrix Secure Access Client, and Ivanti has a product of this name too.
 */
function findUnderSimilarVendor(
  { byProduct }: Index,
  vendor: string,
  products: readonly string[],
): CpeName | undefined {
  for (const spelling of products) {
    const name = byProduct.get(spelling)
    if (name && (isSimilarVendor(vendor, name.vendor) || isNamedAfterProduct(name))) return name
  }
  return undefined
}

/** Shorter product names are common words, which several projects use. */
const MIN_PROJECT_LENGTH = 8

/** For a project without a company, NVD makes the vendor of the product: `phpmyfaq:phpmyfaq`, `opensc_project:opensc`. */
function isNamedAfterProduct({ vendor, product }: CpeName): boolean {
  const name = toNameKey(product)
  return name.length >= MIN_PROJECT_LENGTH && [name, `${name}project`].includes(toNameKey(vendor))
}

const MIN_VENDOR_LENGTH = 3

/** Returns whether one of the names is the start of the other. `vendor` is a key from toVendorKey. */
function isSimilarVendor(vendor: string, vendorOfNvd: string): boolean {
  const other = toNameKey(vendorOfNvd)
  const isLongEnough = vendor.length >= MIN_VENDOR_LENGTH && other.length >= MIN_VENDOR_LENGTH
  return isLongEnough && (other.startsWith(vendor) || vendor.startsWith(other))
}

// regex-bound: listSpellings accepts at most MAX_NAME_LENGTH (512) characters
const REMARK = /\s*[([][^()[\]]*[)\]]\s*/g
const SUFFIX =
  // regex-bound: listSpellings accepts at most MAX_NAME_LENGTH (512) characters
  /\s+(?:software|firmware|plugin|for wordpress|wordpress plugin|cms|server|application|app|series|(?:ver(?:sion)?\.?\s*)?v?\d[\d.x]*)$/i

/** Lists the spellings of a product, closest first: as written, without the vendor, without remarks and suffixes. */
export function listSpellings(product: string, vendor: string): readonly string[] {
  if (product.length > MAX_NAME_LENGTH) return []
  const plain = product.replaceAll(REMARK, ' ').trim()
  const repository = product.includes('/') ? product.slice(product.lastIndexOf('/') + 1) : product
  const texts = [product, plain, plain.replace(SUFFIX, ''), repository].filter((each) => each !== '')
  const keys = texts.map(toNameKey)
  const spellings = [...keys, ...keys.map((each) => dropVendor(each, vendor))]
  return [...new Set([...spellings, ...spellings.map((each) => `${each}firmware`)])].filter((each) => each !== '')
}

function dropVendor(product: string, vendor: string): string {
  return vendor !== '' && product.startsWith(vendor) && product.length > vendor.length
    ? product.slice(vendor.length)
    : product
}
