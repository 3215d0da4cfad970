// Finds versions in ADP containers that the CNA lists as unaffected. CISA-ADP has copied about 50 lists of fixed versions
// as lists of affected ones.
import { compareVersions } from '../../../domain/version/version-order.ts'
import type { Affected, AffectedRange } from '../../model/claim.ts'
import type { UnaffectedVersions } from '../../model/conclusion.ts'
import { isAdp } from '../../sources/provider.ts'
import { toVersionKey } from '../fixes/affected-ends.ts'
import { toNameKey } from '../products/product-name-keys.ts'
import { isAffectedAtAll } from '../versions/version-ranges.ts'

interface UnaffectedRange {
  readonly product: Affected
  readonly start: string
  readonly end: string
}

interface UnaffectedOfCna {
  readonly products: readonly Affected[]
  readonly byStart: ReadonlyMap<string, readonly UnaffectedRange[]>
}

/** `stated`: the products in CVE List and NVD records. */
export function findContradicted(
  products: readonly Affected[],
  stated: readonly Affected[],
): readonly UnaffectedVersions[] {
  const unaffected = collectUnaffected(stated)
  if (unaffected === undefined) return []
  return products.flatMap((product) => concludeAbout(product, unaffected) ?? [])
}

/** Returns undefined if no CNA lists an unaffected version. */
function collectUnaffected(stated: readonly Affected[]): UnaffectedOfCna | undefined {
  const products = stated.filter(({ by }) => !isAdp(by))
  const ranges = products.flatMap((product) =>
    product.ranges.filter(isUnaffectedVersion).map((range) => ({ product, ...toEnds(range) })),
  )
  return ranges.length === 0 ? undefined : { products, byStart: Map.groupBy(ranges, ({ start }) => start) }
}

function isUnaffectedVersion({ isAffected, isCommit }: AffectedRange): boolean {
  return !isAffected && !isCommit
}

/** If the CNA lists only fixed versions, and only the ADP says that the product is affected, other versions may be. */
function concludeAbout(product: Affected, unaffected: UnaffectedOfCna): UnaffectedVersions | undefined {
  const found = findContradictions(product, unaffected)
  const listedBy = [...new Set(found.flatMap((each) => each?.by ?? []))]
  if (listedBy.length === 0) return undefined
  const ranges = product.ranges.filter((_, at) => found[at] !== undefined)
  const isAffectedElsewhere =
    product.ranges.some((each, at) => each.isAffected && found[at] === undefined) ||
    unaffected.products.some((each) => !each.isDistribution && isAffectedAtAll(each))
  return {
    kind: 'unaffected',
    product: { ...product, ranges },
    against: [product.by],
    listedBy,
    mayAffectOthers: !isAffectedElsewhere,
  }
}

/** For each range: the CNA's product for which the range is called unaffected. */
type Contradictions = readonly (Affected | undefined)[]

function findContradictions({ product, ranges }: Affected, { products, byStart }: UnaffectedOfCna): Contradictions {
  const same = ranges.map((range) => findSame(range, byStart))
  if (same.every((each) => each.length === 0)) return []
  const own = readOwnProducts(product, products)
  return ranges.map((range, at) =>
    isCalledAffected(toEnds(range), own)
      ? undefined
      : same[at]?.find((each) => own.products.has(each.product))?.product,
  )
}

function findSame(range: AffectedRange, byStart: UnaffectedOfCna['byStart']): readonly UnaffectedRange[] {
  if (!range.isAffected || range.isCommit) return []
  const { start, end } = toEnds(range)
  return byStart.get(start)?.filter((each) => isSameEnd(start, end, each.end)) ?? []
}

interface OwnProducts {
  /** The CNA's products with the same name, or all of its products if it does not use the name. */
  readonly products: ReadonlySet<Affected>
  readonly isNamed: boolean
  /** Single affected versions; there can be thousands. */
  readonly singles: ReadonlySet<string>
  readonly ranges: readonly AffectedRange[]
}

function readOwnProducts(name: string, products: readonly Affected[]): OwnProducts {
  const named = products.filter(({ product }) => toNameKey(product) === toNameKey(name))
  const own = named.length > 0 ? named : products
  const affected = own.flatMap(({ ranges }) => ranges.filter((each) => each.isAffected && !each.isCommit))
  const isSingle = ({ version, lessThan, lessThanOrEqual }: AffectedRange) =>
    version !== null && !ALL.test(version) && lessThan === null && lessThanOrEqual === null
  return {
    products: new Set(own),
    isNamed: named.length > 0,
    singles: new Set(affected.filter(isSingle).map((each) => toEnds(each).start)),
    ranges: affected.filter((each) => !isSingle(each)),
  }
}

/**
 * The CNA also calls the start affected. Some CNAs write `unaffected` for all versions before the fixed one and list no
 * affected version: then a range from the first version counts as affected. So does a range of all versions, unless the
 * CNA names the same product.
 */
function isCalledAffected({ start, end }: Ends, { isNamed, singles, ranges }: OwnProducts): boolean {
  if (start === FIRST && (end === OPEN ? !isNamed : singles.size + ranges.length === 0)) return true
  return singles.has(start) || ranges.some((each) => contains(each, start))
}

type Ends = Pick<UnaffectedRange, 'start' | 'end'>

const FIRST = '0'
const OPEN = '*'
const ALL = /^(?:0|\*|all(?: versions)?)$/i

/** A single version or a range without an end is compared by its start: that version itself is unaffected. */
function isSameEnd(start: string, end: string, unaffectedEnd: string): boolean {
  if (start === FIRST) return end === unaffectedEnd
  return end === start || end === OPEN || end === unaffectedEnd
}

/** `5.10.*` and `5.10*` end at `5.10`. A single version ends at itself. */
function toEnds({ version, lessThan, lessThanOrEqual }: AffectedRange): Ends {
  const isFirst = version === null || ALL.test(version)
  const start = isFirst ? FIRST : toVersionKey(version)
  const last = lessThan ?? lessThanOrEqual ?? (isFirst ? OPEN : version)
  return { start, end: last === OPEN ? OPEN : toVersionKey(last).replace(/\.?\*$/, '') }
}

/** A version whose order is unknown counts as outside. */
function contains({ version, lessThan, lessThanOrEqual }: AffectedRange, inner: string): boolean {
  const start = version === null || ALL.test(version) ? FIRST : version
  const end = lessThan ?? lessThanOrEqual ?? OPEN
  if ((compareVersions(start, inner) ?? 1) > 0) return false
  const order = end === OPEN ? -1 : compareVersions(inner, end)
  return order !== undefined && (lessThan === null ? order <= 0 : order < 0)
}
