import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { VendorRecord, VendorReference, VendorScore } from '../../../domain/vendor-record.ts'
import type { Rejected } from '../../feed.ts'
import { type SourceRow, sourceRow } from '../../stores/source-record.ts'
import { type VexDocument, type Vulnerability, vexDocument } from './document.ts'
import { productsIn } from './products.ts'

/** A document, with the id that the name of its file has; or that there is none any more. */
export type RawVex =
  | { readonly value: unknown; readonly expected?: CveId }
  | { readonly deleted: CveId; readonly at: Date }

const MAX_TEXT_LENGTH = 20_000
const MAX_REFERENCES = 200
const MAX_SCORES = 20
const MAX_ADVISORIES = 500
const ADVISORY = /\bRH[SBE]A-\d{4}:\d{4,6}\b/
/** How Red Hat says that CISA knows of exploitation. */
const EXPLOITED = /known[ -]exploited|exploited in the wild/i

export function normaliseVex(raw: RawVex, now: Date): SourceRow | Rejected {
  if ('deleted' in raw)
    return sourceRow(raw.deleted, raw.at, { value: withdrawn(raw.deleted, raw.at), score: null }, now)
  const { value, expected } = raw
  const rejected = expected ?? idOf(value)
  if (!vexDocument.fits(value)) return { rejected, reason: vexDocument.fault(value) }
  const [vulnerability, ...others] = value.vulnerabilities
  if (!vulnerability || others.length > 0)
    return { rejected, reason: `it speaks of ${value.vulnerabilities.length} vulnerabilities, a VEX file of one` }
  const cveId = parseCanonicalCveId(vulnerability.cve)
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  if (cveId !== (expected ?? parseCanonicalCveId(value.document.tracking.id)))
    return { rejected, reason: `it speaks of ${cveId}, and is called otherwise` }
  const modified = parseDateTime(value.document.tracking.current_release_date)
  if (!modified) return { rejected, reason: 'document.tracking.current_release_date is no date' }
  const record = recordOf(cveId, modified, value, vulnerability)
  const scores = record.scores.flatMap(({ base_score: score }) => score ?? [])
  return sourceRow(cveId, modified, { value: record, score: scores.length > 0 ? Math.max(...scores) : null }, now)
}

function recordOf(cveId: CveId, modified: Date, whole: VexDocument, vulnerability: Vulnerability): VendorRecord {
  const { document } = whole
  const { notes = [], threats = [] } = vulnerability
  const published = parseDateTime(document.tracking.initial_release_date ?? vulnerability.release_date ?? '')
  const severity =
    document.aggregate_severity?.text ?? threats.find(({ category }) => category === 'impact')?.details ?? null
  const isExploited = threats.some((each) => each.category === 'exploit_status' && EXPLOITED.test(each.details))
  const said = (wanted: string) => notes.find(({ category }) => category === wanted)?.text
  return {
    cve_id: cveId,
    advisories: advisoriesIn(vulnerability),
    title: cut(vulnerability.title ?? document.title ?? null),
    description: cut(said('description') ?? said('summary') ?? null),
    published: published ? formatInstant(published) : null,
    modified: formatInstant(modified),
    withdrawn: false,
    severity: severity === null ? null : cut(capitalised(severity)),
    scores: scoresIn(vulnerability),
    weaknesses: [...new Set(vulnerability.cwe?.id.match(/\bCWE-\d{1,5}\b/g) ?? [])],
    products: productsIn(whole, vulnerability),
    references: referencesIn(vulnerability),
    exploitation: isExploited ? 'active' : null,
  }
}

/** What is left of a document that Red Hat took back. */
function withdrawn(cveId: CveId, at: Date): VendorRecord {
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

function advisoriesIn({ remediations = [] }: Vulnerability): string[] {
  const ids = remediations.flatMap(({ url }) => ADVISORY.exec(url ?? '')?.[0] ?? [])
  return [...new Set(ids)].sort().slice(0, MAX_ADVISORIES)
}

/** One for all products, mostly; some documents have another one for some of them. */
function scoresIn({ scores = [] }: Vulnerability): VendorScore[] {
  const found = scores.flatMap(({ cvss_v3: said }) =>
    said ? [[said.vectorString, said.baseScore ?? null] as const] : [],
  )
  const distinct = [...new Map(found)].filter(([vector]) => /^CVSS:3\.[01]\/[\w:/]{1,300}$/.test(vector))
  return distinct.slice(0, MAX_SCORES).map(([vector, score]) => ({ vector, base_score: score }))
}

function referencesIn({ references = [], remediations = [] }: Vulnerability): VendorReference[] {
  const fixes = remediations.flatMap(({ url }) => (url && ADVISORY.test(url) ? [{ url, category: 'fix' }] : []))
  const found = new Map<string, VendorReference>()
  for (const { url, category } of [...references, ...fixes]) {
    const isOwn = category === 'self' || ADVISORY.test(url)
    if (isWeb(url) && !found.has(url)) found.set(url, { url, tags: isOwn ? ['Vendor Advisory'] : [] })
  }
  return [...found.values()].slice(0, MAX_REFERENCES)
}

function isWeb(url: string): boolean {
  return url.length <= 2048 && /^https?:\/\//i.test(url) && URL.canParse(url)
}

function cut(text: string | null): string | null {
  return text?.slice(0, MAX_TEXT_LENGTH).toWellFormed() ?? null
}

/** Some documents write it small. */
function capitalised(severity: string): string {
  return severity.slice(0, 1).toUpperCase() + severity.slice(1)
}

function idOf(value: unknown): string {
  const document = memberOf(value, 'document')
  const id = memberOf(memberOf(document, 'tracking'), 'id')
  return typeof id === 'string' ? id : 'a document without an id'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}
