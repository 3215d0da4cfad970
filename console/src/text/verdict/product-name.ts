// Display names of products. Some sources name a product as in CPE (`palo_alto_networks`), which is no name for a
// sentence.

import { toDisplayName } from '../display-name.ts'

export interface NamedProduct {
  readonly vendor: string
  readonly product: string
}

/** Makes names from different sources comparable: "PAN-OS", "pan-os" and "pan_os" are the same. */
function normalise(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

/** CPE spelling has neither upper-case letters nor blanks. The names of packages, such as `log4j:log4j`, have colons. */
const CPE_SPELLING = /^[a-z\d_.!+-]+$/

/**
 * Returns the name of a product as people write it: as one of the known names writes it, or else by
 * the rules for CPE spelling. The name of a package is left as it is, because its spelling is exact.
 */
export function displayName(name: string, known: readonly string[], isPackage = false): string {
  if (isPackage || !CPE_SPELLING.test(name)) return name
  const spelled = known.find((each) => normalise(each) === normalise(name) && !CPE_SPELLING.test(each))
  if (spelled !== undefined) return spelled
  return toDisplayName(name)
}

/** Whether two sources mean the same product, whichever way they spell it and with or without the vendor in front. */
export function isSameProduct(one: NamedProduct, other: NamedProduct): boolean {
  const [a, b] = [normalise(one.product), normalise(other.product)]
  return a === b || a === normalise(other.vendor) + b || b === normalise(one.vendor) + a
}

/** Shorter names, such as "AI", occur inside of other names by chance. */
const MIN_CONTAINED_LENGTH = 4

/** Whether a catalog's name for people, such as "Log4j2", can mean the product that a source names. */
export function canMean(catalogName: string, product: string): boolean {
  const [a, b] = [normalise(catalogName), normalise(product)]
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short === long || (short.length >= MIN_CONTAINED_LENGTH && long.includes(short))
}
