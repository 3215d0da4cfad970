// Collects the facts from which the priority of a CVE is computed (domain/priority).
import { assessMaturity, type MaturityEvidence } from '../../domain/exploitation/exploit-maturity.ts'
import { formatDay } from '../../domain/instant.ts'
import {
  type Automatable,
  CISA_ADP,
  type DecisionFacts,
  type FixEvidence,
  type FixedVersion,
  type Sourced,
  type TechnicalImpact,
} from '../../domain/priority/facts.ts'
import { deriveAutomatable, deriveTechnicalImpact } from '../../domain/priority/ssvc.ts'
import { parsePackageName } from '../../domain/purl/package-name.ts'
import type { Affected, Claim, Provider, Ssvc } from '../model/claim.ts'
import type { Fix, Resolved } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { listOwnNames } from '../resolve/fixes/own-products.ts'
import { listTaggedLinks } from '../resolve/references.ts'
import { isRejected } from '../resolve/status.ts'
import { parseVectorCached } from '../sources/fields/parse-vector.ts'
import type { EvidenceKind, ExploitAssessment } from './exploitability.ts'
import { isListed, isUsedByRansomware, saysEndOfLife } from './kev.ts'

export function collectFacts(
  sourceData: SourceData,
  resolved: Resolved,
  { hasExploit, kinds }: ExploitAssessment,
): DecisionFacts {
  const { kev, euKev, exploits } = sourceData
  const cisa = findCisaAssessment(resolved)
  return {
    isRejected: isRejected(resolved),
    kev: isListed(kev) ? { since: kev.dateAdded, dueDate: kev.dueDate, isUsedByRansomware: kev.knownRansomware } : null,
    euKev: isListed(euKev) ? { since: euKev.dateListed, isUsedByRansomware: isUsedByRansomware(euKev) } : null,
    activeReports: listActiveReports(resolved),
    cisaExploitation: cisa?.exploitation ?? null,
    ...findSsvcValues(resolved, cisa),
    hasPublicExploit: hasExploit,
    exploit: describeExploits(listExploits(kinds), exploits),
    hasFix: resolved.fix !== null,
    fixBy: resolved.fix?.by ?? null,
    fixEvidence: readFixEvidence(resolved, sourceData),
    advisoryBy: resolved.fix === null ? (listTaggedLinks(resolved, 'Vendor Advisory')[0]?.by ?? null) : null,
    doubtedBy: resolved.fix === null ? (resolved.doubtedFixes[0]?.by ?? null) : null,
    score: describeScore(resolved),
    isDisputed: resolved.tags.some((tag) => tag === 'disputed'),
    isUnsupported: resolved.tags.some((tag) => tag === 'unsupported-when-assigned'),
    isEndOfLife: isListed(kev) && saysEndOfLife(kev),
    publishedOn: resolved.published === null ? null : formatDay(resolved.published.value),
  }
}

/** Decision C3 prefers CVSS 3.1. A higher CVSS 4.0 score is named too, because readers may know it. */
function describeScore({ score, v4 }: Resolved): DecisionFacts['score'] {
  if (score === null) return null
  const fact = { value: score.value.score, version: score.value.version, source: score.by }
  const isHigher = v4 !== null && v4.value.score > fact.value
  return isHigher ? { ...fact, higherV4: { value: v4.value.score, source: v4.by } } : fact
}

/** People do not read commits as versions. */
const COMMIT = /^[\da-f]{12,40}$/
/** Other texts can be prose, unless the list of fixes contains them. */
const ONE_WORD = /^[\w.+~:()-]{1,40}$/
/** A sentence has room for a few versions. */
const MAX_FIXED_VERSIONS = 4

function readFixEvidence({ fix, fixes, claims }: Resolved, sourceData: SourceData): FixEvidence | null {
  switch (fix?.value.kind) {
    case 'patch-link':
      return { kind: 'patch-link' }
    case 'solution':
      return { kind: 'solution', version: fix.value.version, products: listNamedProducts(claims, sourceData) }
    case 'prose':
      return { kind: 'text', version: fix.value.version, products: listNamedProducts(claims, sourceData) }
    case 'version':
      return listFixedVersions(fix.value.version, fix.by, { fixes, claims })
    default:
      return null
  }
}

/** A sentence has room for two, and says that there are more. */
const MAX_OWN_PRODUCTS = 3

function listOwnProducts(claims: readonly Claim[]): readonly string[] {
  return listOwnNames(claims).slice(0, MAX_OWN_PRODUCTS)
}

/** Without a product of the CVE's own, KEV or a distribution's package says which product the CVE is about. */
function listNamedProducts(claims: readonly Claim[], { kev, euKev, debian }: SourceData): readonly string[] {
  const own = listOwnProducts(claims)
  if (own.length > 0) return own
  const listed = [kev, euKev].flatMap((each) => (isListed(each) && each.product ? each.product : []))
  const packages = [
    ...debian.map((each) => each.package),
    ...claims.flatMap(({ affected }) => affected.flatMap((each) => readPackageName(each) ?? [])),
  ]
  return [...new Set(listed.length > 0 ? listed.slice(0, 1) : packages)].slice(0, MAX_OWN_PRODUCTS)
}

/** Returns undefined if the entry has no package URL. */
function readPackageName({ packageUrl }: Affected): string | undefined {
  return packageUrl === null ? undefined : parsePackageName(packageUrl)?.product
}

/** Lists the provider's versions of all products of the same kind: one would be wrong for another product or branch. */
function listFixedVersions(
  first: string,
  provider: Provider,
  { fixes, claims }: Pick<Resolved, 'fixes' | 'claims'>,
): FixEvidence | null {
  const certain = fixes.filter(({ isDoubted }) => !isDoubted)
  const lead = certain.find(({ by }) => by === provider)
  if (lead === undefined)
    return ONE_WORD.test(first) && !COMMIT.test(first)
      ? toEvidence([{ product: '', version: first, branch: null }])
      : null
  const listed = certain.filter(({ by, rank, isCommit }) => by === provider && rank === lead.rank && !isCommit)
  // The same version can be listed for several vendors of one product, as in Anchore's data.
  const named = listed.map((each) => {
    const { version, branch } = each
    return { product: nameProduct(each, listed), version, branch }
  })
  const versions = [...new Map(named.map((each) => [`${each.product} ${each.version}`, each])).values()]
  const isNamed = versions.some(({ product }) => product !== '')
  if (versions.length === 0 || !isNamed) return null
  return lead.rank === 'own' ? toEvidence(versions) : toEvidence(versions, listOwnProducts(claims))
}

function toEvidence(versions: readonly FixedVersion[], unfixed?: readonly string[]): FixEvidence {
  return {
    kind: 'versions',
    versions: selectOfEachProduct(versions),
    hasMore: versions.length > MAX_FIXED_VERSIONS,
    unfixed: unfixed ?? null,
  }
}

/** The first versions of each product, so that products with many branches leave room for the others. */
function selectOfEachProduct(versions: readonly FixedVersion[]): readonly FixedVersion[] {
  const products = [...Map.groupBy(versions, ({ product }) => product).values()]
  const places = products.flatMap((listed) => listed.map((each, place) => ({ each, place })))
  const first = places.toSorted((a, b) => a.place - b.place).slice(0, MAX_FIXED_VERSIONS)
  return places.filter((each) => first.includes(each)).map(({ each }) => each)
}

/** Platforms that people do not call by their CPE names. */
const PLATFORMS: Readonly<Record<string, string>> = {
  android: 'Android',
  iphone_os: 'iOS',
  linux: 'Linux',
  linux_kernel: 'Linux',
  mac_os_x: 'macOS',
  macos: 'macOS',
  windows: 'Windows',
}

/** A distribution's release such as `debian:bookworm`, not the Perl module Module::ScanDeps. */
const RELEASE = /^[^:]+:[^:]+$/

/**
 * Adds the package inside a product, a distribution's release, the edition, the operating system, and another platform
 * if others have other fixed versions.
 */
function nameProduct({ vendor, product: name, packageName, platform, edition }: Fix, fixes: readonly Fix[]): string {
  const product = edition === undefined ? name : `${name} ${edition} edition`
  if (packageName !== undefined) return product === '' ? packageName : `${packageName} in ${product}`
  if (RELEASE.test(vendor)) return `${product} in ${vendor.replace(':', ' ')}`
  if (platform === undefined) return product
  const isAlone = fixes.every((each) => each.product !== name || each.platform === platform)
  const system = PLATFORMS[platform]
  return isAlone && system === undefined ? product : `${product} for ${system ?? platform}`
}

function findCisaAssessment({ ssvc }: Resolved): Ssvc | undefined {
  return ssvc?.by === CISA_ADP ? ssvc.value : undefined
}

/** The resolver orders reports of the same level newest first. */
function listActiveReports({ exploitation }: Resolved): DecisionFacts['activeReports'] {
  if (exploitation === null) return []
  return [exploitation, ...exploitation.runnersUp]
    .filter(({ value }) => value.level === 'active')
    .map(({ value: { by, date } }) => ({ by, date }))
}

interface SsvcValues {
  readonly automatable: Sourced<Automatable> | null
  readonly technicalImpact: Sourced<TechnicalImpact> | null
}

/** Takes values from CISA's assessment, else derives them from the vector of the score. */
function findSsvcValues({ score }: Resolved, cisa: Ssvc | undefined): SsvcValues {
  const vector = score && parseVectorCached(score.value.vector)
  const source = `derived:cvss:${score?.by}`
  return {
    automatable: cisa?.automatable
      ? { value: cisa.automatable, source: CISA_ADP }
      : vector
        ? { value: deriveAutomatable(vector), source }
        : null,
    technicalImpact: cisa?.technicalImpact
      ? { value: cisa.technicalImpact, source: CISA_ADP }
      : vector
        ? { value: deriveTechnicalImpact(vector), source }
        : null,
  }
}

/** Maps public exploits to their names in the table of maturities. */
const EXPLOITS = {
  metasploit: 'exploit-module',
  exploitdb: 'exploitdb',
  nuclei: 'nuclei',
  'poc-reported': 'reported-poc',
  reference: 'tagged-reference',
  poc: 'repository',
} as const satisfies Partial<Record<EvidenceKind, MaturityEvidence>>

function listExploits(kinds: readonly EvidenceKind[]): readonly MaturityEvidence[] {
  return Object.entries(EXPLOITS).flatMap(([kind, each]) => (kinds.some((found) => found === kind) ? [each] : []))
}

function describeExploits(kinds: readonly MaturityEvidence[], items: SourceData['exploits']): DecisionFacts['exploit'] {
  const { maturity, verified } = assessMaturity(kinds)
  if (verified === null) return null
  return { maturity, isVerified: verified, kinds, repositories: items.filter(({ feed }) => feed === 'poc').length }
}
