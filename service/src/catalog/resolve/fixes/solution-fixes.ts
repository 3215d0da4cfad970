// Reads fixed versions from CNAs' texts about solutions, where a line names a product of the record, as in `Upgrade to
// Example Router version 2.4.1 or above`.
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { Affected, Claim, Provider } from '../../model/claim.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { listSolutionStatements } from '../../sources/prose/find-solution-statements.ts'
import { containsWords } from '../products/words.ts'
import { toVersionLimits } from '../versions/version-ranges.ts'

export interface SolutionFix {
  readonly affected: Affected
  readonly version: string
  /** Start of the affected range before the version. */
  readonly start: string | null
}

/**
 * Per affected range, keeps the lowest version after it: a text also names later releases. A version that does not
 * follow an affected range of the product is left out.
 */
export function readSolutionFixes(
  { source, affected, solutions = [] }: Claim,
  isOwnProduct: (product: Affected) => boolean,
): readonly SolutionFix[] {
  // Vendors' comments in NVD's record are not solutions.
  if (source !== 'cve' || solutions.length === 0) return []
  const products = affected.filter(isOwnProduct)
  const found = solutions.flatMap(({ text, by }) =>
    text.split(END_OF_LINE).flatMap((line) => readLine(line, by, products)),
  )
  return found.filter(
    (each) => !found.some((other) => isSameRange(each, other) && isBefore(other.version, each.version)),
  )
}

const END_OF_LINE = /\n|(?<=[.;!?])\s/

function readLine(line: string, by: Provider, products: readonly Affected[]): readonly SolutionFix[] {
  const product = findProduct(
    line,
    products.filter((each) => each.by === by),
  )
  if (product === undefined) return []
  const statements = [...listSolutionStatements(line), ...listFixStatements(line)]
  const versions = new Set(statements.map(({ version }) => version))
  return [...versions].flatMap((version) => {
    const range = findRangeBefore(version, product)
    return range === undefined ? [] : [{ affected: product, version, start: range.start }]
  })
}

/** Returns undefined if the line names several products. */
function findProduct(line: string, products: readonly Affected[]): Affected | undefined {
  const named = products.filter(({ product }) => containsWords(line, product))
  const [longest] = named.toSorted((a, b) => b.product.length - a.product.length)
  return named.every(({ product }) => containsWords(longest?.product ?? '', product)) ? longest : undefined
}

interface Range {
  readonly start: string | null
  readonly end: string
}

/** Returns undefined if the version is affected, or if its place among the ranges is not known. */
function findRangeBefore(version: string, product: Affected): Range | undefined {
  let nearest: Range | undefined
  for (const { version: only, between, isUnknown } of toVersionLimits(product)) {
    const end = only ?? between?.versionEndIncluding ?? between?.versionEndExcluding
    if (isUnknown || end === undefined) return undefined
    const start = only ?? between?.versionStartIncluding ?? null
    const isAfter =
      isBefore(end, version) || (end === between?.versionEndExcluding && compareVersions(end, version) === 0)
    if (isAfter && (nearest === undefined || isBefore(nearest.end, end))) nearest = { start, end }
    if (!isAfter && (start === null || !isBefore(version, start))) return undefined
  }
  return nearest
}

function isSameRange(a: SolutionFix, b: SolutionFix): boolean {
  return a.affected === b.affected && a.start === b.start
}

function isBefore(version: string, later: string): boolean {
  return (compareVersions(version, later) ?? 1) < 0
}
