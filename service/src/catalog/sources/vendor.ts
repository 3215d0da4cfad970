// Reads records from GHSA, Red Hat, MSRC and OSV databases. Every member is checked, because an older version of the
// service may have stored the record in a different form.
import type { CveId } from '../../domain/cve-id.ts'
import { DISTRIBUTION_STATES } from '../../domain/match-words.ts'
import { toAdvisoryProvider } from '../../domain/source/advisory-provider.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import { REMEDIATION_KINDS } from '../../domain/source/remediation.ts'
import type { VendorSource } from '../../domain/source/source.ts'
import type {
  Affected,
  AffectedRange,
  Claim,
  Exploitation,
  Provider,
  Reference,
  Remediation,
  RemediedProduct,
} from '../model/claim.ts'
import type { FixEvidence } from '../model/fix-evidence.ts'
import type { SourceRecord, Subject } from '../model/source-data.ts'
import { readPublished } from './fields/read-instant.ts'
import { readRating } from './fields/read-rating.ts'
import { readReference } from './fields/read-reference.ts'
import { readWeakness } from './fields/read-weakness.ts'
import { isTrueIn, type JsonObject, numberIn, numbersIn, objectsIn, parseObject, textIn, textsIn } from './json.ts'
import { readProse, readTitle } from './prose/read-prose.ts'
import { stripRole } from './provider.ts'
import { cleanText } from './text/clean-text.ts'

/** Returns undefined for a withdrawn advisory, and for text that is not a JSON object. */
export function readVendor(source: VendorSource, { modified, record }: SourceRecord): Claim | undefined {
  const parsed = parseObject(record)
  return parsed && readVendorRecord({ source, provider: source, modified }, parsed)
}

/**
 * Advisories from OSV databases (Go, RustSec, Bitnami, AlmaLinux, PyPA) repeat scores and texts from the CVE's other
 * sources, so only affected packages, fixed versions and references are read, except for a CVE that neither NVD nor the
 * CVE List has. Returns undefined for a withdrawn advisory.
 */
export function readOsv({ modified, record }: SourceRecord, subject?: Subject): Claim | undefined {
  const parsed = parseObject(record)
  if (parsed === undefined) return undefined
  const provider = toAdvisoryProvider(textIn(parsed, 'database') ?? 'unknown')
  const whole = readVendorRecord({ source: 'osv', provider, modified }, parsed)
  const claim = whole && subject ? dropOtherPages(whole, parsed, subject.cveId) : whole
  if (claim && subject?.isUnlisted) return readUnlisted(claim, parsed, subject.cveId)
  return claim && { ...claim, published: null, description: null, ratings: [], weaknesses: [], severityWord: null }
}

/** Red Hat's terms allow serving its texts. */
function readRemediations(by: Provider, parsed: JsonObject, products: readonly JsonObject[]): readonly Remediation[] {
  return objectsIn(parsed, 'remediations').flatMap((each) => {
    const kind = REMEDIATION_KINDS.find((known) => known === textIn(each, 'kind'))
    if (kind === undefined) return []
    const concerned = numbersIn(each, 'products')
      .map((position) => products[position])
      .filter((found) => found !== undefined)
    const text = readProse(each, 'text')
    return { kind, text, url: textIn(each, 'url'), by, products: concerned.map(describeRemedied) }
  })
}

function describeRemedied(product: JsonObject): RemediedProduct {
  return {
    vendor: textIn(product, 'vendor') ?? '',
    product: textIn(product, 'product') ?? '',
    version: textIn(product, 'fixed'),
    packageUrl: textIn(product, 'purl'),
  }
}

const CVE_IDS = /CVE-\d{4}-\d{4,19}/gi

/** An advisory about several CVEs links to pages of each. */
function dropOtherPages(claim: Claim, record: JsonObject, cveId: CveId): Claim {
  if (textsIn(record, 'cve_ids').length < 2) return claim
  const isOwn = ({ url }: Reference) => {
    const ids = url.match(CVE_IDS)
    return ids === null || ids.some((id) => id.toUpperCase() === cveId)
  }
  return { ...claim, references: claim.references.filter(isOwn) }
}

/**
 * An erratum lists the flaws that it fixes, one per line with the CVE id: only the CVE's own line describes it. The text,
 * scores and weaknesses of an advisory about several CVEs may belong to any of them.
 */
function readUnlisted(claim: Claim, record: JsonObject, cveId: CveId): Claim {
  const ownLine = findListItem(textIn(record, 'description') ?? '', cveId)
  if (textsIn(record, 'cve_ids').length < 2) return { ...claim, description: ownLine ?? claim.description }
  return { ...claim, description: ownLine ?? null, ratings: [], weaknesses: [], severityWord: null }
}

/** Returns `glibc: overflow in scanf` for the line `* glibc: overflow in scanf (CVE-2026-5450)`. */
function findListItem(text: string, cveId: CveId): string | undefined {
  const item = text.split('\n').find((line) => /^\s*[*-]\s/.test(line) && line.includes(cveId))
  if (item === undefined) return undefined
  return cleanText(dropRemark(item.replace(/^\s*[*-]\s+/, ''))).trim() || undefined
}

/** Drops parentheses at the end. */
function dropRemark(text: string): string {
  const trimmed = text.trimEnd()
  const start = trimmed.lastIndexOf('(')
  const isRemark = start >= 0 && trimmed.indexOf(')', start) === trimmed.length - 1
  return isRemark ? trimmed.slice(0, start) : trimmed
}

/** `parsed` is a VendorRecord or AdvisoryRecord. Returns undefined if it was withdrawn. */
export function readVendorRecord(
  { source, provider, modified }: Pick<Claim, 'source' | 'provider' | 'modified'>,
  parsed: JsonObject,
): Claim | undefined {
  if (isTrueIn(parsed, 'withdrawn')) return undefined
  const products = objectsIn(parsed, 'products')
  return {
    source,
    provider,
    modified,
    published: readPublished(textIn(parsed, 'published'), modified),
    advisories: readAdvisories(parsed),
    status: null,
    ...(readProse(parsed, 'description') !== null && readTitle(parsed)),
    description: readProse(parsed, 'description') ?? readProse(parsed, 'title'),
    tags: [],
    ratings: objectsIn(parsed, 'scores').flatMap((score) => readVendorRating(provider, score) ?? []),
    weaknesses: textsIn(parsed, 'weaknesses').flatMap((each) => readWeakness(each, provider) ?? []),
    configurations: [],
    configurationsBy: provider,
    affected: products.flatMap((product) => readProduct(provider, product) ?? []),
    unaffected: products.flatMap((product) => readWithoutVersions(provider, product, 'not_affected') ?? []),
    investigated: products.flatMap((product) => readWithoutVersions(provider, product, 'under_investigation') ?? []),
    references: objectsIn(parsed, 'references').flatMap((each) => {
      const by = isTrueIn(each, 'built') ? RULES : stripRole(provider)
      return readReference(textIn(each, 'url'), by, textsIn(each, 'tags')) ?? []
    }),
    exploitation: readVendorExploitation(provider, parsed),
    fix: findFix(products),
    remediations: readRemediations(provider, parsed, products),
    severityWord: textIn(parsed, 'severity'),
  }
}

/** If an advisory names several CVEs, it is not known which of them an alias belongs to. */
function readAdvisories(record: JsonObject): readonly string[] {
  const isOfOneCve = textsIn(record, 'cve_ids').length < 2
  return [...textsIn(record, 'advisories'), ...(isOfOneCve ? textsIn(record, 'aliases') : [])]
}

function readVendorRating(by: Provider, score: JsonObject) {
  const stated = { vector: textIn(score, 'vector'), score: numberIn(score, 'base_score') }
  return readRating({ by, ...stated })
}

/**
 * Returns undefined for a product that is not affected or is under investigation, or that has neither a name nor a CPE
 * name.
 */
function readProduct(by: Provider, product: JsonObject): Affected | undefined {
  const status = textIn(product, 'status')
  if (status !== 'affected' && status !== 'fixed') return undefined
  return readNamed(by, product, readRanges(product, status))
}

/** Returns undefined if the product has a different status. */
function readWithoutVersions(
  by: Provider,
  product: JsonObject,
  status: 'not_affected' | 'under_investigation',
): Affected | undefined {
  if (textIn(product, 'status') !== status) return undefined
  return readNamed(by, product, [NO_VERSION])
}

function readNamed(by: Provider, product: JsonObject, ranges: readonly AffectedRange[]): Affected | undefined {
  const name = textIn(product, 'product')
  const cpe = textIn(product, 'cpe')
  const packageUrl = textIn(product, 'purl')
  if (name === null && cpe === null) return undefined
  return {
    by,
    vendor: textIn(product, 'vendor') ?? '',
    product: name ?? '',
    cpes: cpe === null || !/^cpe:(?:2\.3:|\/)/i.test(cpe) ? [] : [cpe],
    packageUrl,
    ranges,
    // If there are both a package URL and a CPE name, the versions are those of a package inside the product.
    ...(cpe !== null && packageUrl !== null && { areVersionsOfPackage: true }),
    ...readReach(product),
  }
}

function readReach(product: JsonObject): Pick<Affected, 'streams' | 'state'> {
  const state = textIn(product, 'state')
  const known = DISTRIBUTION_STATES.find((each) => each === state)
  return {
    ...(Array.isArray(product['streams']) && { streams: textsIn(product, 'streams') }),
    ...(known && { state: known }),
  }
}

function readRanges(product: JsonObject, status: 'affected' | 'fixed'): readonly AffectedRange[] {
  const introduced = textIn(product, 'introduced')
  const fixed = textIn(product, 'fixed')
  const lastAffected = textIn(product, 'last_affected')
  const [after, before] = [textIn(product, 'after'), textIn(product, 'before')]
  // A product with the status `fixed` and no versions is the release that contains the fix: none of its versions is
  // affected.
  if (introduced === null && fixed === null && lastAffected === null && status === 'fixed') return [FIXED_RELEASE]
  return [
    {
      isAffected: true,
      version: introduced ?? after,
      ...(after !== null && { isVersionExcluded: true }),
      lessThan: fixed ?? before,
      ...(before !== null && { endsBranch: true }),
      lessThanOrEqual: lastAffected,
    },
  ]
}

const NO_VERSION: AffectedRange = {
  isAffected: false,
  version: null,
  lessThan: null,
  lessThanOrEqual: null,
}

const FIXED_RELEASE: AffectedRange = { ...NO_VERSION, isFixedRelease: true }

function readVendorExploitation(by: Provider, record: JsonObject): Exploitation | null {
  const level = textIn(record, 'exploitation')
  return level === 'none' || level === 'poc' || level === 'active' ? { level, by, date: null } : null
}

function findFix(products: readonly JsonObject[]): FixEvidence | null {
  for (const product of products) {
    const fixed = textIn(product, 'fixed')
    if (fixed !== null) return { kind: 'version', member: 'fixed', version: fixed }
  }
  return products.some((each) => textIn(each, 'status') === 'fixed') ? { kind: 'release' } : null
}
