import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { Place } from '../../cursor.ts'

export interface KevFilters {
  /** Parts of names, in lower case. */
  readonly vendor: string | undefined
  readonly product: string | undefined
  readonly ransomware: boolean | undefined
  /** Days, both included. */
  readonly dueAfter: string | undefined
  readonly dueBefore: string | undefined
}

interface Wanted {
  readonly filters: KevFilters
  readonly limit: number
  /** Nothing on the first page. */
  readonly place: Place | undefined
}

interface KevPage {
  /** Finished JSON. */
  readonly entries: readonly string[]
  /** Of the last entry, when there are more. */
  readonly last: { readonly value: string; readonly key: string } | undefined
  readonly totalEstimate: number
  /** Stands for the entries, for the ETag. */
  readonly version: string
}

interface Row {
  readonly cve_key: string
  readonly day_added: string
  readonly entry: string
  readonly content_hash: Buffer
  readonly total: string | null
}

/** Reads one entry more than asked for, to know whether there are more. The catalogue is small: no index is needed. */
export async function readKevPage(db: Database, { filters, limit, place }: Wanted): Promise<KevPage> {
  const { rows } = await sql<Row>`
    select cve_key,
           to_char(date_added, 'YYYY-MM-DD') as day_added,
           entry,
           content_hash,
           ${place ? sql`null` : sql`count(*) over ()`} as total
      from catalog.kev
     where ${sql.join(predicates(filters, place), sql` and `)}
     order by date_added desc, cve_key desc
     limit ${limit + 1}
  `.execute(db)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    entries: page.map(({ entry }) => entry),
    last: last && { value: last.day_added, key: last.cve_key },
    totalEstimate: place?.totalEstimate ?? Number(rows[0]?.total ?? 0),
    version: page.map(({ cve_key, content_hash }) => `${cve_key} ${content_hash.toString('base64')}`).join(' '),
  }
}

/** A part of a name in any letter case. Not `like`, to which some characters are special. */
function holds(name: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  return sql`position(lower(${part} collate catalog.letters) in lower(${name} collate catalog.letters)) > 0`
}

function predicates(filters: KevFilters, place: Place | undefined): RawBuilder<unknown>[] {
  const { vendor, product, ransomware, dueAfter, dueBefore } = filters
  return [
    sql`true`,
    ...(vendor === undefined ? [] : [holds(sql`vendor_project`, vendor)]),
    ...(product === undefined ? [] : [holds(sql`product`, product)]),
    ...(ransomware === undefined ? [] : [sql`known_ransomware = ${ransomware}`]),
    ...(dueAfter === undefined ? [] : [sql`due_date >= ${dueAfter}`]),
    ...(dueBefore === undefined ? [] : [sql`due_date <= ${dueBefore}`]),
    ...(place === undefined ? [] : [sql`(date_added, cve_key) < (${place.value}::date, ${place.key}::bigint)`]),
  ]
}
