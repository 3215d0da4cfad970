// Creates rows from the packages in advisories (GHSA, OSV databases, Red Hat), in CNA records with a package URL, and
// in Debian's security tracker.
import { readEcosystemRelease } from '../../domain/component/distribution-release.ts'
import { parseCpe } from '../../domain/cpe/cpe.ts'
import { unescapeCpeValue } from '../../domain/cpe/cpe-value.ts'
import { formatDay } from '../../domain/instant.ts'
import type { DistributionState } from '../../domain/match-words.ts'
import { type PackageName, parsePackageName } from '../../domain/purl/package-name.ts'
import { findPackageType } from '../../domain/purl/package-types.ts'
import { isSeries } from '../../domain/version/version-form.ts'
import { type AffectedRow, type Limits, type Reach, UNLIMITED } from '../../record/affected-row.ts'
import type { Affected, AffectedRange, Claim, ClaimSource } from '../model/claim.ts'
import type { DebianStatus } from '../model/source-data.ts'
import { readFedoraRelease, toDistributionPackage } from '../resolve/products/distribution-package.ts'
import { hasUnreadableLimit, isStatusUnknown } from '../resolve/versions/version-ranges.ts'

/** In these sources, a range without an end covers all later versions. In the CVE List, it is a single version. */
const OPEN_ENDED: readonly ClaimSource[] = ['ghsa', 'osv', 'redhat', 'msrc']

export function collectFromPackages(claim: Claim): readonly AffectedRow[] {
  const { source, affected, unaffected = [], investigated = [] } = claim
  const isOpenEnded = OPEN_ENDED.includes(source)
  const rows = [
    ...[...affected, ...unaffected.filter(({ packageUrl }) => packageUrl !== null)].flatMap((entry) =>
      collectFromPackage(entry, isOpenEnded),
    ),
    ...investigated.flatMap(collectFromInvestigated),
  ]
  return source === 'redhat' ? rows.map((row) => addDay(row, claim.modified)) : rows
}

/** Red Hat dates each document. What it says without versions is about the packages of that day. */
function addDay(row: AffectedRow, day: Date): AffectedRow {
  const { isAffected, versions, low, high } = row
  const hasVersions = versions !== null || low !== null || high !== null
  return !isAffected || hasVersions ? row : { ...row, statedOn: formatDay(day) }
}

/** A package under investigation gets a row without a version range. */
function collectFromInvestigated(entry: Affected): readonly AffectedRow[] {
  const name = parsePackageName(entry.packageUrl ?? '')
  return name === undefined ? [] : [toVagueRow(name, describeOrigin(entry, name))]
}

type Origin = Pick<AffectedRow, 'target' | 'source'> & Reach

function describeOrigin(entry: Affected, { stream }: PackageName): Origin {
  const streams = entry.streams ?? (stream === undefined ? undefined : [stream])
  return {
    target: readRelease(entry),
    source: entry.by,
    ...(streams && { streams }),
    ...(entry.state && { state: entry.state }),
    ...(entry.justification !== undefined && { justification: entry.justification }),
  }
}

function collectFromPackage(entry: Affected, isOpenEnded: boolean): readonly AffectedRow[] {
  const purl = entry.packageUrl ?? entry.registryPackage
  const name = purl === undefined ? toDistributionPackage(entry) : parsePackageName(purl)
  if (name === undefined) return []
  const by = describeOrigin(entry, name)
  const ranges = entry.ranges.filter((range) => !isFixedRelease(range))
  const rows = ranges.flatMap((range) => {
    // Advisories give versions of their ecosystem, CNAs also URLs and prose.
    if (!isOpenEnded && hasUnreadableLimit(range)) return range.isAffected ? [toVagueRow(name, by)] : []
    return [toPackageRow(name, by, toVersions(range, isOpenEnded), range)]
  })
  return [...rows, ...collectDefault(name, by, entry)]
}

/**
 * Covers the versions that a CNA does not list. Red Hat's CNA calls a package affected by default and lists the fixed
 * version as the start of an unaffected range. If there are other unaffected ranges, the affected versions lie between
 * them, without stated limits: the row is vague, and a version in an unaffected range does not match. So is the row of a
 * package whose status is unknown, because it must not look safe.
 */
function collectDefault(name: PackageName, by: Origin, entry: Affected): readonly AffectedRow[] {
  const { ranges, isAffectedByDefault, isUnaffectedByDefault } = entry
  if (isStatusUnknown(entry)) return [toVagueRow(name, by)]
  if (isUnaffectedByDefault) return [toPackageRow(name, by, EVERY_VERSION, { isAffected: false })]
  if (!isAffectedByDefault || ranges.some(({ isAffected }) => isAffected)) return []
  const starts = ranges.map(({ version, lessThan, lessThanOrEqual }) =>
    (lessThan ?? lessThanOrEqual ?? '*') === '*' ? version : null,
  )
  const [fixed = null, ...others] = starts
  if (others.length > 0 || (starts.length > 0 && fixed === null)) return [toVagueRow(name, by)]
  return [toPackageRow(name, by, { ...EVERY_VERSION, high: fixed }, { isAffected: true })]
}

function toVagueRow(name: PackageName, by: Origin): AffectedRow {
  return { ...toPackageRow(name, by, EVERY_VERSION, { isAffected: true }), isVague: true }
}

/** A fixed release without a version says nothing about the versions before it. */
function isFixedRelease(range: AffectedRange): boolean {
  return !range.isAffected && range.isFixedRelease === true
}

interface Versions extends Limits {
  readonly versions: readonly string[] | null
}

const EVERY_VERSION: Versions = { ...UNLIMITED, versions: null }

function toVersions(
  { version, isVersionExcluded, lessThan, lessThanOrEqual }: AffectedRange,
  isOpenEnded: boolean,
): Versions {
  const low = version === '0' || version === '*' ? null : version
  const end = lessThan ?? lessThanOrEqual
  const isSingle = low !== null && (end === null ? !isOpenEnded : lessThan === null && low === lessThanOrEqual)
  if (isSingle) return { ...UNLIMITED, versions: [low] }
  const high = end === '*' ? null : end
  return {
    low,
    isLowIncluded: low !== null && !isVersionExcluded,
    high,
    isHighIncluded: high !== null && lessThan === null,
    versions: null,
  }
}

function toPackageRow(
  { type, vendor, product }: PackageName,
  { target, source, ...reach }: Origin,
  versions: Versions,
  range: Pick<AffectedRange, 'isAffected' | 'isCommit' | 'fixedAt' | 'endsBranch'>,
): AffectedRow {
  const { isAffected, isCommit, fixedAt } = range
  const isFix = !versions.isHighIncluded && range.endsBranch !== true && !isSeries(versions.high ?? '')
  const end = isFix ? versions.high : null
  return {
    kind: 'purl',
    vendor,
    product,
    target,
    edition: null,
    ...versions,
    scheme: isCommit ? 'commit' : (findPackageType(type)?.scheme ?? 'generic'),
    isVague: false,
    isAffected,
    fixed: isAffected ? (end ?? fixedAt ?? null) : null,
    condition: null,
    source,
    ...reach,
  }
}

/**
 * Reads `9` from `AlmaLinux:9`, `3.19` from `Alpine:v3.19`, and `enterprise_linux:9` from the CPE name of Red Hat's
 * product.
 */
function readRelease(entry: Affected): string {
  const {
    vendor,
    cpes: [cpe],
    areVersionsOfPackage,
  } = entry
  const name = cpe === undefined ? undefined : parseCpe(cpe)
  const ofFedora = areVersionsOfPackage ? readFedoraRelease(name?.product ?? entry.product, name?.version) : undefined
  if (ofFedora !== undefined) return ofFedora
  if (areVersionsOfPackage && OF_SUSE.test(entry.product)) return readEcosystemRelease(entry.product.replace(' ', ':'))
  if (name === undefined) return readEcosystemRelease(vendor)
  return [name.product, name.version].flatMap((each) => unescapeCpeValue(each) ?? []).join(':')
}

/** The CNA of SUSE names packages inside its products. */
const OF_SUSE = /^(?:open)?SUSE (?:Linux|Leap|Tumbleweed)\b/

const DEBIAN: Pick<AffectedRow, 'source'> = { source: 'debian' }

/** The tracker's words for an urgency that is not known. */
const NO_URGENCY = 'not yet assigned'
const DECISIONS: Readonly<Partial<Record<string, DistributionState>>> = {
  'no-dsa': 'no_dsa',
  postponed: 'postponed',
  ignored: 'ignored',
}

/**
 * An undetermined status results in a vague row. An open one is about the versions up to the newest in the release's
 * repositories: the tracker looks again at each version that comes later.
 */
export function collectFromDebian(states: readonly DebianStatus[]): readonly AffectedRow[] {
  return states.flatMap((each) => {
    const { package: product, release, status, fixedVersion } = each
    const name = { type: 'deb', vendor: 'deb/debian', product }
    const by = { target: release, ...DEBIAN, ...readDebianReach(each) }
    if (status === 'undetermined') return [toVagueRow(name, by)]
    if (status !== 'resolved' && status !== 'open') return []
    // The tracker writes version 0 for a release that never had the vulnerability.
    const isAffected = fixedVersion !== '0'
    const high = isAffected ? fixedVersion : null
    if (status === 'resolved' && isAffected && high === null) return []
    const versions = { ...UNLIMITED, high, versions: null }
    return [toPackageRow(name, isAffected ? by : { target: release, ...DEBIAN }, versions, { isAffected })]
  })
}

function readDebianReach({ status, knownVersion, urgency, decision }: DebianStatus): Reach {
  const state = DECISIONS[decision ?? '']
  return {
    ...(status === 'open' && knownVersion && { known: knownVersion }),
    ...(urgency && urgency !== NO_URGENCY && { urgency: urgency.replaceAll('*', '') }),
    ...(state && { state }),
  }
}
