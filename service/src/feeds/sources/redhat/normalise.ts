// Converts a Red Hat VEX document to a vendor record.
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import { type StatedRemediation, toRemediationKind } from '../../../domain/source/remediation.ts'
import type { VendorRecord, VendorReference, VendorScore } from '../../../domain/source/vendor-record.ts'
import type { Rejected } from '../../feed.ts'
import { readText } from '../../schema-check.ts'
import { type SourceRow, toSourceRow } from '../../stores/source-record.ts'
import { type VexDocument, type Vulnerability, vexDocument } from './document.ts'
import { type ParsedProducts, parseProducts } from './products.ts'

/** A VEX document with the CVE id from its file name, or the deletion of a document. */
export type RawVex =
  | { readonly value: unknown; readonly expected?: CveId }
  | { readonly deleted: CveId; readonly at: Date }

const MAX_REFERENCES = 200
const MAX_SCORES = 20
const MAX_ADVISORIES = 500
const MAX_REMEDIATIONS = 1000
const ADVISORY = /\bRH[SBE]A-\d{4}:\d{4,6}\b/
/** Phrases with which Red Hat refers to CISA's catalog of known exploited vulnerabilities. */
const EXPLOITED = /known[ -]exploited|exploited in the wild/i

export function normaliseVex(raw: RawVex, now: Date): SourceRow | Rejected {
  if ('deleted' in raw)
    return toSourceRow(raw.deleted, raw.at, { value: buildWithdrawnRecord(raw.deleted, raw.at), score: null }, now)
  const { value, expected } = raw
  const rejected = expected ?? readText(value, 'document', 'tracking', 'id') ?? 'a document without an id'
  if (!vexDocument.matches(value)) return { rejected, reason: vexDocument.describeMismatch(value) }
  const [vulnerability, ...others] = value.vulnerabilities
  if (!vulnerability || others.length > 0)
    return {
      rejected,
      reason: `it has ${value.vulnerabilities.length} vulnerabilities; a VEX document has exactly one`,
    }
  const cveId = parseCanonicalCveId(vulnerability.cve)
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  if (cveId !== (expected ?? parseCanonicalCveId(value.document.tracking.id)))
    return { rejected, reason: `its CVE id ${cveId} differs from the id in its name` }
  const modified = parseDateTime(value.document.tracking.current_release_date)
  if (!modified) return { rejected, reason: 'document.tracking.current_release_date is not a valid date-time' }
  const record = toVendorRecord(cveId, modified, value, vulnerability)
  const scores = record.scores.flatMap(({ base_score: score }) => score ?? [])
  return toSourceRow(cveId, modified, { value: record, score: scores.length > 0 ? Math.max(...scores) : null }, now)
}

function toVendorRecord(cveId: CveId, modified: Date, whole: VexDocument, vulnerability: Vulnerability): VendorRecord {
  const { document } = whole
  const { notes = [], threats = [] } = vulnerability
  // The document has a date of its own, `initial_release_date`, which often is just January 1 of the CVE's year.
  const published = parseDateTime(vulnerability.release_date ?? '')
  const severity =
    document.aggregate_severity?.text ?? threats.find(({ category }) => category === 'impact')?.details ?? null
  const isExploited = threats.some((each) => each.category === 'exploit_status' && EXPLOITED.test(each.details))
  const { products, positions } = parseProducts(whole, vulnerability)
  const findNote = (name: string) => notes.find(({ category }) => category === name)?.text
  return {
    cve_id: cveId,
    advisories: findAdvisories(vulnerability),
    title: vulnerability.title ?? document.title ?? null,
    description: findNote('description') ?? findNote('summary') ?? null,
    published: published ? formatInstant(published) : null,
    modified: formatInstant(modified),
    withdrawn: false,
    severity: severity === null ? null : capitalise(severity),
    scores: parseScores(vulnerability),
    weaknesses: [...new Set(vulnerability.cwe?.id.match(/\bCWE-\d{1,5}\b/g) ?? [])],
    products,
    references: parseReferences(vulnerability),
    exploitation: isExploited ? 'active' : null,
    ...parseRemediations(vulnerability, positions),
  }
}

/** A remediation whose products were all left out is left out too: without products it would be meant for all. */
function parseRemediations(
  { remediations = [] }: Vulnerability,
  positions: ParsedProducts['positions'],
): Pick<VendorRecord, 'remediations'> {
  const parsed = remediations.flatMap((each): StatedRemediation[] => {
    const kind = toRemediationKind(each.category)
    const products = [...new Set((each.product_ids ?? []).flatMap((id) => positions.get(id) ?? []))]
    if (kind === undefined || (products.length === 0 && (each.product_ids ?? []).length > 0)) return []
    const url = each.url && isHttpUrl(each.url) ? each.url : null
    return [{ kind, text: each.details?.trim() ?? '', url, products }]
  })
  return parsed.length === 0 ? {} : { remediations: parsed.slice(0, MAX_REMEDIATIONS) }
}

function buildWithdrawnRecord(cveId: CveId, at: Date): VendorRecord {
  return {
    cve_id: cveId,
    advisories: [],
    title: null,
    description: null,
    published: null,
    modified: formatInstant(at),
    withdrawn: true,
    severity: null,
    scores: [],
    weaknesses: [],
    products: [],
    references: [],
    exploitation: null,
  }
}

function findAdvisories({ remediations = [] }: Vulnerability): string[] {
  const ids = remediations.flatMap(({ url }) => ADVISORY.exec(url ?? '')?.[0] ?? [])
  return [...new Set(ids)].sort().slice(0, MAX_ADVISORIES)
}

/** Most documents have one score for all products; some have different scores per product. */
function parseScores({ scores = [] }: Vulnerability): VendorScore[] {
  const found = scores.flatMap(({ cvss_v3: cvss }) =>
    cvss ? [[cvss.vectorString, cvss.baseScore ?? null] as const] : [],
  )
  const distinct = [...new Map(found)].filter(([vector]) => /^CVSS:3\.[01]\/[\w:/]{1,300}$/.test(vector))
  return distinct.slice(0, MAX_SCORES).map(([vector, score]) => ({ vector, base_score: score }))
}

/** Documents give no tags (decision C23), only the categories `self` and `external`. */
function parseReferences({ references = [], remediations = [] }: Vulnerability): VendorReference[] {
  const fixes = remediations.flatMap(({ url }) => (url && ADVISORY.test(url) ? [url] : []))
  const urls = new Set([...references.map(({ url }) => url), ...fixes].filter(isHttpUrl))
  return [...urls].slice(0, MAX_REFERENCES).map((url) => ({ url, tags: [] }))
}

function isHttpUrl(url: string): boolean {
  return url.length <= 2048 && /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** Some VEX documents write the severity in lower case. */
function capitalise(severity: string): string {
  return severity.slice(0, 1).toUpperCase() + severity.slice(1)
}
