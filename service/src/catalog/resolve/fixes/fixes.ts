// Lists the fixed versions in structured data: ends of CPE matches (NVD, overrides, CNAs), CNAs' range ends and
// unaffected versions, and fixed versions from advisories and VEX documents.
import { unescapeCpeValue } from '../../../domain/cpe/cpe-value.ts'
import { isCommitHash } from '../../../domain/version/version-form.ts'
import type { Affected, AffectedRange, Claim, Provider } from '../../model/claim.ts'
import type { Fix } from '../../model/resolved.ts'
import type { ProductNames } from '../../model/source-data.ts'
import { type FixedMatch, listFixedMatches } from '../../sources/fields/fixed-matches.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { isEndOf } from '../../sources/fields/read-affected.ts'
import { isOlderThanAffected, orderByAffected } from '../../sources/fields/read-fix.ts'
import { FIX, orderClaims } from '../precedence.ts'
import { toNameKey, toVendorKey } from '../products/product-name-keys.ts'
import { isAffectedAtAll } from '../versions/version-ranges.ts'

/** Some CVEs affect hundreds of packages in each of several distributions. */
const MAX_FIXES = 50

/** Excludes `*` and series such as `6.1.*`. */
const VERSION_WORD = /^[\w.+~:-]{1,64}$/
/** Words before the number of a patch level, as in `V7.5 SP2 Update 15`. Other words are prose. */
const LEVEL = /^(?:build|cu|errata|fix|hf|hot|hotfix|pack|patch|release|service|sp|sr|su|update)$/i
const MAX_VERSION_WORDS = 6
const MAX_VERSION_LENGTH = 64

const SHORT_COMMIT_LENGTH = 12

/**
 * Orders fixes by precedence, commits last. If several sources name the same version of a product, the first one is
 * kept. Without `productNames`, products are the same if their words are.
 */
export function listFixes(claims: readonly Claim[], productNames?: ProductNames): readonly Fix[] {
  const valid = dropUnnamedVendors(listNamed(claims))
  const ordered = [...valid.filter(({ isCommit }) => !isCommit), ...valid.filter(({ isCommit }) => isCommit)]
  const distinct: Fix[] = []
  const known = new Map<string, number>()
  for (const each of ordered) {
    const keys = listKeys(each, productNames)
    const same = keys.map((key) => known.get(key)).find((index) => index !== undefined)
    if (same !== undefined) {
      distinct.splice(same, 1, ...distinct.slice(same, same + 1).map((first) => joinPlatforms(first, each)))
      continue
    }
    if (distinct.length === MAX_FIXES) break
    for (const key of keys) known.set(key, distinct.length)
    distinct.push(each)
  }
  return distinct
}

/** Includes fixes that another provider names too. */
export function listFixesOf(provider: Provider, claims: readonly Claim[]): readonly Fix[] {
  return listNamed(claims).filter(({ by }) => by === provider)
}

function listNamed(claims: readonly Claim[]): readonly Fix[] {
  return orderClaims(claims, FIX)
    .flatMap(readFixes)
    .filter(({ version }) => isVersion(version) && version !== '0')
}

/** If the provider names a version for several platforms, the fix gets no platform. */
function joinPlatforms(first: Fix, { by, platform }: Fix): Fix {
  const { platform: own, ...joined } = first
  return own === undefined || by !== first.by || platform === own ? first : joined
}

/** Drops a fix without a vendor if another one names the same version of the product with a vendor. */
function dropUnnamedVendors(fixes: readonly Fix[]): readonly Fix[] {
  const toKey = ({ product, version }: Fix) => `${toNameKey(product)} ${version.toLowerCase()}`
  if (!fixes.some(isWithoutVendor)) return fixes
  const named = new Set(fixes.filter(({ vendor }) => vendor !== '').map(toKey))
  return fixes.filter((each) => !isWithoutVendor(each) || !named.has(toKey(each)))
}

function isWithoutVendor({ vendor, packageUrl }: Fix): boolean {
  return vendor === '' && packageUrl === null
}

/** A version may contain blanks, as in `5.2.1.2930 build 20241025`. */
function isVersion(text: string): boolean {
  const words = text.slice(0, MAX_VERSION_LENGTH + 1).split(' ')
  const [first = ''] = words
  if (text.length > MAX_VERSION_LENGTH || words.length > MAX_VERSION_WORDS || !/\d/.test(first)) return false
  return words.every((each) => VERSION_WORD.test(each) && (/\d/.test(each) || LEVEL.test(each)))
}

/** Builds keys from the source's product name and NVD's names for it. Fixes with a common key are the same. */
function listKeys(fix: Fix, productNames?: ProductNames): readonly string[] {
  const { vendor, product, packageUrl, packageName = '', version, isCommit } = fix
  // Some sources name a commit by its first 12 digits, others by all 40.
  const fixed = isCommit ? version.slice(0, SHORT_COMMIT_LENGTH) : version
  const end = `${packageName.toLowerCase()} ${fixed.toLowerCase()}`
  if (packageUrl !== null) return [`${packageUrl} ${end}`]
  const names = [{ vendor, product }, ...(productNames?.find(vendor, product) ?? [])]
  return names.map((name) => `${toVendorKey(name.vendor)}/${toNameKey(name.product)} ${end}`)
}

/**
 * Some CNAs list products twice under two names, as CPE configurations and as affected products. A version that a
 * provider's configurations name is therefore not read again.
 */
function readFixes({ configurations, configurationsBy, affected, description }: Claim): readonly Fix[] {
  const configured = listFixedMatches(configurations, description).flatMap((match) =>
    readMatch(match, configurationsBy),
  )
  const known = new Set(configured.map(({ version }) => version))
  const isRepeated = ({ by, version }: Fix) => by === configurationsBy && known.has(version)
  return [...configured, ...affected.flatMap(readAffectedFixes).filter((each) => !isRepeated(each))]
}

function readMatch({ criteria, versionEndExcluding }: FixedMatch, by: string): readonly Fix[] {
  const name = parseCpeCached(criteria)
  if (name === undefined) return []
  const [vendor = '', product = ''] = [name.vendor, name.product].map(unescapeCpeValue)
  const isCommit = isCommitHash(versionEndExcluding)
  const platform = unescapeCpeValue(name.targetSoftware)
  const fix = { vendor, product, packageUrl: null, version: versionEndExcluding, isCommit, by }
  return [platform === undefined ? fix : { ...fix, platform }]
}

/** A product without an affected version has no fix, even if the CNA lists unaffected versions. */
function readAffectedFixes(affected: Affected): readonly Fix[] {
  if (!isAffectedAtAll(affected)) return []
  const { vendor, product, packageUrl, packageName, by } = affected
  const name = { vendor, product, packageUrl, ...(packageName !== undefined && { packageName }) }
  return orderByAffected(affected.ranges)
    .filter((each) => !isOlderThanAffected(each, affected.ranges))
    .flatMap(listFixedVersions)
    .map((fixed) => ({ ...name, ...fixed, by }))
}

/**
 * Lists the first version after an affected range and the commit that fixes it, or the first version of an unaffected
 * range. A change to `unaffected` after the end of a range names the fixed version.
 */
function listFixedVersions(range: AffectedRange): readonly Pick<Fix, 'version' | 'isCommit'>[] {
  const { isAffected, fixedAt, isCommit = false } = range
  const lessThan = range.endsBranch ? null : range.lessThan
  const isChangeLater = fixedAt !== undefined && fixedAt !== lessThan && isEndOf(fixedAt, range)
  const version = isAffected ? (isChangeLater ? fixedAt : lessThan) : range.version
  const fixes = version === null ? [] : [{ version, isCommit }]
  const isByCommit = fixedAt !== undefined && fixedAt !== version && isCommitHash(fixedAt)
  return isByCommit ? [...fixes, { version: fixedAt, isCommit: true }] : fixes
}
