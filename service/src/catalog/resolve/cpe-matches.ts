// CPE matches from products in other words.
import { type CpeParts, cpeOf, formatCpe, type ProductName, parseCpe } from '../../domain/cpe.ts'
import { ANY, literalValue, textOfValue } from '../../domain/cpe-value.ts'
import type { Affected, CpeMatch } from '../model/claim.ts'
import { ANY_VERSION, type Limits, limitsOf } from './version-ranges.ts'

/** From CPE names that stand beside products, with the versions of the product where the name leaves them open. */
export function cpesOf(affected: readonly Affected[]): readonly CpeMatch[] {
  const matches = affected.flatMap((each) => {
    const names = each.cpes.flatMap((text) => parseCpe(text) ?? [])
    const limits = names.length === 0 ? [] : limitsOf(each)
    return names.filter(({ product }) => textOfValue(product) !== undefined).flatMap((name) => within(name, limits))
  })
  // Several names may have been made from the same ranges.
  return [...new Map(matches.map((each) => [JSON.stringify(each), each])).values()]
}

/**
 * A name with a version says which one is meant, unless none of the product is affected at all. Where that version is an
 * end of a range beside it, the name was made from the range, and all of it is meant.
 */
function within(name: CpeParts, limits: readonly Limits[]): readonly CpeMatch[] {
  const said = textOfValue(name.version)
  if (said === undefined) return limits.map((each) => limited(name, each))
  if (limits.some((each) => isEnd(said, each))) {
    const open = { ...name, version: ANY, update: ANY }
    return limits.map((each) => limited(open, each))
  }
  return limits.length === 0 ? [] : [matchOf(formatCpe(name), ANY_VERSION)]
}

function limited(name: CpeParts, limits: Limits): CpeMatch {
  const open = limits.between === undefined ? name.version : ANY
  const version = limits.version === undefined ? open : literalValue(limits.version.toLowerCase())
  return matchOf(formatCpe({ ...name, version }), limits)
}

function isEnd(version: string, { between }: Limits): boolean {
  return between !== undefined && Object.values(between).some((each) => each.toLowerCase() === version)
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
    const isByCommitAlone = named.length === 0 && group.every(({ ranges }) => ranges.some((each) => each.isAffected))
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
