// CPE matches from products in other words.
import { type CpeParts, cpeOf, formatCpe, type ProductName, parseCpe } from '../domain/cpe.ts'
import { literalValue, textOfValue } from '../domain/cpe-value.ts'
import { ANY_VERSION, type Limits, limitsOf } from './derive-limits.ts'
import type { Affected, CpeMatch } from './statement.ts'

/** From CPE names that stand beside products, with the versions of the product where the name leaves them open. */
export function cpesOf(affected: readonly Affected[]): readonly CpeMatch[] {
  return affected.flatMap((each) => {
    const names = each.cpes.flatMap((text) => parseCpe(text) ?? [])
    const limits = names.length === 0 ? [] : limitsOf(each)
    return names.filter(({ product }) => textOfValue(product) !== undefined).flatMap((name) => within(name, limits))
  })
}

/** A name with a version says which one is meant, unless none of the product is affected at all. */
function within(name: CpeParts, limits: readonly Limits[]): readonly CpeMatch[] {
  const isOpen = textOfValue(name.version) === undefined
  if (!isOpen) return limits.length === 0 ? [] : [matchOf(formatCpe(name), ANY_VERSION)]
  return limits.map((each) => {
    const version = each.version === undefined ? name.version : literalValue(each.version.toLowerCase())
    return matchOf(formatCpe({ ...name, version }), each)
  })
}

/** NVD calls firmware an operating system. */
const FIRMWARE = /\bfirmware\b/i

/** From a vendor, a product and versions. Of what is listed by commits too, the versions count. */
export function deriveMatches(affected: readonly Affected[]): readonly CpeMatch[] {
  const products = Map.groupBy(affected, ({ vendor, product }) => `${vendor}\n${product}`)
  return [...products.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const named = group.flatMap(limitsOf)
    const isByCommitAlone = named.length === 0 && group.some(({ ranges }) => ranges.some((each) => each.isAffected))
    return (isByCommitAlone ? [ANY_VERSION] : named).flatMap((each) => derivedMatch(first, each))
  })
}

function derivedMatch({ vendor, product }: Affected, limits: Limits): readonly CpeMatch[] {
  const criteria = cpeOf({ ...nameOf(vendor, product), version: limits.version ?? '' })
  return criteria === undefined ? [] : [matchOf(criteria, limits)]
}

/** Only what is so common that whoever matches by CPE would miss thousands of CVEs. */
function nameOf(vendor: string, product: string): ProductName {
  if (/^linux$/i.test(vendor) && /^linux(?: kernel)?$/i.test(product))
    return { part: 'o', vendor: 'linux', product: 'linux_kernel' }
  return { part: FIRMWARE.test(product) ? 'o' : 'a', vendor, product }
}

function matchOf(criteria: string, limits: Limits): CpeMatch {
  return { vulnerable: true, criteria, ...limits.between }
}
