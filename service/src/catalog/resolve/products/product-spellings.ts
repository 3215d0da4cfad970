// Lists the spellings under which NVD may list the product that a CNA names.
import { toNameKey, toVendorKey } from './product-name-keys.ts'
import { splitVersion } from './version-in-name.ts'

/** Longer texts are lists or descriptions, which have no CPE name. */
export const MAX_NAME_LENGTH = 512

// regex-bound: listSpellings accepts at most MAX_NAME_LENGTH (512) characters
const REMARK = /\s*[([][^()[\]]*[)\]]\s*/g
const SUFFIX =
  // regex-bound: listSpellings accepts at most MAX_NAME_LENGTH (512) characters
  /\s+(?:software|firmware|plugin|for wordpress|wordpress plugin|cms|server|application|app|series)$/i

/** NVD writes `windows_10_1809` for `Windows 10 Version 1809`. */
const VERSION_LABEL = /\bversion\b/gi
/** `owner/repository`. Other products with a slash are lists. */
export const REPOSITORY = /^[^\s/]+\/[^\s/]+$/

/** Lists the closest spelling first: as written, then without the vendor, then without remarks and suffixes. */
export function listSpellings(product: string, vendor: string): readonly string[] {
  if (product.length > MAX_NAME_LENGTH) return []
  const plain = product.replaceAll(REMARK, ' ').trim()
  const repository = REPOSITORY.test(product) ? product.slice(product.lastIndexOf('/') + 1) : product
  const withoutLabel = plain.replaceAll(VERSION_LABEL, '')
  const texts = [product, plain, withoutLabel, plain.replace(SUFFIX, ''), repository].filter((each) => each !== '')
  const keys = texts.map(toNameKey)
  const spellings = [...keys, ...keys.map((each) => dropVendor(each, vendor))]
  return [...new Set([...spellings, ...spellings.map((each) => `${each}firmware`)])].filter((each) => each !== '')
}

/** Lists the keys under which NVD may list the product. */
export function listProductKeys(vendor: string, product: string): readonly string[] {
  const key = toVendorKey(vendor)
  const names = [product, ...splitVersion(product).map(({ name }) => name)]
  return names.flatMap((each) => listSpellings(each, key))
}

export function dropVendor(product: string, vendor: string): string {
  return vendor !== '' && product.startsWith(vendor) && product.length > vendor.length
    ? product.slice(vendor.length)
    : product
}
