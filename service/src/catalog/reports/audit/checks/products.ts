// Checks on affected products: names, versions and configurations.
import { compareVersions } from '../../../../domain/version/version-order.ts'
import { textIn } from '../../../sources/json.ts'
import { coversAnyVersion, listLimits, type Served, type ServedMatch } from '../../served/served.ts'
import type { AuditContext, Check } from '../check.ts'
import {
  type AffectedFact,
  listConfigurations,
  listMatches,
  type SourceFacts,
  type VersionFact,
  withoutV,
} from '../source-facts.ts'

const PLAIN_VERSION = /^[a-z]{0,8}[._-]?\d[\w.+~:()-]{0,62}$/i
const HASH = /^(?=.*[a-f])[\da-f]{7,64}$/i
const RANGE_AS_VERSION = /^v?\d+(?:\.\d+)+[-~]v?\d+(?:\.\d+)+$/i

export const PRODUCT_CHECKS: readonly Check[] = [
  {
    id: 'derived-names',
    sentence: 'the CPE names are derived from product names',
    isInformation: true,
    applies: ({ served }) => listDerived(served).length > 0,
  },
  {
    id: 'unknown-names',
    sentence: 'a derived CPE name is a name that NVD does not use, marked or not',
    applies: (context) => listUnknown(context).length > 0,
  },
  {
    id: 'unknown-names-unmarked',
    sentence: 'a derived CPE name that NVD does not use is not marked as derived and unmapped',
    applies: (context) => listUnknown(context).some(({ isDerived, isUnmapped }) => !isDerived || !isUnmapped),
  },
  {
    id: 'tree-missing',
    sentence: 'the configurations contain AND and a vulnerable product, and the record does not contain the tree',
    applies: ({ served, facts }) =>
      served.configurationCount === 0 &&
      listAndConfigurations(facts).length > 0 &&
      listConfigurations(facts)
        .flatMap(listMatches)
        .some((each) => each['vulnerable'] !== false),
  },
  {
    id: 'software-as-condition',
    sentence: 'an operating system or application is the condition of an AND',
    isInformation: true,
    applies: ({ facts }) => listAndConfigurations(facts).some((each) => listMatches(each).some(isSoftwareCondition)),
  },
  {
    id: 'any-version',
    sentence: 'any version is served, although the source names versions in prose',
    applies: ({ served, facts }) => widensProse(served, facts),
  },
  {
    id: 'open-end',
    sentence: 'a range is served without an end, although the source names one',
    applies: ({ served, facts }) => losesEnd(served, facts),
  },
  {
    id: 'hash-as-version',
    sentence: 'a git hash is served as a version or as the end of a range',
    applies: ({ served }) =>
      !hasOwnConfigurations(served) && served.matches.some((each) => [each.version, ...listLimits(each)].some(isHash)),
  },
  {
    id: 'range-as-version',
    sentence: 'a range is served as one version',
    applies: ({ served }) =>
      !hasOwnConfigurations(served) && served.matches.some(({ version }) => RANGE_AS_VERSION.test(version)),
  },
  {
    id: 'inverted-range',
    sentence: 'a range ends before it starts, and the match is not flagged',
    applies: ({ served }) => served.matches.some((each) => !each.isInverted && isInverted(each)),
  },
  {
    id: 'whole-distribution',
    sentence: 'a whole distribution is served, although the source gives the range of a package',
    applies: ({ served, facts }) => servesDistribution(served, facts),
  },
]

/** Returns whether the served matches were written by NVD or Anchore. */
function hasOwnConfigurations({ cpeSource }: Served): boolean {
  return cpeSource === 'nvd' || cpeSource === 'anchore'
}

function listDerived({ matches, cpeSource }: Served): readonly ServedMatch[] {
  const areAllDerived = cpeSource?.startsWith('derived:') ?? false
  return matches.filter(({ isDerived }) => isDerived || areAllDerived)
}

/**
 * Lists the derived matches with a name that NVD does not use. A CPE name written by a source itself is not derived.
 */
function listUnknown({ served, facts, nvdNames }: AuditContext): readonly ServedMatch[] {
  const unknown = listDerived(served).filter((each) => !nvdNames.has(toCpeName(each)))
  if (unknown.length === 0) return unknown
  const written = new Set(facts.affected.flatMap(({ cpes }) => cpes.map(readCpeName)))
  return unknown.filter((each) => each.isDerived || !written.has(toCpeName(each)))
}

function toCpeName({ part, vendor, product }: ServedMatch): string {
  return `${part}:${vendor}:${product}`
}

function readCpeName(cpe: string): string {
  return cpe
    .toLowerCase()
    .split(/(?<!\\):/)
    .slice(2, 5)
    .join(':')
}

function listAndConfigurations(facts: SourceFacts) {
  return listConfigurations(facts).filter((each) => textIn(each, 'operator')?.toUpperCase() === 'AND')
}

function isSoftwareCondition(match: Readonly<Record<string, unknown>>): boolean {
  return match['vulnerable'] === false && /^cpe:2\.3:[ao]:/i.test(textIn(match, 'criteria') ?? '')
}

/**
 * Returns whether a match covers any version of a product whose versions the source gives in prose. The product is
 * found by its name. Because a dictionary may have changed the name, it also counts if more products cover any version
 * than the source has products without versions.
 */
function widensProse(served: Served, { affected }: SourceFacts): boolean {
  const inProse = hasOwnConfigurations(served) ? [] : affected.filter(namesVersionsInProse)
  if (inProse.length === 0) return false
  // A device that a vulnerable system runs on is a condition and has no versions.
  const vulnerable = served.matches.filter(({ isVulnerable }) => isVulnerable)
  const wide = new Set(vulnerable.filter(coversAnyVersion).map(({ product }) => toPlainName(product)))
  const unlimited = new Set(affected.filter(hasNoVersions).map(({ product }) => toPlainName(product)))
  return inProse.some(({ product }) => wide.has(toPlainName(product))) || wide.size > unlimited.size
}

function toPlainName(product: string): string {
  return product.toLowerCase().replaceAll(/[^a-z\d]+/g, '')
}

function hasNoVersions({ versions, defaultStatus }: AffectedFact): boolean {
  if (versions.length === 0) return defaultStatus !== 'unaffected'
  const affected = versions.filter((each) => each.isAffected)
  if (affected.length === 0) return defaultStatus === 'affected'
  return affected.every(({ version, lessThan, lessThanOrEqual, isGit }) => {
    const end = lessThan ?? lessThanOrEqual ?? ''
    return isGit || isHash(version) || (!/\d/.test(end) && (!/\d/.test(version) || version === '0'))
  })
}

/** Returns whether an affected version is a text such as `8.0.20 and prior` or `6.0, 6.1, 6.2`. */
function namesVersionsInProse({ versions }: AffectedFact): boolean {
  return versions.some(
    ({ isAffected, isGit, version, lessThan, lessThanOrEqual }) =>
      isAffected && !isGit && [version, lessThan, lessThanOrEqual].some((each) => each !== null && isProse(each)),
  )
}

function isProse(version: string): boolean {
  return /\d/.test(version) && !PLAIN_VERSION.test(version) && !/^[\w.]+\.[*x]$/i.test(version)
}

function losesEnd(served: Served, { affected }: SourceFacts): boolean {
  if (hasOwnConfigurations(served)) return false
  const open = served.matches.filter((each) => each.startIncluding !== null && !hasEnd(each))
  const versions = affected.flatMap((each) => each.versions)
  return versions.some(
    (each) => namesEnd(each) && open.some((match) => match.startIncluding === withoutV(each.version)),
  )
}

function hasEnd({ endIncluding, endExcluding }: ServedMatch): boolean {
  return endIncluding !== null || endExcluding !== null
}

function namesEnd({ isAffected, lessThan, lessThanOrEqual }: VersionFact): boolean {
  return isAffected && /\d/.test(lessThan ?? lessThanOrEqual ?? '')
}

function isHash(version: string): boolean {
  return HASH.test(version) && /\d/.test(version)
}

const DOTTED = /^v?\d+(?:\.\d+)*$/i

/** Returns whether the end of a range is before its start, or the range is empty. Compares only dotted numbers. */
function isInverted(match: ServedMatch): boolean {
  const [start, end] = [match.startIncluding ?? match.startExcluding, match.endIncluding ?? match.endExcluding]
  if (start === null || end === null) return false
  const order = DOTTED.test(start) && DOTTED.test(end) ? compareVersions(start, end) : undefined
  if (order === undefined) return false
  const isClosed = match.startIncluding !== null && match.endIncluding !== null
  return order > 0 || (order === 0 && !isClosed)
}

/**
 * As a CNA, Red Hat lists the upstream project with a range, and its own distributions as CPE names with a package
 * name.
 */
function servesDistribution(served: Served, { affected }: SourceFacts): boolean {
  if (hasOwnConfigurations(served)) return false
  const hasPackageRange = affected.some(({ cpes, versions }) => cpes.length === 0 && versions.some(namesVersion))
  const hasDistribution = affected.some(({ cpes, packageName }) => cpes.length > 0 && packageName !== null)
  const isServed = served.matches.some((each) => each.vendor === 'redhat' && !hasEnd(each))
  return hasPackageRange && hasDistribution && isServed
}

function namesVersion({ isAffected, isGit, version, lessThan, lessThanOrEqual }: VersionFact): boolean {
  const text = lessThan ?? lessThanOrEqual ?? version
  return isAffected && !isGit && /\d/.test(text) && text !== '0'
}
