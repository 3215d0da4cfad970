// Builds CPE matches from affected products: from the CPE names that are given with a product, or from the product's
// vendor and product name.
import { buildCpe, type CpeParts, formatCpe, type ProductName, parseCpe } from '../../domain/cpe.ts'
import { ANY, escapeCpeValue, unescapeCpeValue } from '../../domain/cpe-value.ts'
import type { Affected, CpeMatch } from '../model/claim.ts'
import { ANY_VERSION, toVersionLimits, type VersionLimits } from './version-ranges.ts'

/**
 * Builds CPE matches from the CPE names of affected products. A CPE name without a version gets the version limits of
 * its product.
 */
export function toCpeMatches(affected: readonly Affected[]): readonly CpeMatch[] {
  const matches = affected.flatMap((each) => {
    const names = each.cpes.flatMap((text) => parseCpe(text) ?? [])
    const limits = names.length === 0 ? [] : toVersionLimits(each)
    return names
      .filter(({ product }) => unescapeCpeValue(product) !== undefined)
      .flatMap((name) => applyLimits(name, limits))
  })
  // Several CPE names of one product can lead to equal CPE matches, so duplicates are removed.
  return [...new Map(matches.map((each) => [JSON.stringify(each), each])).values()]
}

/**
 * Applies the version limits of a product to a CPE name. A CPE name without a version gets these limits. A CPE name
 * with a version usually matches only that version, or nothing if no version of the product is affected. Exception: if
 * the version is an end of one of the product's ranges, the CNA derived the CPE name from the range, and the matches
 * cover the ranges.
 */
function applyLimits(name: CpeParts, limits: readonly VersionLimits[]): readonly CpeMatch[] {
  const version = unescapeCpeValue(name.version)
  if (version === undefined) return limits.map((each) => buildLimitedMatch(name, each))
  if (limits.some((each) => isEnd(version, each))) {
    const open = { ...name, version: ANY, update: ANY }
    return limits.map((each) => buildLimitedMatch(open, each))
  }
  return limits.length === 0 ? [] : [buildMatch(formatCpe(name), ANY_VERSION)]
}

function buildLimitedMatch(name: CpeParts, limits: VersionLimits): CpeMatch {
  const open = limits.between === undefined ? name.version : ANY
  const version = limits.version === undefined ? open : escapeCpeValue(limits.version.toLowerCase())
  return buildMatch(formatCpe({ ...name, version }), limits)
}

function isEnd(version: string, { between }: VersionLimits): boolean {
  return between !== undefined && Object.values(between).some((each) => each.toLowerCase() === version)
}

/**
 * Matches product names that contain the word firmware. In CPE names of firmware, NVD uses the part `o` (operating
 * system).
 */
const FIRMWARE = /\bfirmware\b/i

/**
 * Derives CPE matches from the vendor, product and versions of affected products. If a source gives versions and
 * commits of a product, only the versions lead to matches. If a source gives only commits, the product gets one match
 * for any version.
 */
export function deriveMatches(affected: readonly Affected[]): readonly CpeMatch[] {
  const products = Map.groupBy(affected, ({ vendor, product }) => `${vendor}\n${product}`)
  return [...products.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const named = group.flatMap(toVersionLimits)
    const isByCommitAlone = named.length === 0 && group.every(({ ranges }) => ranges.some((each) => each.isAffected))
    return (isByCommitAlone ? [ANY_VERSION] : named).flatMap((each) => deriveMatch(first, each))
  })
}

function deriveMatch({ vendor, product }: Affected, limits: VersionLimits): readonly CpeMatch[] {
  const criteria = buildCpe({ ...toProductName(vendor, product), version: limits.version ?? '' })
  return criteria === undefined ? [] : [buildMatch(criteria, limits)]
}

/**
 * Maps the Linux kernel to the product name that NVD uses. Without the mapping, a search by CPE would miss thousands of
 * CVEs.
 */
function toProductName(vendor: string, product: string): ProductName {
  if (/^linux$/i.test(vendor) && /^linux(?: kernel)?$/i.test(product))
    return { part: 'o', vendor: 'linux', product: 'linux_kernel' }
  return { part: FIRMWARE.test(product) ? 'o' : 'a', vendor, product }
}

function buildMatch(criteria: string, limits: VersionLimits): CpeMatch {
  return { vulnerable: true, criteria, ...limits.between }
}
