import type { Rejected } from '../../feed.ts'
import { isRejected } from '../../feed.ts'
import { type AdvisoryRow, advisoryRow } from './advisory.ts'
import { apiForm, fromApiForm } from './api-form.ts'
import { fromOsv, osvForm } from './osv-form.ts'

/** In either form: which it is, its id tells. */
export function normaliseAdvisory(raw: unknown, now: Date): AdvisoryRow | Rejected {
  const isOfApi = member(raw, 'ghsa_id') !== undefined
  if (!isOfApi) return osvForm.fits(raw) ? advisoryRow(fromOsv(raw), now) : unfit(raw, osvForm.fault(raw))
  if (!apiForm.fits(raw)) return unfit(raw, apiForm.fault(raw))
  const advisory = fromApiForm(raw)
  return isRejected(advisory) ? advisory : advisoryRow(advisory, now)
}

/** Those that nobody at GitHub has reviewed only repeat what NVD says. */
export function isReviewed(raw: unknown): boolean {
  const kind = member(raw, 'type')
  return member(member(raw, 'database_specific'), 'github_reviewed') !== false && (kind ?? 'reviewed') === 'reviewed'
}

/** As far as it can be told before it was looked at closely. */
export function namesCve(raw: unknown): boolean {
  const aliases = member(raw, 'aliases')
  const isAlias = (each: unknown) => typeof each === 'string' && /^CVE-/i.test(each)
  return Boolean(member(raw, 'cve_id')) || (Array.isArray(aliases) && aliases.some(isAlias))
}

export function updatedAt(raw: unknown): string {
  const said = member(raw, 'updated_at')
  return typeof said === 'string' ? said : ''
}

function unfit(raw: unknown, reason: string): Rejected {
  const id = member(raw, 'ghsa_id') ?? member(raw, 'id')
  return { rejected: typeof id === 'string' ? id : 'an advisory without an id', reason }
}

function member(value: unknown, name: string): unknown {
  // Any member of any object may be looked at; what it is, the caller finds out.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
