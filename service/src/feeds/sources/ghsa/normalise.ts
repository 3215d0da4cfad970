import { isRejected, type Rejected } from '../../feed.ts'
import {
  type OsvAdvisory,
  osvFormat,
  parseOsvContent,
  parseReferences,
  TOO_MANY_PRODUCTS,
} from '../../formats/osv-format.ts'
import { type Advisory, type AdvisoryRow, advisoryPage, toAdvisoryRow } from './advisory.ts'
import { apiFormat, parseApiAdvisory } from './api-format.ts'

/** Only the REST API format has a member `ghsa_id`. */
export function normaliseAdvisory(raw: unknown, now: Date): AdvisoryRow | Rejected {
  const advisory = readMember(raw, 'ghsa_id') === undefined ? parseOsvFormat(raw) : parseApiFormat(raw)
  return isRejected(advisory) ? advisory : toAdvisoryRow(advisory, now)
}

function parseOsvFormat(raw: unknown): Advisory | Rejected {
  return osvFormat.matches(raw) ? parseOsvAdvisory(raw) : reject(raw, osvFormat.describeMismatch(raw))
}

function parseApiFormat(raw: unknown): Advisory | Rejected {
  return apiFormat.matches(raw) ? parseApiAdvisory(raw) : reject(raw, apiFormat.describeMismatch(raw))
}

/** Unreviewed advisories are copies of NVD's data, so they are not imported. */
export function isReviewed(raw: unknown): boolean {
  const kind = readMember(raw, 'type')
  return (
    readMember(readMember(raw, 'database_specific'), 'github_reviewed') !== false && (kind ?? 'reviewed') === 'reviewed'
  )
}

export function readUpdatedAt(raw: unknown): string {
  const value = readMember(raw, 'updated_at')
  return typeof value === 'string' ? value : ''
}

function reject(raw: unknown, reason: string): Rejected {
  const id = readMember(raw, 'ghsa_id') ?? readMember(raw, 'id')
  return { rejected: typeof id === 'string' ? id : 'an advisory without an id', reason }
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function parseOsvAdvisory(raw: OsvAdvisory): Advisory | Rejected {
  const content = parseOsvContent(raw)
  if (content === undefined) return { rejected: raw.id, reason: TOO_MANY_PRODUCTS }
  return {
    id: raw.id,
    cve: findCveId(raw.aliases ?? []),
    modified: raw.modified,
    published: raw.published ?? null,
    content: { ...content, references: parseReferences(advisoryPage(raw.id), raw.references ?? []) },
  }
}

/** GitHub assigns at most one CVE to an advisory. */
function findCveId(aliases: readonly string[]): string | null {
  return aliases.find((alias) => /^CVE-/i.test(alias)) ?? null
}
