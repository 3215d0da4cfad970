import { type RawBuilder, sql } from 'kysely'
import type { CursorPosition } from '../../../contract/cursor.ts'
import type { Database } from '../../../database/postgres.ts'

export interface KevFilters {
  /** Text that the vendor's name must contain, in lower case. */
  readonly vendor: string | undefined
  /** Text that the product's name must contain, in lower case. */
  readonly product: string | undefined
  readonly ransomware: boolean | undefined
  /** First and last due date of the range as YYYY-MM-DD, both included. */
  readonly dueAfter: string | undefined
  readonly dueBefore: string | undefined
}

interface KevPageQuery {
  readonly filters: KevFilters
  readonly limit: number
  /** The position of the last KEV entry on the previous page; undefined for the first page. */
  readonly after: CursorPosition | undefined
}

interface KevPage {
  /** JSON text of each KEV entry on the page. */
  readonly entries: readonly string[]
  /** The position of the last KEV entry on the page, if another page follows. */
  readonly last: { readonly value: string; readonly key: string } | undefined
  readonly totalEstimate: number
  /** A text that changes whenever the KEV entries on the page change; the ETag is computed from it. */
  readonly version: string
}

interface Row {
  readonly cve_key: string
  readonly day_added: string
  readonly entry: string
  readonly content_hash: Buffer
  readonly total: string | null
}

/**
 * Reads one page of KEV entries plus one entry, to find out whether another page follows. The table is small and needs
 * no index.
 */
export async function readKevPage(db: Database, { filters, limit, after }: KevPageQuery): Promise<KevPage> {
  const { rows } = await sql<Row>`
    select cve_key,
           to_char(date_added, 'YYYY-MM-DD') as day_added,
           entry,
           content_hash,
           ${after ? sql`null` : sql`count(*) over ()`} as total
      from catalog.kev
     where ${sql.join(buildConditions(filters, after), sql` and `)}
     order by date_added desc, cve_key desc
     limit ${limit + 1}
  `.execute(db)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    entries: page.map(({ entry }) => entry),
    last: last && { value: last.day_added, key: last.cve_key },
    totalEstimate: after?.totalEstimate ?? Number(rows[0]?.total ?? 0),
    version: page.map(({ cve_key, content_hash }) => `${cve_key} ${content_hash.toString('base64')}`).join(' '),
  }
}

/**
 * Builds an SQL condition that is true if the name contains the text in any letter case. `like` is not used, because it
 * gives % and _ a special meaning.
 */
function containsText(name: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  return sql`position(lower(${part} collate catalog.letters) in lower(${name} collate catalog.letters)) > 0`
}

function buildConditions(filters: KevFilters, after: CursorPosition | undefined): RawBuilder<unknown>[] {
  const { vendor, product, ransomware, dueAfter, dueBefore } = filters
  return [
    sql`true`,
    ...(vendor === undefined ? [] : [containsText(sql`vendor_project`, vendor)]),
    ...(product === undefined ? [] : [containsText(sql`product`, product)]),
    ...(ransomware === undefined ? [] : [sql`known_ransomware = ${ransomware}`]),
    ...(dueAfter === undefined ? [] : [sql`due_date >= ${dueAfter}`]),
    ...(dueBefore === undefined ? [] : [sql`due_date <= ${dueBefore}`]),
    ...(after === undefined ? [] : [sql`(date_added, cve_key) < (${after.value}::date, ${after.key}::bigint)`]),
  ]
}
