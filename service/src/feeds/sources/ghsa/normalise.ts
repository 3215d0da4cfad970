import { isRejected, type Rejected } from '../../feed.ts'
import { osvFormat, parseOsvContent, parseReferences, TOO_MANY_PRODUCTS } from '../../formats/osv-format.ts'
import { readMember, readText } from '../../schema-check.ts'
import { type Advisory, type AdvisoryRow, advisoryPage, toAdvisoryRow } from './advisory.ts'
import { apiFormat, parseApiAdvisory } from './api-format.ts'

/** Only the REST API format has a member `ghsa_id`. */
export function normaliseAdvisory(raw: unknown, now: Date): AdvisoryRow | Rejected {
  const advisory = readMember(raw, 'ghsa_id') === undefined ? parseOsvFormat(raw) : parseApiFormat(raw)
  return isRejected(advisory) ? advisory : toAdvisoryRow(advisory, now)
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

function reject(raw: unknown, reason: string): Rejected {
  return { rejected: readText(raw, 'ghsa_id') ?? readText(raw, 'id') ?? 'an advisory without an id', reason }
}

function parseOsvFormat(raw: unknown): Advisory | Rejected {
  if (!osvFormat.matches(raw)) return reject(raw, osvFormat.describeMismatch(raw))
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
