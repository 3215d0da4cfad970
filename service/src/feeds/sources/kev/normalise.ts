import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatDay, parseDate } from '../../../domain/instant.ts'
import { clampToToday } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { findIdForReport } from '../../stores/extract-ids.ts'

export interface RawKevEntry {
  readonly entry: unknown
  readonly releasedAt: Date
}

export interface KevRow {
  readonly cveId: CveId
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  readonly dateAdded: string
  readonly shortDescription: string
  readonly requiredAction: string
  /** Day by which US federal agencies must remediate the vulnerability, as `YYYY-MM-DD`. */
  readonly dueDate: string | null
  readonly isKnownRansomware: boolean
  readonly notes: string | null
  readonly cwes: readonly string[]
  readonly contentHash: Buffer
  /** True if CISA's dateAdded is later than today; the stored dateAdded is then replaced by today (decision C22). */
  readonly isFuture: boolean
  readonly releasedAt: Date
}

const ENTRY = compileSchema(
  Type.Object({
    cveID: Type.String(),
    vendorProject: Type.String(),
    product: Type.String(),
    vulnerabilityName: Type.String(),
    dateAdded: Type.String(),
    shortDescription: Type.String(),
    requiredAction: Type.String(),
    dueDate: optionalOrNull(Type.String()),
    knownRansomwareCampaignUse: optionalOrNull(Type.String()),
    notes: optionalOrNull(Type.String()),
    cwes: optionalOrNull(Type.Array(Type.String())),
  }),
)

/** Also trims the texts, because some entries have leading or trailing blanks. */
export function normaliseKev({ entry, releasedAt }: RawKevEntry, now: Date): KevRow | Rejected {
  const id = findIdForReport(entry, 'cveID', 'an entry')
  const cveId = parseCanonicalCveId(id)
  const rejected = cveId ?? id
  if (!ENTRY.matches(entry)) return { rejected, reason: ENTRY.describeMismatch(entry) }
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  const { dateAdded, dueDate } = entry
  if (!parseDate(dateAdded)) return { rejected, reason: `dateAdded is not a date: "${dateAdded}"` }
  if (dueDate && !parseDate(dueDate)) return { rejected, reason: `dueDate is not a date: "${dueDate}"` }
  const today = formatDay(now)
  const content = {
    cveId,
    vendorProject: entry.vendorProject.trim(),
    product: entry.product.trim(),
    vulnerabilityName: entry.vulnerabilityName.trim(),
    dateAdded,
    shortDescription: entry.shortDescription.trim(),
    requiredAction: entry.requiredAction.trim(),
    dueDate: dueDate || null,
    isKnownRansomware: entry.knownRansomwareCampaignUse?.trim().toLowerCase() === 'known',
    notes: entry.notes?.trim() ?? null,
    cwes: entry.cwes ?? [],
    isFuture: dateAdded > today,
  }
  // The hash uses CISA's date: a future one that is replaced by today would change the hash every day.
  const contentHash = hash('sha256', JSON.stringify(content), 'buffer')
  return { ...content, dateAdded: clampToToday(dateAdded, today), contentHash, releasedAt }
}
