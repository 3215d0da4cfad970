// Products with equal version ranges, which the page shows once: a CVE can name hundreds of models with one firmware.
import type { ProductVersions } from './product-versions.ts'

export interface ProductGroup {
  /** The first product of the group, whose ranges are those of all. */
  readonly product: ProductVersions
  readonly others: readonly ProductVersions[]
}

/** Groups are in the order of their first products. A product without any range is alone: nothing of it is equal. */
export function groupEqualRanges(products: readonly ProductVersions[]): readonly ProductGroup[] {
  const groups = Map.groupBy(products, (product) => (product.ranges.length === 0 ? product.key : describe(product)))
  return [...groups.values()].flatMap(([product, ...others]) => (product === undefined ? [] : [{ product, others }]))
}

function describe({ kind, isVulnerable, isAffectedByDefault, ranges, fixes, packageUrl }: ProductVersions): string {
  const texts = ranges.map((range) => JSON.stringify(range)).sort()
  const versions = fixes.map(({ version, source }) => `${version} ${source}`).sort()
  // Package URLs name packages exactly, so packages are never joined.
  return JSON.stringify([kind, isVulnerable, isAffectedByDefault, texts, versions, packageUrl ?? null])
}
