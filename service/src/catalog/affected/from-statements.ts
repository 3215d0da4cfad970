// Creates rows from CNAs' statements that the CPE candidates do not cover: unaffected versions and commit ranges.

import { type AffectedName, type AffectedRow, DERIVED, type Limits, UNLIMITED } from '../../record/affected-row.ts'
import type { Affected, AffectedRange, Claim } from '../model/claim.ts'
import type { ProductNames } from '../model/source-data.ts'
import { listProductCriteria } from '../resolve/products/cpe-matches.ts'
import { toRangeLimits } from '../resolve/versions/version-ranges.ts'
import { type MatchedVersions, readCriteria, readLimits, readVersions } from './read-criteria.ts'

export function collectFromStatements(claim: Claim, productNames?: ProductNames): readonly AffectedRow[] {
  if (claim.source !== 'cve' && claim.source !== 'nvd') return []
  return claim.affected.flatMap((entry) => collectFromEntry(entry, productNames))
}

type Statement = Pick<AffectedRow, 'isAffected' | 'scheme' | 'versions' | 'fixed' | keyof Limits>

function collectFromEntry(entry: Affected, productNames?: ProductNames): readonly AffectedRow[] {
  if (entry.areVersionsOfPackage) return []
  const ranges = entry.ranges.filter((each) => !each.isAffected || each.isCommit)
  const statements = [...ranges.flatMap(toStatement), ...(entry.isUnaffectedByDefault ? [UNAFFECTED] : [])]
  if (statements.length === 0) return []
  const source = entry.cpes.length > 0 ? entry.by : `${DERIVED}${entry.by}`
  return listNames(entry, productNames).flatMap(({ name, version }) =>
    statements
      .flatMap((each) => (each === UNAFFECTED ? limitToRelease({ name, version }, entry) : each))
      .map((each) => ({ ...name, ...each, isVague: false, condition: null, source })),
  )
}

/** Covers every version that the source does not call affected. */
const UNAFFECTED: Statement = { ...UNLIMITED, isAffected: false, scheme: 'generic', versions: null, fixed: null }

/** A release in a product name, such as `EAP 7.4.14`. */
const RELEASE = /(?<!\d)\d{1,9}(?:\.\d{1,9}){1,5}/

/**
 * An entry about one release says nothing about the others: Red Hat calls `EAP 7.4.14` unaffected under the CPE name of
 * 7.4. If the entry lists affected versions, the version in its CPE name is one of them.
 */
function limitToRelease(
  { name, version: matched }: NameAndVersion,
  { product, ranges }: Affected,
): readonly Statement[] {
  const { version, limits, isVague } = matched
  const release = RELEASE.exec(product)?.[0]
  if (release !== undefined && release !== version && !name.product.includes(release)) return []
  if (isVague || ranges.some((each) => each.isAffected)) return [UNAFFECTED]
  return [{ ...UNAFFECTED, ...limits, versions: version === null ? null : [version] }]
}

export interface NameAndVersion {
  readonly name: AffectedName
  readonly version: MatchedVersions
}

export function listNames(entry: Affected, productNames?: ProductNames): readonly NameAndVersion[] {
  const criteria = entry.cpes.length > 0 ? entry.cpes : listProductCriteria(entry, productNames)
  const names = new Map<string, NameAndVersion>()
  for (const each of criteria) {
    const matched = readCriteria(each)
    // A version in the product name would limit the statement to that version, so such names are skipped.
    if (matched === undefined || (entry.cpes.length === 0 && matched.version !== '*')) continue
    const { kind, vendor, product, target, edition } = matched
    const name = { kind, vendor, product, target, edition }
    const version = readVersions(matched, { vulnerable: false, criteria: each })
    names.set(JSON.stringify([name, version]), { name, version })
  }
  return [...names.values()]
}

function toStatement(range: AffectedRange): readonly Statement[] {
  if (range.isCommit) return toCommits(range)
  const limits = toRangeLimits(range)
  // An unaffected range whose end is not known must not exclude all later versions.
  if (limits.isUnknown) return []
  if (limits.version !== undefined) {
    const version = limits.update === undefined ? limits.version : `${limits.version} ${limits.update}`
    return [{ ...UNAFFECTED, versions: [version] }]
  }
  if (limits.between !== undefined) return [{ ...UNAFFECTED, ...readLimits(limits.between) }]
  return coversAllVersions(range) ? [UNAFFECTED] : []
}

function toCommits({ isAffected, version, lessThan, lessThanOrEqual }: AffectedRange): readonly Statement[] {
  const low = version === '0' ? null : version
  const end = lessThan ?? lessThanOrEqual
  // A commit without an end is a single version, as every version in the CVE List is.
  if (low !== null && end === null)
    return [{ ...UNLIMITED, isAffected, scheme: 'commit', versions: [low], fixed: null }]
  const high = end === '*' ? null : end
  if (low === null && high === null) return []
  const isHighIncluded = high !== null && lessThan === null
  const limits = { low, isLowIncluded: low !== null, high, isHighIncluded }
  const fixed = isAffected && !isHighIncluded ? high : null
  return [{ ...limits, isAffected, scheme: 'commit', versions: null, fixed }]
}

/** True for `0` to `*`. Other ranges without limits contain texts that are not versions. */
export function coversAllVersions({ version, lessThan, lessThanOrEqual }: AffectedRange): boolean {
  const end = lessThan ?? lessThanOrEqual
  return version === '*' ? end === null || end === '*' : (version === '0' || version === null) && end === '*'
}
