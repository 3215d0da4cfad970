// A GitHub advisory, independent of the format (OSV or REST API) that it was parsed from.
import { hash } from 'node:crypto'
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { VendorProduct, VendorRecord, VendorReference } from '../../../domain/vendor-record.ts'
import type { Rejected } from '../../feed.ts'

/**
 * Fields of a GitHub advisory that the OSV format and the REST API format share. Dates are the unparsed text that
 * GitHub sent.
 */
export interface Advisory {
  readonly id: string
  /** CVE id as GitHub spells it, or null if the advisory has no CVE. */
  readonly cve: string | null
  readonly modified: string
  readonly published: string | null
  readonly content: Omit<VendorRecord, 'cve_id' | 'advisories' | 'published' | 'modified' | 'exploitation'>
}

export interface AdvisoryRow {
  readonly ghsaId: string
  readonly contentHash: Buffer
  readonly modified: Date
  /** True if GitHub's modification date was in the future; `modified` is then replaced by the time of the import. */
  readonly isFuture: boolean
  /**
   * The part of the advisory that is stored, or null if the advisory names no CVE. If null, a row that was stored
   * earlier for the advisory is deleted.
   */
  readonly kept: { readonly cveId: string; readonly record: string } | null
}

/**
 * Pattern of a GHSA id. GitHub uses only some letters and digits in its ids; the pattern accepts every letter and
 * digit.
 */
const GHSA_ID = /^GHSA(?:-[0-9a-z]{4}){3}$/

/** Tolerated clock skew: a modification date less than one hour ahead of our clock does not count as future. */
const MAX_CLOCK_SKEW_MS = 60 * 60_000

export function toAdvisoryRow(advisory: Advisory, now: Date): AdvisoryRow | Rejected {
  const { id, cve } = advisory
  const reject = (reason: string) => ({ rejected: id, reason })
  if (!GHSA_ID.test(id)) return reject('not a GHSA id')
  const modified = parseDateTime(advisory.modified)
  if (!modified) return reject(`the modification date is not a valid date-time: "${advisory.modified}"`)
  const published = advisory.published === null ? null : parseDateTime(advisory.published)
  if (published === undefined) return reject(`the publication date is not a valid date-time: "${advisory.published}"`)
  const cveId = cve === null ? null : parseCanonicalCveId(cve)
  if (cveId === undefined) return reject(`not a CVE id: "${cve}"`)

  const aheadMs = modified.getTime() - now.getTime()
  const [at, isFuture] = [aheadMs > 0 ? now : modified, aheadMs > MAX_CLOCK_SKEW_MS]
  const row = { ghsaId: id, contentHash: hashContent(advisory, isFuture), modified: at, isFuture }
  if (cveId === null) return { ...row, kept: null }
  const record: VendorRecord = {
    cve_id: cveId,
    advisories: [id],
    ...advisory.content,
    published: published && formatInstant(published),
    modified: formatInstant(at),
    exploitation: null,
  }
  return { ...row, kept: { cveId, record: JSON.stringify(record) } }
}

/**
 * Hashes only the fields that both formats of a GitHub advisory have, with lists sorted, so that an advisory counts as
 * unchanged when it arrives in the other format. The REST API has no reference types and no package URLs, the OSV files
 * have no base scores, and the two formats order their lists differently.
 */
function hashContent({ id, cve, modified, published, content }: Advisory, isFuture: boolean): Buffer {
  const { title, description, withdrawn, severity, scores, weaknesses, products, references } = content
  const sets = [
    scores.map(({ vector }) => vector),
    weaknesses,
    products.map(formatBounds),
    references.map(({ url }) => url),
  ].map((each) => [...each].sort())
  const fields = [id, cve, modified, published, title, description, withdrawn, severity, sets, isFuture]
  return hash('sha256', JSON.stringify(fields), 'buffer')
}

function formatBounds({ vendor, product, introduced, fixed, last_affected }: VendorProduct): string {
  return JSON.stringify([vendor, product, introduced, fixed, last_affected])
}

interface RawReference {
  readonly url: string
  /** Reference type of the OSV format, such as `FIX`. */
  readonly type?: string
}

/** Keeps each http(s) URL once, and adds the advisory's page on github.com, which not every advisory format lists. */
export function parseReferences(ghsaId: string, raw: readonly RawReference[]): VendorReference[] {
  const advisoryPage = `https://github.com/advisories/${ghsaId}`
  const byUrl = new Map<string, VendorReference>([
    [advisoryPage, { url: advisoryPage, tags: ['Third Party Advisory'] }],
  ])
  for (const { url, type } of raw) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || byUrl.has(url)) continue
    byUrl.set(url, { url, tags: chooseTags(url, type) })
  }
  return [...byUrl.values()]
}

const TAGS = new Map([
  ['ADVISORY', 'Vendor Advisory'],
  ['FIX', 'Patch'],
  ['EVIDENCE', 'Exploit'],
])
/** URL of an NVD page. GitHub gives such pages the type ADVISORY, but they are not written by the vendor. */
const NVD_PAGE = /^https?:\/\/(?:[a-z]+\.)?nvd\.nist\.gov\//i
/**
 * URL of an advisory in the package's own repository. GitHub gives such an advisory the type WEB, but the maintainers
 * of the package wrote it.
 */
const REPOSITORY_ADVISORY = /^https:\/\/github\.com\/[^/]+\/[^/]+\/security\/advisories\/GHSA-[\w-]+$/i

function chooseTags(url: string, type = ''): string[] {
  if (REPOSITORY_ADVISORY.test(url)) return ['Vendor Advisory']
  const tag = NVD_PAGE.test(url) ? undefined : TAGS.get(type)
  return tag === undefined ? [] : [tag]
}

export function filterCweIds(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id) => /^CWE-\d{1,6}$/.test(id)))]
}

export type Bounds = Pick<VendorProduct, 'introduced' | 'fixed' | 'last_affected'>

export const UNBOUNDED: Bounds = { introduced: null, fixed: null, last_affected: null }

/**
 * Parses the first affected version of a version range. Version `0` means "before every version" in OSV, so it is
 * stored as a range without a lower bound.
 */
export function parseIntroduced(version: string): string | null {
  return version === '0' ? null : version
}

/** Parses a version range such as `>= 1.0, < 1.2`. Returns undefined if the text has another syntax. */
export function parseRange(text: string): Bounds | undefined {
  let bounds = UNBOUNDED
  for (const part of text.split(',')) {
    const [, operator, operand = ''] = /^(>=|<=|[<>=])([^<>=]+)$/.exec(part.trim()) ?? []
    const version = operand.trim()
    if (operator === undefined || version === '') return undefined
    bounds = { ...bounds, ...parseComparator(operator, version) }
  }
  return bounds
}

/**
 * Parses one comparison of a version range. `> 1.0` is stored like `>= 1.0`, because VendorProduct has no exclusive
 * lower bound.
 */
function parseComparator(operator: string, version: string): Partial<Bounds> {
  if (operator === '<') return { fixed: version }
  if (operator === '<=') return { last_affected: version }
  if (operator === '=') return { introduced: version, last_affected: version }
  return { introduced: parseIntroduced(version) }
}

export function toAffectedProduct(
  pack: { readonly ecosystem: string; readonly name: string; readonly purl?: string | null | undefined },
  bounds: Bounds,
): VendorProduct {
  return {
    vendor: pack.ecosystem,
    product: pack.name,
    status: 'affected',
    cpe: null,
    purl: pack.purl ?? null,
    ...bounds,
  }
}
