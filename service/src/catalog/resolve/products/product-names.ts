// Finds NVD's CPE names for the vendor and product that a CNA names (decision E6). CNAs add legal forms (`Oracle
// Corporation`), write the vendor before the product (`Cisco IOS XE Software`) or several products in one name (`iOS
// and iPadOS`), and use different vendor names from NVD.
import type { CpeName, FoundName, ProductNames } from '../../model/source-data.ts'
import { countSample } from './cve-sample.ts'
import { dropLegalForm, formatCpeName, toNameKey, toVendorKey } from './product-name-keys.ts'
import { dropVendor, listSpellings, MAX_NAME_LENGTH, REPOSITORY } from './product-spellings.ts'
import { type NameWithVersion, splitVersion } from './version-in-name.ts'

/** The dictionary grows: the publisher adds the names that it learns. */
export interface NameDictionary extends ProductNames {
  add(names: Iterable<LearntName>, aliases: Iterable<Alias>): void
}

/** An NVD name with a bit set that counts its CVEs (cve-sample.ts). */
interface LearntName extends CpeName {
  readonly cveSample?: number
}

/** A CNA's name, with NVD's name in the same CVEs. */
export interface Alias {
  readonly vendor: string
  readonly product: string
  readonly name: CpeName
  readonly cveSample?: number
}

interface Index {
  /** Names by vendor and product, with the part that NVD uses for most CVEs. */
  readonly byPair: Map<string, CpeName>
  readonly samples: Map<string, number>
  /** Names by product alone; null if NVD uses the product name for several vendors. */
  readonly byProduct: Map<string, CpeName | null>
  /** NVD's names in CVEs whose only product has this vendor and product. */
  readonly byAlias: Map<string, AliasNames>
  /** NVD's vendor name by the CNAs' vendor name; null if CNAs use one name for several of NVD's vendors. */
  readonly vendors: Map<string, string | null>
  /** The most used spelling of each of NVD's vendors. */
  readonly vendorsOfNvd: Map<string, string>
  /** Samples of the CVEs by vendor, as NVD spells it. */
  readonly vendorSamples: Map<string, number>
}

type AliasNames = Map<string, { readonly name: CpeName; readonly sample: number }>

/** These aliases cannot be learnt, because NVD's name has no word in common with the CNAs' name. */
const WELL_KNOWN: readonly Alias[] = [
  { vendor: 'Apple', product: 'iOS', name: { part: 'o', vendor: 'apple', product: 'iphone_os' } },
  { vendor: 'Linux', product: 'Linux', name: { part: 'o', vendor: 'linux', product: 'linux_kernel' } },
]

/** Maximum number of lookups that are kept until more names are added. */
const MAX_FOUND = 50_000

export function createNameDictionary(): NameDictionary {
  const index: Index = {
    byPair: new Map(),
    samples: new Map(),
    byProduct: new Map(),
    byAlias: new Map(),
    vendors: new Map(),
    vendorsOfNvd: new Map(),
    vendorSamples: new Map(),
  }
  const found = new Map<string, readonly FoundName[] | undefined>()
  for (const alias of WELL_KNOWN) setAlias(index, { ...alias, cveSample: ALL_CVES })
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
    findVendor(companyName) {
      if (companyName.length > MAX_NAME_LENGTH) return undefined
      const plain = dropLegalForm(companyName)
      return plain === companyName ? undefined : index.vendorsOfNvd.get(toNameKey(plain))
    },
  }
}

function toAliasKey(vendor: string, product: string): string {
  return `${toVendorKey(vendor)}|${toNameKey(product)}`
}

/** Sample for a name whose CVEs are not known. */
const ONE_CVE = 1
const ALL_CVES = -1

function addName(index: Index, name: LearntName): void {
  const { byPair, byProduct, samples } = index
  const [vendor, product] = [toNameKey(name.vendor), toNameKey(name.product)]
  const formatted = formatCpeName(name)
  samples.set(formatted, (samples.get(formatted) ?? 0) | (name.cveSample ?? ONE_CVE))
  addVendor(index, vendor, name)
  const pair = `${vendor}|${product}`
  const known = byPair.get(pair)
  if (known === undefined || isBetterName(index, name, known)) byPair.set(pair, name)
  const other = byProduct.get(product)
  if (other === undefined || (other !== null && toNameKey(other.vendor) === vendor))
    byProduct.set(product, byPair.get(pair) ?? name)
  else byProduct.set(product, null)
}

/** On a tie between spellings, text order decides. */
function addVendor(
  { vendorsOfNvd, vendorSamples }: Index,
  key: string,
  { vendor, cveSample = ONE_CVE }: LearntName,
): void {
  vendorSamples.set(vendor, (vendorSamples.get(vendor) ?? 0) | cveSample)
  const known = vendorsOfNvd.get(key)
  const count = (spelling: string) => countSample(vendorSamples.get(spelling) ?? 0)
  const difference = known === undefined ? 1 : count(vendor) - count(known)
  if (known === undefined || difference > 0 || (difference === 0 && vendor < known)) vendorsOfNvd.set(key, vendor)
}

const SYSTEM_ENDINGS = ['firmware', 'os', 'android', 'linux']

/**
 * NVD lists some products under two parts or spellings by mistake. The name with more CVEs is better. On a tie between
 * spellings, text order decides, so that the order of additions does not matter. On a tie between parts, firmware and
 * names that end in `os` are operating systems.
 */
function isBetterName({ samples }: Index, name: CpeName, known: CpeName): boolean {
  const count = (each: CpeName) => countSample(samples.get(formatCpeName(each)) ?? 0)
  const difference = count(name) - count(known)
  if (name.part === known.part) return difference === 0 ? formatCpeName(name) < formatCpeName(known) : difference > 0
  if (name.part === 'h' || known.part === 'h') return known.part === 'h'
  if (difference !== 0) return difference > 0
  const isSystem = name.product.includes('windows') || SYSTEM_ENDINGS.some((ending) => name.product.endsWith(ending))
  return name.part === (isSystem ? 'o' : 'a')
}

function addAlias(index: Index, alias: Alias): void {
  const { vendor, product, name } = alias
  if (!isOfSameVendor(vendor, product, name)) return
  setAlias(index, alias)
  // A CNA can be a different company, so vendor aliases are learnt only from products with the same name.
  if (hasProductName(vendor, product, name))
    setUnlessAmbiguous(index.vendors, toVendorKey(vendor), toNameKey(name.vendor), Object.is)
}

function setAlias({ byAlias }: Index, { vendor, product, name, cveSample = ONE_CVE }: Alias): void {
  const key = toAliasKey(vendor, product)
  const names: AliasNames = byAlias.get(key) ?? new Map()
  const pair = `${name.vendor}|${name.product}`
  names.set(pair, { name, sample: (names.get(pair)?.sample ?? 0) | cveSample })
  byAlias.set(key, names)
}

/**
 * A CVE can concern a different product from the one that the CNA names, so the product names must have a word in
 * common.
 */
export function mayBeSameProduct(vendor: string, product: string, name: CpeName): boolean {
  return isOfSameVendor(vendor, product, name) && hasCommonWord(product, name.product)
}

export function isOfSameVendor(vendor: string, product: string, name: CpeName): boolean {
  return hasProductName(vendor, product, name) || isSimilarVendor(toVendorKey(vendor), name.vendor)
}

function hasProductName(vendor: string, product: string, name: CpeName): boolean {
  return dropVendor(toNameKey(product), toVendorKey(vendor)).includes(toNameKey(name.product))
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

function hasAllWords(product: string, productOfNvd: string): boolean {
  const key = toNameKey(product)
  return hasCommonWord(product, productOfNvd) && splitWords(productOfNvd).every((each) => key.includes(each))
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function findNames(index: Index, vendor: string, product: string): readonly FoundName[] | undefined {
  const whole = findName(index, vendor, product)
  const parts = whole !== undefined && REPOSITORY.test(product) ? [] : splitProducts(product)
  const names = parts.length < 2 ? [] : parts.map((part) => findName(index, vendor, part))
  const listed = names.every((each) => each !== undefined) ? dropDuplicates(names) : []
  // If NVD names only one of the listed products in most CVEs, its name is learnt for the whole list.
  if (whole !== undefined) return listed.some((each) => isSameName(each, whole)) ? listed : [whole]
  return listed.length === 0 ? undefined : listed
}

function isSameName(a: CpeName, b: CpeName): boolean {
  return formatCpeName(a) === formatCpeName(b)
}

function dropDuplicates(names: readonly FoundName[]): readonly FoundName[] {
  return [...new Map(names.map((each) => [`${formatCpeName(each)}:${each.version}:${each.update}`, each])).values()]
}

const MAX_PRODUCTS = 50

/** Splits names such as `iOS and iPadOS` or `MT6761, MT6765`. Long texts and long lists are not split. */
export function splitProducts(product: string): readonly string[] {
  if (product.length > MAX_NAME_LENGTH) return [product]
  // regex-bound: a product name has at most MAX_NAME_LENGTH (512) characters here
  const parts = product.split(/\s*(?:,|;|\/|\band\b|&)\s*/).filter((each) => each !== '')
  return parts.length > MAX_PRODUCTS ? [product] : parts
}

/** A product may end with a version: the CNA's `Cisco IOS XE Software 16.11.1` is NVD's `ios_xe`. */
function findName(index: Index, vendor: string, product: string): FoundName | undefined {
  const splits = splitVersion(product)
  const whole = findByAlias(index, vendor, product)
  if (whole !== undefined) return withVersion(whole, splits.at(-1))
  const named = findByPair(index, vendor, product)
  if (named !== undefined) return named
  for (const split of splits) {
    const name = findByAlias(index, vendor, split.name) ?? findByPair(index, vendor, split.name)
    if (name !== undefined) return withVersion(name, split)
  }
  const similar = findUnderSimilarVendor(index, vendor, product)
  if (similar !== undefined) return similar
  for (const split of splits) {
    const name = findUnderSimilarVendor(index, vendor, split.name)
    if (name !== undefined) return withVersion(name, split)
  }
  return undefined
}

/** Adds the version unless it is already part of NVD's name, as in `windows_server_2019`. */
function withVersion(name: CpeName, split: NameWithVersion | undefined): FoundName {
  const words = splitWords(name.product)
  if (split === undefined || splitWords(split.version).every((each) => words.includes(each))) return name
  const { version, update } = split
  return update === undefined ? { ...name, version } : { ...name, version, update }
}

/** An alias is ambiguous if its second most frequent name has more than this fraction of the CVEs of the first. */
const MAX_SHARE = 0.5
/** Number of CVEs that an alias needs if NVD's name has words that the CNA's name lacks. */
const MIN_CVES = 4
/** The same number if the two names have no word in common, such as `Samsung Mobile Devices` and `android`. */
const MIN_CVES_WITHOUT_WORD = 8

/**
 * Finds the name that NVD uses for most other CVEs of the product. Names with few CVEs do not count: NVD has entered
 * some CVEs under a wrong vendor, such as `oracle:cisco_ios_xe_software`, or under a related product.
 */
function findByAlias(index: Index, vendor: string, product: string): CpeName | undefined {
  const names = [...(index.byAlias.get(toAliasKey(vendor, product))?.values() ?? [])]
  const [best, second] = names
    .map(({ name, sample }) => ({ name, count: countSample(sample) }))
    .sort((a, b) => b.count - a.count)
  if (best === undefined || (second !== undefined && second.count > best.count * MAX_SHARE)) return undefined
  const { name, count } = best
  const minCves = hasCommonWord(product, name.product) ? MIN_CVES : MIN_CVES_WITHOUT_WORD
  const isCertain = count >= minCves || hasAllWords(product, name.product)
  if (!isCertain || !isTrustedVendor(index, vendor, product, name)) return undefined
  return index.byPair.get(`${toNameKey(name.vendor)}|${toNameKey(name.product)}`) ?? name
}

/**
 * If NVD uses the CNA's vendor name, a name under another vendor counts only if the product begins with that vendor's
 * name, as in Broadcom's `VMware ESXi`.
 */
function isTrustedVendor({ vendorsOfNvd }: Index, vendor: string, product: string, name: CpeName): boolean {
  const key = toVendorKey(vendor)
  if (isSimilarVendor(key, name.vendor)) return true
  const isKnown = vendorsOfNvd.has(key) || vendorsOfNvd.has(toNameKey(vendor))
  return !isKnown || toNameKey(product).startsWith(toNameKey(name.vendor))
}

function findByPair(index: Index, vendor: string, product: string): CpeName | undefined {
  const key = toVendorKey(vendor)
  // A vendor that NVD lists under this name needs no alias.
  const alias = index.vendorsOfNvd.has(key) ? '' : (index.vendors.get(key) ?? '')
  const inProduct = findVendorInProduct(index, key, product)
  const name = findPair(index, [toNameKey(vendor), key, alias], listSpellings(product, key))
  if (name !== undefined || inProduct === undefined) return name
  return findPair(index, [inProduct], listSpellings(product, inProduct))
}

function findPair(index: Index, vendors: readonly string[], products: readonly string[]): CpeName | undefined {
  const { byPair } = index
  for (const vendor of vendors) {
    const product = products.find((each) => byPair.has(`${vendor}|${each}`))
    if (product === undefined) continue
    const name = findMostUsed(index, vendor, [product, ...listEquivalents(product, vendor)])
    // NVD lists a device's firmware as vulnerable, not the device.
    return name?.part === 'h' ? (byPair.get(`${vendor}|${product}firmware`) ?? name) : name
  }
  return undefined
}

/**
 * NVD lists `esxi` and, by mistake, `vmware_esxi`, or `ios_xr` and `ios_xr_software`: the name with the most CVEs wins.
 */
function findMostUsed({ byPair, samples }: Index, vendor: string, products: readonly string[]): CpeName | undefined {
  const names = products.flatMap((each) => byPair.get(`${vendor}|${each}`) ?? [])
  const count = (name: CpeName) => countSample(samples.get(formatCpeName(name)) ?? 0)
  return names.reduce<CpeName | undefined>((a, b) => (a === undefined || count(b) > count(a) ? b : a), undefined)
}

const SOFTWARE = 'software'

function listEquivalents(product: string, vendor: string): readonly string[] {
  const short = dropVendor(product, vendor)
  const isSoftware = short.endsWith(SOFTWARE) && short.length > SOFTWARE.length
  return isSoftware ? [short, short.slice(0, -SOFTWARE.length)] : [short]
}

/**
 * A CNA that gives no vendor, or only part of its name, often puts the vendor before the product, such as SUSE's
 * `openSUSE Leap`.
 */
function findVendorInProduct({ vendorsOfNvd }: Index, vendor: string, product: string): string | undefined {
  const first = toNameKey(product.slice(0, product.indexOf(' ') + 1))
  return first.length > vendor.length && first.endsWith(vendor) && vendorsOfNvd.has(first) ? first : undefined
}

/**
 * NVD may spell the vendor differently, such as `opensc_project`. The same product name under an unrelated vendor is a
 * different product: both Citrix and Ivanti have a Secure Access Client.
 */
function findUnderSimilarVendor({ byProduct }: Index, vendor: string, product: string): CpeName | undefined {
  const key = toVendorKey(vendor)
  for (const spelling of listSpellings(product, key)) {
    const name = byProduct.get(spelling)
    if (name && (isSimilarVendor(key, name.vendor) || isNamedAfterProduct(name))) return name
  }
  return undefined
}

/** Shorter names are common words that several projects use. */
const MIN_PROJECT_LENGTH = 8

/** If a project has no company, NVD names the vendor after it: `phpmyfaq:phpmyfaq`, `opensc_project:opensc`. */
function isNamedAfterProduct({ vendor, product }: CpeName): boolean {
  const name = toNameKey(product)
  return name.length >= MIN_PROJECT_LENGTH && [name, `${name}project`].includes(toNameKey(vendor))
}

const MIN_VENDOR_LENGTH = 3

/** True if one name is the start of the other. `vendor` is a key from toVendorKey. */
function isSimilarVendor(vendor: string, vendorOfNvd: string): boolean {
  const other = toNameKey(vendorOfNvd)
  const isLongEnough = vendor.length >= MIN_VENDOR_LENGTH && other.length >= MIN_VENDOR_LENGTH
  return isLongEnough && (other.startsWith(vendor) || vendor.startsWith(other))
}
