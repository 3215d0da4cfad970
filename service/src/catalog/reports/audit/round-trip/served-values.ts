// Reads what is served about a batch of CVEs beside the documents: version ranges, detail records, KEV entries.
import { sql } from 'kysely'
import type { Database } from '../../../../database/postgres.ts'
import type { AffectedRow } from './check-affected.ts'
import { parseRaw, type Raw } from './raw-json.ts'

export interface ServedKev {
  readonly dateAdded: string
  readonly dueDate: string | null
  readonly entry: Raw
}

export interface ServedDetail {
  readonly source: string
  readonly record: Raw
}

export interface ServedValues {
  readonly affected: readonly AffectedRow[]
  readonly details: readonly ServedDetail[]
  readonly kev: ServedKev | null
}

type WithKey<T> = T & { readonly key: string }

/** Returns the values by the key of the CVE. */
export async function readServedValues(db: Database, keys: readonly string[]): Promise<(key: string) => ServedValues> {
  const [affected, details, kev] = [
    Map.groupBy(await readAffected(db, keys), ({ key }) => key),
    Map.groupBy(await readDetails(db, keys), ({ key }) => key),
    new Map((await readKev(db, keys)).map((each) => [each.key, each])),
  ]
  return (key) => ({
    affected: affected.get(key) ?? [],
    details: (details.get(key) ?? []).map(({ source, text }) => ({ source, record: parseRaw(text) })),
    kev: toKev(kev.get(key)),
  })
}

async function readAffected(db: Database, keys: readonly string[]): Promise<readonly WithKey<AffectedRow>[]> {
  const { rows } = await sql<WithKey<AffectedRow>>`
    select subject_key::text as key, kind, vendor, product, target, source, is_affected as "isAffected",
           is_vague as "isVague", low, low_in is true as "isLowIncluded", high, high_in is true as "isHighIncluded",
           versions, fixed
      from catalog.affected
      join catalog.affected_name using (name_key)
     where subject_key = any (${keys}::bigint[])
     order by subject_key, nr
  `.execute(db)
  return rows
}

async function readDetails(db: Database, keys: readonly string[]) {
  const { rows } = await sql<WithKey<{ readonly source: string; readonly text: string }>>`
    select cve_key::text as key, source, record as text
      from catalog.cve_detail
     where cve_key = any (${keys}::bigint[])
  `.execute(db)
  return rows
}

async function readKev(db: Database, keys: readonly string[]) {
  const { rows } = await sql<WithKey<Omit<ServedKev, 'entry'> & { readonly text: string }>>`
    select cve_key::text as key, date_added::text as "dateAdded", due_date::text as "dueDate", entry as text
      from catalog.kev
     where cve_key = any (${keys}::bigint[])
  `.execute(db)
  return rows
}

function toKev(row: (Omit<ServedKev, 'entry'> & { readonly text: string }) | undefined): ServedKev | null {
  return row === undefined ? null : { dateAdded: row.dateAdded, dueDate: row.dueDate, entry: parseRaw(row.text) }
}
