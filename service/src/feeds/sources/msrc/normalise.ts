// What Microsoft says of one CVE, in the form that all vendors have here.
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { VendorRecord, VendorScore } from '../../../domain/vendor-record.ts'
import { FeedError, type Rejected } from '../../feed.ts'
import { plainText } from '../../formats/markup.ts'
import { type SourceRow, sourceRow } from '../../stores/source-record.ts'
import { type Issue, type MsrcRecord, msrcIdOf } from './document.ts'
import type { Month } from './month.ts'
import { productsOf } from './products.ts'
import { knowledgeBaseArticles, referencesOf } from './references.ts'
import {
  DESCRIPTION_NOTE,
  EXPLOIT_STATUS_THREAT,
  type Note,
  SEVERITY_THREAT,
  VULNERABILITY,
  type Vulnerability,
} from './vulnerability.ts'

/** The worst first. */
const SEVERITIES = ['Critical', 'Important', 'Moderate', 'Low']
const WEAKNESS = /^CWE-\d+$/
/** Dates that Microsoft does not have are in the year 1. */
const FIRST_DATE = new Date('1990-01-01T00:00:00Z')
/** The first month that has a document worth the name. */
const FIRST_ORDINAL = 2016 * 24

interface Period {
  readonly published: Date
  readonly modified: Date
}

export function normaliseMsrc({ issue, said }: MsrcRecord, now: Date): SourceRow | Rejected {
  const rejected = msrcIdOf(said) ?? 'a vulnerability without an id'
  if (!VULNERABILITY.fits(said)) return { rejected, reason: VULNERABILITY.fault(said) }
  const cveId = parseCanonicalCveId(said.CVE.trim())
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  const products = productsOf(said, issue.products)
  if (typeof products === 'string') return { rejected, reason: products }
  const period = periodOf(said, issue)
  if (typeof period === 'string') return { rejected, reason: `/RevisionHistory has a date that is none: "${period}"` }
  const description = descriptionOf(said)
  if (description instanceof FeedError) return { rejected, reason: description.message }
  const value: VendorRecord = {
    cve_id: cveId,
    advisories: [issue.month.name, ...knowledgeBaseArticles(said)],
    title: said.Title?.Value?.trim() || null,
    description,
    published: formatInstant(period.published),
    modified: formatInstant(period.modified),
    withdrawn: false,
    severity: severityOf(said),
    scores: scoresOf(said),
    weaknesses: weaknessesOf(said),
    products,
    references: referencesOf(said, cveId),
    exploitation: exploitationOf(said),
  }
  return sourceRow(cveId, placedInMonth(period.modified, issue.month), { value, score: highest(value.scores) }, now)
}

/**
 * Two months may speak of one CVE, as of the same second: then the later month counts, whichever is read last. Microsoft
 * writes whole seconds, so there is room behind them.
 */
function placedInMonth(modified: Date, { ordinal }: Month): Date {
  return new Date(modified.getTime() + Math.min(Math.max(ordinal - FIRST_ORDINAL, 0), 999))
}

/** From the first revision to the last; or else as the document has it. Text: what is no date. */
function periodOf({ RevisionHistory }: Vulnerability, { releasedAt, revisedAt }: Issue): Period | string {
  const dates: Date[] = []
  for (const { Date: text } of RevisionHistory ?? []) {
    const date = text ? parseDateTime(text) : FIRST_DATE
    if (!date) return String(text).slice(0, 40)
    if (date > FIRST_DATE) dates.push(date)
  }
  const [published = releasedAt, ...later] = dates.sort((left, right) => left.getTime() - right.getTime())
  return { published, modified: later.at(-1) ?? dates[0] ?? revisedAt }
}

function descriptionOf({ Notes }: Vulnerability): string | null | FeedError {
  const isDescription = ({ Type, Title }: Note) => Type === DESCRIPTION_NOTE || Title === 'Description'
  const html = Notes?.find((each) => isDescription(each) && each.Value)?.Value
  try {
    return (html && plainText(html, 'its description')) || null
  } catch (error) {
    if (error instanceof FeedError) return error
    throw error
  }
}

function threatsOf({ Threats }: Vulnerability, type: number): readonly string[] {
  return (Threats ?? []).flatMap(({ Type, Description }) =>
    Type === type && Description?.Value ? [Description.Value.trim()] : [],
  )
}

/** It is given for every product; the worst is the vulnerability's. */
function severityOf(said: Vulnerability): string | null {
  const words = threatsOf(said, SEVERITY_THREAT)
  return SEVERITIES.find((each) => words.includes(each)) ?? words[0] ?? null
}

/** `Publicly Disclosed:No;Exploited:Yes;Latest Software Release:Exploitation Detected`. */
function exploitationOf(said: Vulnerability): VendorRecord['exploitation'] {
  const statuses = threatsOf(said, EXPLOIT_STATUS_THREAT).join(';').toLowerCase()
  const answers = new Set(statuses.split(';').map((each) => each.replaceAll(/\s/g, '')))
  if (answers.has('exploited:yes')) return 'active'
  if (answers.has('publiclydisclosed:yes')) return 'poc'
  return answers.has('exploited:no') || answers.has('publiclydisclosed:no') ? 'none' : null
}

/** They are given for every product too, and mostly the same. */
function scoresOf({ CVSSScoreSets }: Vulnerability): readonly VendorScore[] {
  const scores = new Map<string, VendorScore>()
  for (const { Vector, BaseScore } of CVSSScoreSets ?? []) {
    const vector = Vector?.trim()
    if (vector && !scores.has(vector)) scores.set(vector, { vector, base_score: BaseScore ?? null })
  }
  return [...scores.values()]
}

function highest(scores: readonly VendorScore[]): number | null {
  const known = scores.flatMap(({ base_score: score }) => score ?? [])
  return known.length === 0 ? null : Math.max(...known)
}

function weaknessesOf({ CWE }: Vulnerability): readonly string[] {
  const all = Array.isArray(CWE) ? CWE : [CWE]
  return [...new Set(all.flatMap((each) => (each?.ID && WEAKNESS.test(each.ID) ? [each.ID] : [])))]
}
