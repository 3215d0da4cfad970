import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatDay, parseDate } from '../../../domain/instant.ts'
import { clampToToday } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import { findIdForReport } from '../../stores/extract-ids.ts'

/** An EU KEV entry. Days are written as `YYYY-MM-DD`. */
export interface EuKevRow {
  readonly cveId: CveId
  readonly euvdId: string
  readonly vendorProject: string
  readonly product: string
  readonly dateReported: string
  readonly dateListed: string
  readonly patchedSince: string | null
  readonly origin: string
  readonly exploitation: readonly string[]
  readonly threatActors: readonly string[]
  readonly cwes: readonly string[]
  readonly contentHash: Buffer
  /** True if the day of the report or listing is later than today; such a day is replaced by today (decision C22). */
  readonly isFuture: boolean
}

/** Version 1 of the schema that ENISA publishes with the catalog. `dateAdded` is a later addition to it. */
const ENTRY = compileSchema(
  Type.Object({
    cveID: Type.String(),
    euvdID: Type.String(),
    vendorProject: Type.String(),
    product: Type.String(),
    dateReported: Type.String(),
    dateAdded: optionalOrNull(Type.String()),
    patchedSince: optionalOrNull(Type.String()),
    originSource: Type.String(),
    exploitationType: Type.Array(Type.String()),
    threatActorsExploiting: optionalOrNull(Type.Array(Type.String())),
    cwes: optionalOrNull(Type.Array(Type.String())),
  }),
)

export function normaliseEuKev(raw: unknown, now: Date): EuKevRow | Rejected {
  const id = findIdForReport(raw, 'cveID', 'an entry')
  const cveId = parseCanonicalCveId(id)
  const rejected = cveId ?? id
  if (!ENTRY.matches(raw)) return { rejected, reason: ENTRY.describeMismatch(raw) }
  if (!cveId) return { rejected, reason: 'not a CVE id' }
  const dateReported = parseDay(raw.dateReported)
  const dateListed = parseDay(raw.dateAdded || raw.dateReported)
  const patchedSince = raw.patchedSince ? parseDay(raw.patchedSince) : null
  if (dateReported === undefined) return { rejected, reason: `dateReported is not a date: "${raw.dateReported}"` }
  if (dateListed === undefined) return { rejected, reason: `dateAdded is not a date: "${raw.dateAdded}"` }
  if (patchedSince === undefined) return { rejected, reason: `patchedSince is not a date: "${raw.patchedSince}"` }
  const today = formatDay(now)
  const content = {
    cveId,
    euvdId: raw.euvdID,
    vendorProject: raw.vendorProject,
    product: raw.product,
    dateReported,
    dateListed,
    patchedSince,
    origin: raw.originSource,
    exploitation: raw.exploitationType,
    threatActors: raw.threatActorsExploiting ?? [],
    cwes: raw.cwes ?? [],
    isFuture: dateReported > today || dateListed > today,
  }
  // The hash uses the days that ENISA sent: a future day that is replaced by today would change the hash every day.
  const contentHash = hash('sha256', JSON.stringify(content), 'buffer')
  return {
    ...content,
    dateReported: clampToToday(dateReported, today),
    dateListed: clampToToday(dateListed, today),
    contentHash,
  }
}

/** ENISA writes `2026/08/18`; its documentation also mentions `2026-08-18`. */
function parseDay(text: string): string | undefined {
  const day = text.replaceAll('/', '-')
  return parseDate(day) && day
}
