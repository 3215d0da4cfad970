// Finds CPE names that contradict the product name beside them: Microsoft gives some entries for `Windows 10 Version
// 2004` the CPE name of version 1809, which has an entry of its own with other fixed builds.
import { unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import type { Affected } from '../../model/claim.ts'
import type { CpeName, ProductNames } from '../../model/source-data.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'

export interface CheckedNames {
  /** The entries with the CPE names that do not contradict their products. */
  readonly stated: readonly Affected[]
  /** The entries of which every CPE name does: their product names count instead. */
  readonly renamed: readonly Affected[]
}

/** A CPE name is wrong if the entry of another release bears its name, and the dictionary has another for this entry. */
export function checkCpes(affected: readonly Affected[], productNames: ProductNames | undefined): CheckedNames {
  const entries = affected.map((entry) => ({ entry, own: findOwnName(entry, productNames) }))
  const owned = new Set(entries.flatMap(({ own }) => (own === undefined ? [] : [toKey(own)])))
  if (owned.size < 2) return { stated: affected, renamed: [] }
  const checked = entries.map(({ entry, own }) => {
    const cpes = own === undefined ? entry.cpes : entry.cpes.filter((cpe) => !isOfOtherRelease(cpe, own, owned))
    return cpes.length === entry.cpes.length ? entry : { ...entry, cpes }
  })
  const isRenamed = (each: Affected, index: number) => each.cpes.length === 0 && affected[index]?.cpes.length !== 0
  return {
    stated: checked.filter((each, index) => !isRenamed(each, index)),
    renamed: checked.filter(isRenamed),
  }
}

/** Only a name with a release, such as `Windows 10 Version 1809`, can be confused with that of another release. */
function findOwnName({ vendor, product, cpes }: Affected, productNames?: ProductNames): CpeName | undefined {
  if (cpes.length === 0 || !/\d/.test(product)) return undefined
  const [name, ...others] = productNames?.find(vendor, product) ?? []
  return name === undefined || others.length > 0 || !/\d/.test(name.product) ? undefined : name
}

function isOfOtherRelease(cpe: string, own: CpeName, owned: ReadonlySet<string>): boolean {
  const parsed = parseCpeCached(cpe)
  if (parsed === undefined) return false
  const [vendor, product] = [unescapeCpeValue(parsed.vendor) ?? '', unescapeCpeValue(parsed.product) ?? '']
  const key = toKey({ part: parsed.part, vendor, product })
  return key !== toKey(own) && owned.has(key) && dropRelease(key) === dropRelease(toKey(own))
}

function toKey({ vendor, product }: CpeName): string {
  return `${unescapeCpeValue(vendor) ?? vendor}:${unescapeCpeValue(product) ?? product}`.toLowerCase()
}

/** `windows_10_1909` and `windows_10_20h2` are releases of the same product. */
function dropRelease(key: string): string {
  return key.replaceAll(/\d[a-z\d]*/g, '')
}
