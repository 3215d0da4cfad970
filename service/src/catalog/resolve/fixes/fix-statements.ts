// Reads the fixed versions in structured data: ends of CPE matches (NVD, overrides, CNAs), CNAs' range ends and
// unaffected versions, and fixed versions from advisories and VEX documents.
import { readEdition } from '../../../domain/cpe/cpe.ts'
import { unescapeCpeValue, unescapeLimit } from '../../../domain/cpe/cpe-value.ts'
import { findPackageType } from '../../../domain/purl/package-types.ts'
import { isCommitHash, isSeries, parseSeries } from '../../../domain/version/version-form.ts'
import type { Affected, AffectedRange, Claim, ClaimSource } from '../../model/claim.ts'
import type { Fix } from '../../model/resolved.ts'
import { type FixedMatch, listFixedMatches } from '../../sources/fields/fixed-matches.ts'
import { parseCpeCached } from '../../sources/fields/parse-cpe.ts'
import { isEndOf } from '../../sources/fields/read-affected.ts'
import { type IsDoubted, isOlderThanAffected, orderByAffected } from '../../sources/fields/read-fix.ts'
import { toNameKey } from '../products/product-name-keys.ts'
import { findTime } from '../provenance.ts'
import { isAffectedAtAll } from '../versions/version-ranges.ts'
import { readEntryEdition } from './entry-edition.ts'
import { readSolutionFixes } from './solution-fixes.ts'

export interface FixStatement extends Omit<Fix, 'branch' | 'rivals' | 'rank' | 'agreeing'> {
  readonly source: ClaimSource
  /** First affected version of the range that the fix ends; null if the source names none. */
  readonly start: string | null
  /** The series that the source names, such as `6.1` for `6.1.*`. */
  readonly series: string | null
  /** A distribution's or another redistributor's package of the product. */
  readonly isRedistributed: boolean
}

type Certain = Omit<FixStatement, 'isDoubted' | 'contradictedBy'>

/** Excludes `*` and series such as `6.1.*`. */
const VERSION_WORD = /^[\w.+~:()-]{1,64}$/
/** Words before the number of a patch level, as in `V7.5 SP2 Update 15` and `2402 LTSR CU1`. Other words are prose. */
const LEVEL = /^(?:build|cu|errata|esr|fix|hf|hot|hotfix|lts|ltsc|ltsr|pack|patch|release|service|sp|sr|su|update)$/i
/** A release that has a name instead of a number, as in `Washington DC Patch 4 Hot Fix 2b`. */
const NAME = /^[A-Z][A-Za-z]{1,20}$/
const MAX_VERSION_WORDS = 7
const MAX_VERSION_LENGTH = 64

/**
 * Some CNAs list products twice under two names, as CPE configurations and as affected products. A version that a
 * provider's configurations name is therefore not read again.
 */
export function readFixStatements(claim: Claim, isDoubted?: IsDoubted): readonly FixStatement[] {
  const { configurations, configurationsBy, affected, description } = claim
  const configured = listFixedMatches(configurations, description).flatMap((match) => readMatch(match, claim))
  const known = new Set(configured.map(({ version }) => version))
  const isRepeated = ({ by, version }: Certain) => by === configurationsBy && known.has(version)
  const listed = affected.flatMap((each) => readAffectedFixes(each, claim)).filter((each) => !isRepeated(each))
  return [...configured, ...listed, ...readSolutions(claim, [...configured, ...listed])]
    .filter(({ version }) => isVersion(version) && version !== '0')
    .map((each) => ({ ...each, isDoubted: isDoubted?.(each.version, each.by) ?? false, contradictedBy: [] }))
}

/** A text is read only for products for which the CNA's data names no fixed version. */
function readSolutions(claim: Claim, known: readonly Certain[]): readonly Certain[] {
  const isOpen = (each: Affected) =>
    !isRedistributed(each, claim.source) &&
    isAffectedAtAll(each) &&
    known.every(({ by, product }) => by !== each.by || toNameKey(product) !== toNameKey(each.product))
  return readSolutionFixes(claim, isOpen).map(({ affected, version, start }) => ({
    ...describeProduct(affected, claim),
    version,
    isCommit: false,
    member: 'solution',
    start,
    series: null,
    isDerived: true,
  }))
}

/** A version may contain blanks, as in `5.2.1.2930 build 20241025`. A series such as `10.5.6.x` is no version. */
function isVersion(text: string): boolean {
  if (isSeries(text)) return false
  const words = text.slice(0, MAX_VERSION_LENGTH + 1).split(' ')
  if (text.length > MAX_VERSION_LENGTH || words.length > MAX_VERSION_WORDS || !hasPairs(text)) return false
  const level = words.findIndex((each) => /\d/.test(each) || LEVEL.test(each))
  const [names, rest] = [words.slice(0, level), words.slice(level)]
  // A named release has a patch level.
  if (level < 0 || (names.length > 0 && /\d/.test(rest[0] ?? '')) || !/\d/.test(text)) return false
  return (
    names.every((each) => NAME.test(each)) &&
    rest.every((each) => VERSION_WORD.test(each) && (/\d/.test(each) || LEVEL.test(each)))
  )
}

/** `7.0(3)I4(9)` is a version; a lone parenthesis belongs to a sentence. */
function hasPairs(text: string): boolean {
  return !/[()]/.test(text.replaceAll(/\([^()]*\)/g, ''))
}

function readMatch(match: FixedMatch, claim: Claim): readonly Certain[] {
  const { criteria, versionEndExcluding, versionStartIncluding, versionStartExcluding } = match
  const name = parseCpeCached(criteria)
  if (name === undefined) return []
  const [vendor = '', product = ''] = [name.vendor, name.product].map(unescapeCpeValue)
  const platform = unescapeCpeValue(name.targetSoftware)
  const statement = {
    source: claim.source,
    member: 'versionEndExcluding' as const,
    vendor,
    product,
    packageUrl: null,
    version: unescapeLimit(versionEndExcluding),
    isCommit: isCommitHash(versionEndExcluding),
    start: toStart(versionStartIncluding ?? versionStartExcluding),
    series: null,
    isRedistributed: false,
    by: claim.configurationsBy,
    time: findTime(claim),
  }
  const edition = readEdition(name)
  return [{ ...statement, ...(platform !== undefined && { platform }), ...(edition !== null && { edition }) }]
}

function toStart(limit: string | undefined): string | null {
  return limit === undefined ? null : unescapeLimit(limit)
}

/**
 * A product without an affected version has no fix, even if the CNA lists unaffected versions. A publisher may also list
 * only fixed ones.
 */
function readAffectedFixes(affected: Affected, claim: Claim): readonly Certain[] {
  const listsFixed = affected.ranges.some(({ isFixed }) => isFixed)
  if (!listsFixed && (affected.ranges.length === 0 || !isAffectedAtAll(affected))) return []
  const about = describeProduct(affected, claim)
  return orderByAffected(affected.ranges)
    .filter((each) => !isOlderThanAffected(each, affected.ranges))
    .flatMap((range) => listFixedVersions(range, claim.source).map((fixed) => ({ ...about, ...fixed })))
}

function describeProduct(affected: Affected, claim: Claim) {
  const { vendor, product, packageUrl, packageName, by } = affected
  return {
    source: claim.source,
    vendor,
    product,
    packageUrl,
    ...(packageName !== undefined && { packageName }),
    ...readEntryEdition(affected),
    isRedistributed: isRedistributed(affected, claim.source),
    by,
    time: findTime(claim),
  }
}

/** Red Hat's own records list only its packages, which it fixes at versions of its own. */
export function isRedistributed(affected: Affected, source: ClaimSource): boolean {
  const { packageUrl, isDistribution, areVersionsOfPackage } = affected
  if (isDistribution || areVersionsOfPackage || source === 'redhat') return true
  return packageUrl !== null && isRedistributedPackage(packageUrl)
}

/** Bitnami packages the work of others too, without being a distribution. */
const PURL_TYPE = /^pkg:([a-z.+-]+)\//i

function isRedistributedPackage(packageUrl: string): boolean {
  const type = PURL_TYPE.exec(packageUrl)?.[1]?.toLowerCase() ?? ''
  return type === 'bitnami' || findPackageType(type)?.isOfDistribution === true
}

type FixedVersion = Pick<FixStatement, 'version' | 'isCommit' | 'member' | 'start' | 'series' | 'isDerived'>

/**
 * Lists the first version after an affected range and the commit that fixes it, or the first version of an unaffected
 * range. A change to `unaffected` after the end of a range names the fixed version.
 */
function listFixedVersions(range: AffectedRange, source: ClaimSource): readonly FixedVersion[] {
  const { isAffected, fixedAt, isCommit = false, lessThanOrEqual } = range
  const lessThan = range.endsBranch ? null : range.lessThan
  const isChangeLater = fixedAt !== undefined && fixedAt !== lessThan && isEndOf(fixedAt, range)
  const version = isAffected ? (isChangeLater ? fixedAt : lessThan) : range.version
  const isOwnForm = source === 'cve' || source === 'nvd'
  const limits = {
    start: isAffected ? range.version : null,
    series: isAffected || lessThanOrEqual === null ? null : (parseSeries(lessThanOrEqual)?.first ?? null),
    ...((range.isDerived || range.isOneOfText) && { isDerived: true as const }),
  }
  const member = range.isFixed
    ? 'fixed'
    : !isAffected
      ? 'unaffected'
      : !isOwnForm
        ? 'fixed'
        : fixedAt === version
          ? 'changes.at'
          : 'lessThan'
  const fixes = version === null ? [] : [{ version, isCommit, member, ...limits } as const]
  const isByCommit = fixedAt !== undefined && fixedAt !== version && isCommitHash(fixedAt)
  if (!isByCommit) return fixes
  return [...fixes, { version: fixedAt, isCommit: true, member: 'changes.at', start: null, series: null }]
}
