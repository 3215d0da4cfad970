// Lists the fixed versions that structured data of all sources names: the ends of CPE matches (NVD, overrides, CNAs), the
// ends of version ranges and the unaffected versions of CNAs, and the fixed versions of advisories and VEX documents.
import { parseCpe } from '../../domain/cpe.ts'
import { unescapeCpeValue } from '../../domain/cpe-value.ts'
import { isCommitHash } from '../../domain/version-form.ts'
import type { Affected, AffectedRange, Claim, CpeMatch } from '../model/claim.ts'
import type { Fix } from '../model/resolved.ts'
import { listMatches } from '../sources/read-configurations.ts'
import { isOlderThanAffected } from '../sources/read-fix.ts'
import { FIX, orderClaims } from './precedence.ts'
import { isAffectedAtAll } from './version-ranges.ts'

/** Maximum number of fixes of a CVE. Some CVEs affect hundreds of packages in each of several distributions. */
const MAX_FIXES = 50

/** Matches a version or a commit. Excludes prose, `*`, and series such as `6.1.*`. */
const VERSION = /^[\w.+~:-]{1,64}$/

/**
 * Lists fixes in the order of the sources' precedence, commits last. If several sources name the same version of the same
 * product, the first one is kept.
 */
export function listFixes(claims: readonly Claim[]): readonly Fix[] {
  const named = orderClaims(claims, FIX).flatMap((claim) => [
    ...listMatches(claim.configurations).flatMap((match) => readMatch(match, claim.configurationsBy)),
    ...claim.affected.flatMap(readAffectedFixes),
  ])
  const valid = named.filter(({ version }) => VERSION.test(version) && /\d/.test(version) && version !== '0')
  const ordered = [...valid.filter(({ isCommit }) => !isCommit), ...valid.filter(({ isCommit }) => isCommit)]
  const distinct = new Map<string, Fix>()
  for (const each of ordered) {
    const key = buildKey(each)
    if (!distinct.has(key)) distinct.set(key, each)
    if (distinct.size === MAX_FIXES) break
  }
  return [...distinct.values()]
}

/** NVD spells names in lower case with underscores: `http_server` and `HTTP Server` are the same product. */
function buildKey({ vendor, product, packageUrl, version }: Fix): string {
  const name = packageUrl ?? `${vendor}/${product}`.toLowerCase().replaceAll(/[\s_]+/g, '_')
  return `${name} ${version.toLowerCase()}`
}

function readMatch({ vulnerable, criteria, versionEndExcluding }: CpeMatch, by: string): readonly Fix[] {
  const name = vulnerable && versionEndExcluding !== undefined ? parseCpe(criteria) : undefined
  if (name === undefined || versionEndExcluding === undefined) return []
  const [vendor = '', product = ''] = [name.vendor, name.product].map(unescapeCpeValue)
  const isCommit = isCommitHash(versionEndExcluding)
  return [{ vendor, product, packageUrl: null, version: versionEndExcluding, isCommit, by }]
}

/** A product of which no version is affected has no fix, although its CNA lists unaffected versions. */
function readAffectedFixes(affected: Affected): readonly Fix[] {
  if (!isAffectedAtAll(affected)) return []
  const { vendor, product, packageUrl, by } = affected
  return affected.ranges
    .filter((each) => !isOlderThanAffected(each, affected.ranges))
    .flatMap(listFixedVersions)
    .map((fixed) => ({ vendor, product, packageUrl, ...fixed, by }))
}

/**
 * Lists the first version after an affected range and the commit that fixes its versions, or the first version of an
 * unaffected range.
 */
function listFixedVersions(range: AffectedRange): readonly Pick<Fix, 'version' | 'isCommit'>[] {
  const { isAffected, fixedAt, isCommit = false } = range
  const version = isAffected ? range.lessThan : range.version
  const fixes = version === null ? [] : [{ version, isCommit }]
  const isByCommit = fixedAt !== undefined && fixedAt !== version && isCommitHash(fixedAt)
  return isByCommit ? [...fixes, { version: fixedAt, isCommit: true }] : fixes
}
