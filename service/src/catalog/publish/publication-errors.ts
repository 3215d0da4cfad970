// CVEs that could not be published: kept with the reason, so that one record never stops the others.
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../domain/cve-id.ts'
import type { Published } from '../model/published.ts'

export interface Fault {
  readonly cveId: CveId
  readonly reason: string
}

const MAX_REASON_LENGTH = 500
/** What PostgreSQL and the form `2026-08-22T09:30:00Z` both can hold. */
const [FIRST_YEAR, LAST_YEAR] = [1, 9999]

/** The database would refuse the whole batch for the sake of one. */
export function storable(published: Published): Published {
  const { columns, fragments } = published
  for (const instant of [columns.published, columns.modified])
    if (instant && !isStorable(instant)) throw new Error(`${String(instant)} is no time that can be stored`)
  if ([columns.text, columns.status, ...Object.values(fragments)].some((text) => text.includes('\0')))
    throw new Error('a NUL cannot be stored')
  return published
}

function isStorable(instant: Date): boolean {
  const year = instant.getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** Of these ids: those that are in trouble now, and no others. */
export async function recordFaults(
  tx: Transaction<unknown>,
  ids: readonly CveId[],
  faults: readonly Fault[],
  now: Date,
): Promise<void> {
  await sql`
    delete from catalog.publication_fault
     where cve_id = any (${ids}::text[])
  `.execute(tx)
  if (faults.length === 0) return
  await sql`
    insert into catalog.publication_fault (cve_id, reason, at)
    select cve_id, reason, ${now}::timestamptz
      from unnest(
             ${faults.map(({ cveId }) => cveId)}::text[],
             ${faults.map(({ reason }) =>
               reason
                 .slice(0, MAX_REASON_LENGTH)
                 .toWellFormed()
                 .replaceAll(/\p{C}+/gu, ' '),
             )}::text[]
           ) as said (cve_id, reason)
  `.execute(tx)
}
