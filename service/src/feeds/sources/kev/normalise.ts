import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { parseDate } from '../../../domain/instant.ts'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'

export interface RawKevEntry {
  readonly entry: unknown
  /** Of the catalogue it is in. */
  readonly releasedAt: Date
}

export interface KevRow {
  readonly cveId: CveId
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  /** Days as `YYYY-MM-DD`. */
  readonly dateAdded: string
  readonly shortDescription: string
  readonly requiredAction: string
  readonly dueDate: string | null
  readonly isKnownRansomware: boolean
  readonly notes: string | null
  readonly cwes: readonly string[]
  readonly contentHash: Buffer
  /** It was dated later than now, and is cut to now. */
  readonly isFuture: boolean
  readonly releasedAt: Date
}

const ENTRY = shapeOf(
  Type.Object({
    cveID: Type.String(),
    vendorProject: Type.String(),
    product: Type.String(),
    vulnerabilityName: Type.String(),
    dateAdded: Type.String(),
    shortDescription: Type.String(),
    requiredAction: Type.String(),
    dueDate: orNull(Type.String()),
    knownRansomwareCampaignUse: orNull(Type.String()),
    notes: orNull(Type.String()),
    cwes: orNull(Type.Array(Type.String())),
  }),
)

export function normaliseKev({ entry, releasedAt }: RawKevEntry, now: Date): KevRow | Rejected {
  const cveId = parseCanonicalCveId(idOf(entry))
  const rejected = cveId ?? idOf(entry)
  if (!ENTRY.fits(entry)) return { rejected, reason: ENTRY.fault(entry) }
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  const { dateAdded, dueDate } = entry
  if (!parseDate(dateAdded)) return { rejected, reason: `dateAdded is not a day: "${dateAdded}"` }
  if (dueDate && !parseDate(dueDate)) return { rejected, reason: `dueDate is not a day: "${dueDate}"` }
  const today = now.toISOString().slice(0, 10)
  const isFuture = dateAdded > today
  const said = {
    cveId,
    vendorProject: entry.vendorProject,
    product: entry.product,
    vulnerabilityName: entry.vulnerabilityName,
    dateAdded,
    shortDescription: entry.shortDescription,
    requiredAction: entry.requiredAction,
    dueDate: dueDate || null,
    isKnownRansomware: entry.knownRansomwareCampaignUse?.trim().toLowerCase() === 'known',
    notes: entry.notes ?? null,
    cwes: entry.cwes ?? [],
    isFuture,
  }
  // Of what the catalogue says, not of what we make of it: a day that is cut to today would be another one tomorrow.
  const contentHash = hash('sha256', JSON.stringify(said), 'buffer')
  return { ...said, dateAdded: isFuture ? today : dateAdded, contentHash, releasedAt }
}

function idOf(entry: unknown): string {
  const id = typeof entry === 'object' && entry !== null && 'cveID' in entry ? entry.cveID : undefined
  return typeof id === 'string' ? id : 'an entry without an id'
}
