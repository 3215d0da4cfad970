// Groups the CPE matches of a CVE by vendor and product.
import type { Cve } from 'vis-sdk'
import { type CpeName, splitCpe } from '../../../text/cpe-name.ts'
import {
  type FixedVersion,
  isCommit,
  normaliseName,
  type ProductVersions,
  type VersionRange,
} from './product-versions.ts'

export type CpeMatch = NonNullable<Cve['cpe']>[number]

const KINDS: Readonly<Record<string, string>> = { a: 'application', o: 'operating system', h: 'hardware' }

export interface Fix extends FixedVersion {
  readonly vendor: string
  readonly product: string
}

/** Lists the products in record order, vulnerable ones first. */
export function groupCpeMatches(matches: readonly CpeMatch[], fixes: readonly Fix[]): readonly ProductVersions[] {
  const groups = new Map<string, { name: CpeName; isVulnerable: boolean; ranges: VersionRange[]; seen: Set<string> }>()
  for (const match of matches) {
    const name = splitCpe(match.criteria)
    const key = [match.vulnerable, name.part, name.vendor, name.product].join(':')
    const group = groups.get(key) ?? { name, isVulnerable: match.vulnerable, ranges: [], seen: new Set() }
    groups.set(key, group)
    const range = toRange(match, name)
    const content = JSON.stringify(range)
    if (group.seen.has(content)) continue
    group.seen.add(content)
    group.ranges.push(range)
  }
  const fixesByName = indexFixes(fixes)
  const products = [...groups]
    .map(([key, { name, isVulnerable, ranges }]) => ({
      key,
      vendor: name.vendor,
      product: name.product,
      kind: KINDS[name.part],
      isVulnerable,
      isAffectedByDefault: false,
      ranges,
      fixes: (isVulnerable && fixesByName.get(joinName(name.vendor, name.product))) || [],
    }))
    .sort((a, b) => Number(b.isVulnerable) - Number(a.isVulnerable))
  return assignOtherFixes(products, fixes)
}

/**
 * Sources name the same product differently, such as "Linux" and "linux_kernel". If only one product is vulnerable, a
 * fixed version that ends one of its ranges belongs to it, whatever product name it has.
 */
function assignOtherFixes(products: readonly ProductVersions[], fixes: readonly Fix[]): readonly ProductVersions[] {
  const [only, ...rest] = products.filter(({ isVulnerable }) => isVulnerable)
  if (only === undefined || rest.length > 0 || only.fixes.length > 0) return products
  const ends = new Set(only.ranges.flatMap(({ end }) => (end && !end.isIncluded ? [end.version] : [])))
  const own = fixes.filter(({ version }) => ends.has(version))
  return products.map((product) => (product === only ? { ...product, fixes: own } : product))
}

function indexFixes(fixes: readonly Fix[]): ReadonlyMap<string, readonly FixedVersion[]> {
  const byName = new Map<string, FixedVersion[]>()
  for (const { vendor, product, ...fix } of fixes) {
    const name = joinName(vendor, product)
    byName.set(name, [...(byName.get(name) ?? []), fix])
  }
  return byName
}

function joinName(vendor: string, product: string): string {
  return `${normaliseName(vendor)}/${normaliseName(product)}`
}

/** Converts the versions of a match to the form that the page shows. */
export function toRange(match: CpeMatch, name: CpeName): VersionRange {
  const start = toBound(match.versionStartIncluding, match.versionStartExcluding)
  const end = toBound(match.versionEndIncluding, match.versionEndExcluding)
  const version = [name.version, name.update].filter((each) => !isOpen(each)).join(' ')
  const isInWords = match.unknown_versions === true
  return {
    kind: start || end ? 'range' : findKind(name.version, isInWords),
    ...(start && { start }),
    ...(end && { end }),
    ...(!start && !end && version !== '' && { version }),
    isAffected: true,
    limits: listLimits(name),
    isInverted: match.inverted === true,
    isDerived: match.derived === true,
    isUnmapped: match.unmapped === true,
    isByCommits: match.by_commits === true,
    isCommit: [start?.version, end?.version, name.version].some((each) => each !== undefined && isCommit(each)),
    isInWords,
  }
}

function toBound(included: string | undefined, excluded: string | undefined) {
  if (included !== undefined) return { version: included, isIncluded: true }
  return excluded === undefined ? undefined : { version: excluded, isIncluded: false }
}

/**
 * In a CPE name, `*` is any version and `-` means that versions do not apply. If the source names its versions in
 * words, `*` means that they are unknown.
 */
function findKind(version: string, isInWords: boolean): VersionRange['kind'] {
  if (version === '*') return isInWords ? 'words' : 'any'
  return version === '-' || version === '' ? 'unstated' : 'exact'
}

function listLimits({ edition, softwareEdition, targetSoftware, targetHardware }: CpeName): readonly string[] {
  return [
    ...[softwareEdition, edition].filter((each) => !isOpen(each)).map((each) => `${each} edition`),
    ...(isOpen(targetSoftware) ? [] : [`for ${targetSoftware}`]),
    ...(isOpen(targetHardware) ? [] : [`on ${targetHardware}`]),
  ]
}

function isOpen(value: string): boolean {
  return value === '*' || value === '-' || value === ''
}
