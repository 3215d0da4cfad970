// Converts a vulnerability in a Microsoft document to a vendor record.
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { VendorRecord, VendorScore } from '../../../domain/source/vendor-record.ts'
import { FeedError, type Rejected } from '../../feed.ts'
import { toPlainText } from '../../formats/markup.ts'
import { type SourceRow, toSourceRow } from '../../stores/source-record.ts'
import { type DocumentHeader, type MsrcRecord, readMsrcId } from './document.ts'
import type { Month } from './month.ts'
import { parseProducts } from './products.ts'
import { findKnowledgeBaseArticles, parseReferences } from './references.ts'
import {
  DESCRIPTION_NOTE,
  EXPLOIT_STATUS_THREAT,
  type Note,
  SEVERITY_THREAT,
  VULNERABILITY,
  type Vulnerability,
} from './vulnerability.ts'

/** Microsoft's severity levels, highest first. */
const SEVERITIES = ['Critical', 'Important', 'Moderate', 'Low']
const CWE_ID = /^CWE-\d+$/
/** Microsoft writes unknown dates as dates in the year 1. */
const MIN_DATE = new Date('1990-01-01T00:00:00Z')
/** Ordinal of January 2016, the year of Microsoft's first usable document. */
const MIN_ORDINAL = 2016 * 24

interface Period {
  readonly published: Date
  readonly modified: Date
}

export function normaliseMsrc({ header, vulnerability }: MsrcRecord, now: Date): SourceRow | Rejected {
  const rejected = readMsrcId(vulnerability) ?? 'a vulnerability without an id'
  if (!VULNERABILITY.matches(vulnerability)) return { rejected, reason: VULNERABILITY.describeMismatch(vulnerability) }
  const cveId = parseCanonicalCveId(vulnerability.CVE.trim())
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  const products = parseProducts(vulnerability, header.products)
  if (typeof products === 'string') return { rejected, reason: products }
  const period = parsePeriod(vulnerability, header)
  if (typeof period === 'string') return { rejected, reason: `/RevisionHistory has an invalid date: "${period}"` }
  const description = parseDescription(vulnerability)
  if (description instanceof FeedError) return { rejected, reason: description.message }
  const value: VendorRecord = {
    cve_id: cveId,
    advisories: [header.month.name, ...findKnowledgeBaseArticles(vulnerability)],
    title: vulnerability.Title?.Value?.trim() || null,
    description,
    published: formatInstant(period.published),
    modified: formatInstant(period.modified),
    withdrawn: false,
    severity: parseSeverity(vulnerability),
    scores: parseScores(vulnerability),
    weaknesses: parseWeaknesses(vulnerability),
    products,
    references: parseReferences(vulnerability, cveId),
    exploitation: parseExploitation(vulnerability),
  }
  return toSourceRow(
    cveId,
    addMonthOffset(period.modified, header.month),
    { value, score: findHighestScore(value.scores) },
    now,
  )
}

/**
 * Encodes the month of the document in the milliseconds of the modification date; Microsoft's dates are whole seconds.
 * If two documents list the same CVE with the same date, the later month then wins in any import order.
 */
function addMonthOffset(modified: Date, { ordinal }: Month): Date {
  return new Date(modified.getTime() + Math.min(Math.max(ordinal - MIN_ORDINAL, 0), 999))
}

/** Falls back to the document's dates. If a date is invalid, returns its text instead. */
function parsePeriod({ RevisionHistory }: Vulnerability, { releasedAt, revisedAt }: DocumentHeader): Period | string {
  const dates: Date[] = []
  for (const { Date: text } of RevisionHistory ?? []) {
    const date = text ? parseDateTime(text) : MIN_DATE
    if (!date) return String(text).slice(0, 40)
    if (date > MIN_DATE) dates.push(date)
  }
  const [published = releasedAt, ...later] = dates.sort((left, right) => left.getTime() - right.getTime())
  return { published, modified: later.at(-1) ?? dates[0] ?? revisedAt }
}

function parseDescription({ Notes }: Vulnerability): string | null | FeedError {
  const isDescription = ({ Type, Title }: Note) => Type === DESCRIPTION_NOTE || Title === 'Description'
  const html = Notes?.find((each) => isDescription(each) && each.Value)?.Value
  try {
    return (html && toPlainText(html, 'its description')) || null
  } catch (error) {
    if (error instanceof FeedError) return error
    throw error
  }
}

function readThreats({ Threats }: Vulnerability, type: number): readonly string[] {
  return (Threats ?? []).flatMap(({ Type, Description }) =>
    Type === type && Description?.Value ? [Description.Value.trim()] : [],
  )
}

/** Microsoft rates every product separately; the highest severity applies to the vulnerability. */
function parseSeverity(vulnerability: Vulnerability): string | null {
  const words = readThreats(vulnerability, SEVERITY_THREAT)
  return SEVERITIES.find((each) => words.includes(each)) ?? words[0] ?? null
}

/** Parses texts such as `Publicly Disclosed:No;Exploited:Yes;Latest Software Release:Exploitation Detected`. */
function parseExploitation(vulnerability: Vulnerability): VendorRecord['exploitation'] {
  const statuses = readThreats(vulnerability, EXPLOIT_STATUS_THREAT).join(';').toLowerCase()
  const answers = new Set(statuses.split(';').map((each) => each.replaceAll(/\s/g, '')))
  if (answers.has('exploited:yes')) return 'active'
  if (answers.has('publiclydisclosed:yes')) return 'poc'
  return answers.has('exploited:no') || answers.has('publiclydisclosed:no') ? 'none' : null
}

/** Microsoft gives a score per product, mostly with the same vector; each vector is kept once. */
function parseScores({ CVSSScoreSets }: Vulnerability): readonly VendorScore[] {
  const scores = new Map<string, VendorScore>()
  for (const { Vector, BaseScore } of CVSSScoreSets ?? []) {
    const vector = Vector?.trim()
    if (vector && !scores.has(vector)) scores.set(vector, { vector, base_score: BaseScore ?? null })
  }
  return [...scores.values()]
}

function findHighestScore(scores: readonly VendorScore[]): number | null {
  const known = scores.flatMap(({ base_score: score }) => score ?? [])
  return known.length === 0 ? null : Math.max(...known)
}

function parseWeaknesses({ CWE }: Vulnerability): readonly string[] {
  const all = Array.isArray(CWE) ? CWE : [CWE]
  return [...new Set(all.flatMap((each) => (each?.ID && CWE_ID.test(each.ID) ? [each.ID] : [])))]
}
