// Corrects ADP containers. For about 250 CVEs, CISA-ADP writes `lessThan 2.4` although the CNA calls 2.4 affected, so
// the affected version would be served as the fixed one. For about 50 CVEs, it lists versions as affected that the CNA
// lists as unaffected.
import { parseCpe } from '../../../domain/cpe/cpe.ts'
import type { Affected, AffectedRange, Claim } from '../../model/claim.ts'
import { listMatches } from '../../sources/fields/read-configurations.ts'
import { readFix } from '../../sources/fields/read-fix.ts'
import { listFixStatements } from '../../sources/prose/find-fix-statement.ts'
import { isAdp } from '../../sources/provider.ts'
import { toNameKey } from '../products/product-name-keys.ts'
import { dropUnaffected, findUnaffected } from './adp-unaffected.ts'
import { listLastOfMatch, listLastOfProduct, toVersionKey } from './affected-ends.ts'

/** Keys of the versions that the CNA and NVD state: each version alone, and each version with its product. */
interface StatedVersions {
  readonly affected: ReadonlySet<string>
  readonly fixed: ReadonlySet<string>
  /** Versions that a description calls fixed: descriptions agree with the ADP rather than with the CNA's data. */
  readonly fixedInProse: ReadonlySet<string>
}

export function correctAdpLimits(claims: readonly Claim[]): readonly Claim[] {
  return includeAffectedEnds(dropUnaffectedVersions(claims))
}

function dropUnaffectedVersions(claims: readonly Claim[]): readonly Claim[] {
  if (!claims.some(({ affected }) => affected.some(({ by }) => isAdp(by)))) return claims
  const own = claims.filter(({ source }) => source === 'cve' || source === 'nvd')
  const unaffected = findUnaffected(own.flatMap(({ affected }) => affected))
  if (unaffected === undefined) return claims
  return claims.map((claim) => {
    const affected = dropUnaffected(claim.affected, unaffected)
    return affected === claim.affected ? claim : withAffected(claim, affected)
  })
}

/**
 * The CNA or NVD must name the end as the last affected version. If they also name it as the fixed version of another
 * product, it is included only for the affected product.
 */
function includeAffectedEnds(claims: readonly Claim[]): readonly Claim[] {
  if (!claims.some(({ affected }) => affected.some(isExclusiveByAdp))) return claims
  const own = claims.filter(({ source }) => source === 'cve' || source === 'nvd')
  const stated = {
    affected: new Set(own.flatMap(listAffected)),
    fixed: new Set(own.flatMap(listFixed)),
    fixedInProse: new Set(own.flatMap(listFixedInProse)),
  }
  return claims.map((claim) => correctClaim(claim, stated))
}

function isExclusiveByAdp({ by, ranges }: Affected): boolean {
  return isAdp(by) && ranges.some(({ isAffected, lessThan }) => isAffected && lessThan !== null)
}

function correctClaim(claim: Claim, stated: StatedVersions): Claim {
  if (!claim.affected.some((each) => isExclusiveByAdp(each) && each !== includeEnds(each, stated))) return claim
  const affected = claim.affected.map((each) => (isExclusiveByAdp(each) ? includeEnds(each, stated) : each))
  return withAffected(claim, affected)
}

function withAffected(claim: Claim, affected: readonly Affected[]): Claim {
  return { ...claim, affected, ...readFix({ ...claim, affected }) }
}

/** Returns the same object if no end is included. */
function includeEnds(product: Affected, stated: StatedVersions): Affected {
  const isLast = (end: string) => isLastAffected(product.product, end, stated)
  const ranges = product.ranges.map((range) => includeEnd(range, isLast))
  return ranges.every((each, at) => each === product.ranges[at]) ? product : { ...product, ranges }
}

function includeEnd(range: AffectedRange, isLast: (end: string) => boolean): AffectedRange {
  const { isAffected, lessThan } = range
  if (!isAffected || lessThan === null || !isLast(lessThan)) return range
  return { ...range, lessThan: null, lessThanOrEqual: lessThan }
}

function isLastAffected(product: string, end: string, { affected, fixed, fixedInProse }: StatedVersions): boolean {
  if (fixedInProse.has(toKey(end))) return false
  const key = affected.has(toKey(end, product)) ? toKey(end, product) : toKey(end)
  return affected.has(key) && !fixed.has(key)
}

function listAffected({ configurations, affected }: Claim): readonly string[] {
  return [
    ...listMatches(configurations).flatMap((each) => toKeys(readProduct(each.criteria), listLastOfMatch(each))),
    ...affected.filter(({ by }) => !isAdp(by)).flatMap((each) => toKeys(each.product, listLastOfProduct(each))),
  ]
}

function listFixed({ affected }: Claim): readonly string[] {
  return affected.filter(({ by }) => !isAdp(by)).flatMap((each) => toKeys(each.product, each.ranges.flatMap(readFixed)))
}

function readFixed({ isAffected, version, lessThan }: AffectedRange): readonly string[] {
  const fixed = isAffected ? lessThan : version
  return fixed === null ? [] : [fixed]
}

function listFixedInProse({ description }: Claim): readonly string[] {
  return listFixStatements(description ?? '').map(({ version }) => toKey(version))
}

function readProduct(criteria: string): string {
  return parseCpe(criteria)?.product ?? ''
}

/** Returns two keys for each version: one for the version alone, and one for the version with the product. */
function toKeys(product: string, versions: readonly string[]): readonly string[] {
  return versions.flatMap((version) => [toKey(version), toKey(version, product)])
}

function toKey(version: string, product = ''): string {
  return `${toNameKey(product)} ${toVersionKey(version)}`
}
