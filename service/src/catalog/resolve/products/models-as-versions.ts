// Finds models that a CNA lists as versions of a family: Qualcomm names `Snapdragon` as the product and chips such as
// `FastConnect 7800` as its versions, while NVD has a name for the firmware of each chip.
import type { Affected } from '../../model/claim.ts'
import type { FoundName, ProductNames } from '../../model/source-data.ts'

const HAS_WORD = /[a-z]{2}/i
/**
 * The search stops after this many versions if none is a model. Cisco lists thousands of versions such as 12.2(33)SRE.
 */
const MAX_UNKNOWN = 5

export interface Models {
  readonly names: readonly FoundName[]
  /** Models for which NVD has no name, in the CNA's words. */
  readonly unknown: readonly string[]
}

/** Returns undefined unless NVD lists most of the versions as firmware or hardware from the vendor. */
export function findModels({ vendor, ranges }: Affected, productNames: ProductNames | undefined): Models | undefined {
  const affected = ranges.filter((each) => each.isAffected)
  const [first] = affected
  if (productNames === undefined || !HAS_WORD.test(first?.version ?? '')) return undefined
  const names: FoundName[] = []
  const unknown: string[] = []
  for (const { version, lessThan, lessThanOrEqual } of affected) {
    if (version === null || lessThan !== null || lessThanOrEqual !== null) return undefined
    const found = productNames.find(vendor, version)?.filter(isModel) ?? []
    names.push(...found)
    if (found.length === 0) unknown.push(version)
    if (names.length === 0 && unknown.length >= MAX_UNKNOWN) return undefined
  }
  return names.length > unknown.length ? { names, unknown } : undefined
}

/** Excludes names found by dropping the number at the end: `FastConnect 7800` is not a version of `fastconnect`. */
function isModel({ part, product, version }: FoundName): boolean {
  return version === undefined && (part === 'h' || (part === 'o' && product.endsWith('_firmware')))
}
