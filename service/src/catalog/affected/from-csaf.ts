// Creates rows from the products in CSAF documents, except packages, which from-packages.ts reads.
import { isCsafSource } from '../../domain/source/csaf-sources.ts'
import { type AffectedName, type AffectedRow, DERIVED, type Reach, UNLIMITED } from '../../record/affected-row.ts'
import type { Affected, AffectedRange, Claim } from '../model/claim.ts'
import type { ProductNames } from '../model/source-data.ts'
import { toRangeLimits } from '../resolve/versions/version-ranges.ts'
import { type FixWindow, readFixLists } from './fix-lists.ts'
import { coversAllVersions, listNames, type NameAndVersion } from './from-statements.ts'
import { type MatchedVersions, readLimits } from './read-criteria.ts'

type Versions = Pick<
  AffectedRow,
  'low' | 'isLowIncluded' | 'high' | 'isHighIncluded' | 'versions' | 'isVague' | 'isAffected' | 'fixed'
>

export function collectFromCsaf(claim: Claim, productNames?: ProductNames): readonly AffectedRow[] {
  if (!isCsafSource(claim.source)) return []
  const { affected, unaffected = [], investigated = [] } = claim
  const contradicted = listContradicted([...affected, ...unaffected])
  const findWindow = readFixLists([...affected, ...unaffected])
  const collect = (entries: readonly Affected[], toVersions: (range: AffectedRange) => Versions | undefined) =>
    entries.filter(isNamedProduct).flatMap((entry) => {
      const names = listNames(entry, productNames)
      const isContradicted = (range: AffectedRange) => contradicted.has(toKey(entry, range))
      return entry.ranges.flatMap((range) => {
        const window = findWindow(entry, range)
        const versions = window ? toUnaffected(window) : isContradicted(range) ? VAGUE : toVersions(range)
        return versions === undefined ? [] : names.map((name) => toRow(entry, name, versions))
      })
    })
  return [...collect([...affected, ...unaffected], readVersions), ...collect(investigated, () => VAGUE)]
}

function isNamedProduct({ packageUrl, isUndefined }: Affected): boolean {
  return packageUrl === null && !isUndefined
}

/** Lists the versions that a document calls both affected and unaffected: nobody knows what it means. */
function listContradicted(entries: readonly Affected[]): ReadonlySet<string> {
  const calls = new Map<string, Set<boolean>>()
  for (const entry of entries)
    for (const range of entry.ranges) {
      const key = toKey(entry, range)
      calls.set(key, (calls.get(key) ?? new Set()).add(range.isAffected))
    }
  return new Set([...calls].flatMap(([key, { size }]) => (size > 1 ? [key] : [])))
}

function toKey(
  { vendor, product, platforms }: Affected,
  { version, lessThan, lessThanOrEqual }: AffectedRange,
): string {
  return JSON.stringify([vendor, product, platforms, version, lessThan, lessThanOrEqual])
}

const NONE = { ...UNLIMITED, versions: null, isVague: false, fixed: null }
const VAGUE: Versions = { ...NONE, isVague: true, isAffected: true }

/** Returns undefined for a fixed release without a version. Unreadable versions never make a product look unaffected. */
function readVersions(range: AffectedRange): Versions | undefined {
  const { isAffected } = range
  if (range.isFixedRelease) return undefined
  const { isUnknown, version, update, between, endsBranch } = toRangeLimits(range)
  if (isUnknown) return isAffected ? VAGUE : undefined
  if (version !== undefined)
    return { ...NONE, isAffected, versions: [update === undefined ? version : `${version} ${update}`] }
  const limits = between && readLimits(between)
  if (limits !== undefined) {
    const isFix = isAffected && !endsBranch && !limits.isHighIncluded
    return { ...NONE, ...limits, isAffected, fixed: isFix ? limits.high : null }
  }
  return { ...NONE, isAffected, isVague: isAffected && !coversAllVersions(range) }
}

/** `fixed` of an unaffected row is the last fix of the branch: it shows which affected ranges the row divides. */
function toUnaffected({ low, high, branchFix }: FixWindow): Versions {
  return { ...NONE, isAffected: false, low, isLowIncluded: true, high, fixed: branchFix }
}

function toRow(entry: Affected, { name, version }: NameAndVersion, versions: Versions): AffectedRow {
  const source = entry.cpes.length > 0 ? entry.by : `${DERIVED}${entry.by}`
  return {
    ...toStoredName(name),
    ...(hasNoVersion(versions) ? limitToCpe(versions, version) : versions),
    scheme: 'generic',
    condition: null,
    source,
    ...readReach(entry, versions),
  }
}

function toStoredName({ kind, vendor, product, target, edition }: AffectedName): AffectedName {
  return { kind, vendor, product, target, edition }
}

function hasNoVersion({ versions, low, high }: Versions): boolean {
  return versions === null && low === null && high === null
}

/** A CPE name may name the version that the product's entry does not. */
function limitToCpe(versions: Versions, { version, limits, isVague }: MatchedVersions): Versions {
  if (isVague) return versions
  return { ...versions, ...limits, versions: version === null ? null : [version], isVague: false }
}

function readReach({ justification }: Affected, { isAffected }: Versions): Reach {
  return isAffected || justification === undefined ? {} : { justification }
}
