import type { Affected, AffectedRange } from '../../model/claim.ts'

/**
 * The Linux kernel's CNA writes that a stable branch is affected from one of its versions to its end (`6.1.101`, less
 * than `6.2`), and lists the fixed versions of all branches as unaffected. The end of such a range is the first version
 * of the next branch, which may be affected too, unless it is listed as unaffected.
 */
export function markBranchEnds(affected: readonly Affected[]): readonly Affected[] {
  const kernels = affected.filter(isKernel)
  if (kernels.length === 0) return affected
  const fixed = new Set(kernels.flatMap(({ ranges }) => ranges.flatMap(readUnaffected)))
  const isBranchEnd = ({ isAffected, version, lessThan }: AffectedRange) =>
    isAffected && version !== null && lessThan !== null && !fixed.has(lessThan) && isNextBranch(version, lessThan)
  return affected.map((product) =>
    isKernel(product)
      ? { ...product, ranges: product.ranges.map((each) => (isBranchEnd(each) ? { ...each, endsBranch: true } : each)) }
      : product,
  )
}

function isKernel({ vendor, product }: Affected): boolean {
  return vendor.toLowerCase() === 'linux' && product.toLowerCase() === 'linux'
}

function readUnaffected({ isAffected, version }: AffectedRange): readonly string[] {
  return isAffected || version === null ? [] : [version]
}

const NUMBERS = /^\d{1,4}(?:\.\d{1,5}){1,3}$/

/** True for 6.1.101 and 6.2, and for 5.19.17 and 6.0. */
function isNextBranch(version: string, next: string): boolean {
  if (!NUMBERS.test(version) || !NUMBERS.test(next)) return false
  const branch = version.split('.').map(Number).slice(0, -1)
  const following = next.split('.').map(Number)
  const [major = 0] = branch
  return isSame(following, [...branch.slice(0, -1), (branch.at(-1) ?? 0) + 1]) || isSame(following, [major + 1, 0])
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
