// The fixed versions of a record, grouped by product: what to upgrade to, which named fixes are doubted, and which
// belong to products that only contain the affected one.
import type { Cve } from 'vis-sdk'
import { canMean, displayName, isSameProduct } from './product-name.ts'
import { compareVersions } from './version-order.ts'

export type Fix = NonNullable<Cve['fixes']>[number]

export interface FixGroup {
  /** Display name of the product or package; empty if no source says of which product the version is. */
  readonly name: string
  readonly vendor: string
  readonly product: string
  /** Fixed versions that no source contradicts, oldest first. */
  readonly versions: readonly string[]
  /** Whether the service read every version from a text. */
  readonly isDerived: boolean
  readonly fixes: readonly Fix[]
}

interface NamedFixes {
  /** Products that the CVE is about: the product in KEV first, and those without an undisputed version last. */
  readonly groups: readonly FixGroup[]
  /** Fixed packages and products that may only contain the affected product, such as those of distributions. */
  readonly downstream: readonly Fix[]
  readonly commits: readonly Fix[]
  /** Number of fixes that the record leaves out. */
  readonly omitted: number
}

export function groupFixes({ fixes = [], fixes_omitted = 0, kev }: Pick<Cve, 'fixes' | 'fixes_omitted' | 'kev'>) {
  const own = fixes.filter(({ downstream, is_commit }) => downstream !== true && !is_commit)
  const known = [kev?.product ?? '', ...fixes.map(({ product }) => product)]
  const groups: Fix[][] = []
  for (const fix of own) {
    const group = groups.find(([first]) => first !== undefined && isSameGroup(first, fix))
    if (group) group.push(fix)
    else groups.push([fix])
  }
  const named = groups.map((group) => toGroup(group, known))
  const isListed = ({ product }: FixGroup) => kev?.product !== undefined && canMean(kev.product, product)
  const rank = (group: FixGroup) => (group.versions.length === 0 ? 2 : 0) + (isListed(group) ? 0 : 1)
  return {
    groups: named.toSorted((a, b) => rank(a) - rank(b)),
    downstream: fixes.filter(({ downstream }) => downstream === true),
    commits: fixes.filter(({ downstream, is_commit }) => downstream !== true && is_commit),
    omitted: fixes_omitted,
  } satisfies NamedFixes
}

/** Packages are the same only if their purls are. */
function isSameGroup(one: Fix, other: Fix): boolean {
  if (one.package_url !== null || other.package_url !== null) return one.package_url === other.package_url
  return isSameProduct(one, other) && one.package_name === other.package_name
}

function toGroup(fixes: readonly Fix[], known: readonly string[]): FixGroup {
  const [first] = fixes
  const undisputed = fixes.filter(({ doubted }) => doubted !== true)
  const { vendor = '', product = '', package_url = null, package_name } = first ?? {}
  const name = displayName(product, known, package_url !== null)
  return {
    name: package_name === undefined ? name : `${package_name} of ${name}`,
    vendor,
    product,
    versions: listDistinct(undisputed.map(({ version }) => version)),
    isDerived: undisputed.length > 0 && undisputed.every(({ derived }) => derived === true),
    fixes,
  }
}

/** Sources write one version differently: 115.39 is 115.39.0. */
function listDistinct(versions: readonly string[]): readonly string[] {
  const sorted = versions.toSorted(compareVersions)
  return sorted.filter((version, index) => index === 0 || compareVersions(sorted[index - 1] ?? '', version) !== 0)
}
