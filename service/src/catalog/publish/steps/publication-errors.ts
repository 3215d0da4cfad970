// One bad source record must never stop a publication: its CVE is recorded with the reason.
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../../domain/cve-id.ts'
import type { Published } from '../../render/published.ts'

export interface PublicationError {
  readonly cveId: CveId
  readonly reason: string
}

const MAX_REASON_LENGTH = 500
/** Both a PostgreSQL timestamp and the format `2026-08-22T09:30:00Z` can represent these years. */
const [MIN_YEAR, MAX_YEAR] = [1, 9999]

/** Checks the values before COPY, because one refused row would fail the whole batch. */
export function assertStorable(published: Published): Published {
  const { search, fragments } = published
  for (const instant of [search.published, search.modified])
    if (instant && !isStorable(instant)) throw new Error(`the time ${String(instant)} cannot be stored`)
  if ([search.text, search.status, ...Object.values(fragments)].some((text) => text.includes('\0')))
    throw new Error('text with a NUL character cannot be stored')
  return published
}

function isStorable(instant: Date): boolean {
  const year = instant.getUTCFullYear()
  return year >= MIN_YEAR && year <= MAX_YEAR
}

/** Replaces the recorded errors for these ids. */
export async function recordPublicationErrors(
  tx: Transaction<unknown>,
  ids: readonly CveId[],
  errors: readonly PublicationError[],
  now: Date,
): Promise<void> {
  await sql`
    delete from catalog.publication_fault
     where cve_id = any (${ids}::text[])
  `.execute(tx)
  if (errors.length === 0) return
  await sql`
    insert into catalog.publication_fault (cve_id, reason, at)
    select cve_id, reason, ${now}::timestamptz
      from unnest(
             ${errors.map(({ cveId }) => cveId)}::text[],
             ${errors.map(({ reason }) => toStorableReason(reason))}::text[]
           ) as failed (cve_id, reason)
  `.execute(tx)
}

function toStorableReason(reason: string): string {
  return reason
    .slice(0, MAX_REASON_LENGTH)
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
}
