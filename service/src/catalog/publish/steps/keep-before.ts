// Keeps the old values of the columns that filters of /cves read (catalog.change_before), so that a reader of the change
// log can tell whether a CVE was a hit of a search before a change. Call it before the changed rows are written.
import { sql, type Transaction } from 'kysely'
import type { CveKey } from '../../../domain/cve-id.ts'
import type { LoggedRow } from '../../changes/log.ts'
import { CVE_COLUMNS, STAGED_EXPRESSIONS } from '../indexes/search-columns.ts'

/**
 * Columns of no filter: the key, which never changes, the hash of the published record, and columns that only the order of
 * hits and the conditions of indexes read.
 */
const NOT_KEPT = ['cve_key', 'content_hash', 'is_enriched', 'event_day']
const KEPT_CVE_COLUMNS = CVE_COLUMNS.filter((name) => !NOT_KEPT.includes(name))

/**
 * The columns that are kept, by table. A score of EPSS is kept by catalog.epss_moved, because a release changes very many;
 * percentiles move with the scores of other CVEs and are not kept.
 */
export const KEPT_COLUMNS: Readonly<Record<'cve' | 'product' | 'kev' | 'epss', readonly string[]>> = {
  cve: KEPT_CVE_COLUMNS,
  product: ['vendor', 'product'],
  kev: ['date_added'],
  epss: ['score'],
}

/** KEV entries are published before the CVE, so the old day is read from the logged difference. */
const OLD_KEV = sql`
  case when logged.diff -> 'kev.dateAdded' is null then '{}'
       when logged.diff -> 'kev.dateAdded' ->> 'old' is null then '{"kev": []}'
       else jsonb_build_object(
              'kev', jsonb_build_array(jsonb_build_object('date_added', logged.diff -> 'kev.dateAdded' -> 'old'))
            )
  end`

/**
 * The lateral subquery with `offset 0` lets the planner expect as many rows as there are numbers. Statistics of the change
 * log do not know the rows of this transaction, and with one expected row it would compute the staged columns of all CVEs
 * again for each of them. With the first and the last number, only their range of the log is planned.
 */
const selectLogged = (rows: readonly LoggedRow[], kind: 'changed' | 'removed' | 'kev') => sql`
  (
    select appended.seq, stored.cve_key, stored.diff
      from unnest(${rows.map(({ seq }) => seq)}::bigint[]) as appended (seq)
     cross join lateral (
             select cve_key, diff
               from catalog.change
              where change.seq = appended.seq
                and change.seq between ${rows[0]?.seq} and ${rows.at(-1)?.seq}
                and kind = ${sql.lit(kind)}
             offset 0
           ) stored
  ) logged`

const PRODUCTS = sql`jsonb_agg(distinct jsonb_build_object('vendor', vendor, 'product', product))`
const OLD_PRODUCTS = sql`
  coalesce((select ${PRODUCTS} from catalog.cve_product_name named where named.cve_key = logged.cve_key), '[]')`

const OLD_DIFFERING_COLUMNS = sql.join(
  KEPT_CVE_COLUMNS.map((name) => {
    const old = sql`published.${sql.id(name)}`
    return sql`
      case when staged.${sql.id(name)} is distinct from ${old} then jsonb_build_object(${sql.lit(name)}::text, ${old})
           else '{}'
      end`
  }),
  sql` || `,
)

/**
 * Returns those of the staged CVEs that differ in a column or a product that a filter reads. Only the words are computed
 * again, and these mostly from the published words.
 */
export async function findFilteredDifferences(
  tx: Transaction<unknown>,
  keys: readonly CveKey[],
): Promise<ReadonlySet<CveKey>> {
  if (keys.length === 0) return new Set()
  // The lateral subqueries with `offset 0` force index lookups, as in findChanges.
  const { rows } = await sql<{ key: CveKey }>`
    select logged.cve_key::text as key
      from (select ${STAGED_EXPRESSIONS} from staged_cve where cve_key = any (${keys}::bigint[])) logged
     cross join lateral (select * from catalog.cve where cve_key = logged.cve_key offset 0) published
      left join (select cve_key, ${PRODUCTS} as list from staged_product group by cve_key) staged_products
        on staged_products.cve_key = logged.cve_key
     where (${listColumns('logged')}) is distinct from (${listColumns('published')})
        or coalesce(staged_products.list, '[]') <> ${OLD_PRODUCTS}
  `.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

const listColumns = (table: string) => sql.join(KEPT_CVE_COLUMNS.map((name) => sql.ref(`${table}.${name}`)))

/** For the rows of changed CVEs in a chunk that is staged. An unchanged CVE is no longer staged. */
export async function keepChanged(tx: Transaction<unknown>, rows: readonly LoggedRow[]): Promise<void> {
  if (rows.length === 0) return
  // The lateral subqueries with `offset 0` force index lookups, as in findChanges.
  await sql`
    insert into catalog.change_before (seq, row)
    select seq, differing.cve || products.differing || ${OLD_KEV}
      from ${selectLogged(rows, 'changed')}
      left join (select cve_key as staged_key, ${STAGED_EXPRESSIONS} from staged_cve) staged
        on staged.staged_key = logged.cve_key
      left join lateral (select * from catalog.cve where cve_key = logged.cve_key offset 0) published
        on true
     cross join lateral (select ${OLD_DIFFERING_COLUMNS} as columns offset 0) compared
     cross join lateral (
             select case when staged.staged_key is null or compared.columns = '{}' then '{}'
                         else jsonb_build_object('cve', compared.columns)
                    end as cve
           ) differing
      left join (select cve_key, ${PRODUCTS} as list from staged_product group by cve_key) staged_products
        on staged_products.cve_key = logged.cve_key
     cross join lateral (select ${OLD_PRODUCTS} as old offset 0) named
     cross join lateral (
             select case when staged.staged_key is null or named.old = coalesce(staged_products.list, '[]') then '{}'
                         else jsonb_build_object('product', named.old)
                    end as differing
           ) products
     where differing.cve || products.differing || ${OLD_KEV} <> '{}'
  `.execute(tx)
}

/** For the rows of CVEs that only KEV changed. */
export async function keepKev(tx: Transaction<unknown>, rows: readonly LoggedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into catalog.change_before (seq, row)
    select seq, ${OLD_KEV}
      from ${selectLogged(rows, 'kev')}
     where ${OLD_KEV} <> '{}'
  `.execute(tx)
}

const OLD_COLUMNS = sql.join(KEPT_CVE_COLUMNS.map((name) => sql`${sql.lit(name)}::text, published.${sql.id(name)}`))

/** For the rows of removed CVEs, with all values. */
export async function keepRemoved(tx: Transaction<unknown>, rows: readonly LoggedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into catalog.change_before (seq, row)
    select seq,
           jsonb_build_object(
             'cve', jsonb_build_object(${OLD_COLUMNS}),
             'product', ${OLD_PRODUCTS},
             'epss', (
               select coalesce(jsonb_agg(jsonb_build_object('score', score)), '[]')
                 from catalog.epss
                where cve_key = logged.cve_key
             )
           ) || ${OLD_KEV}
      from ${selectLogged(rows, 'removed')}
      join catalog.cve published
        on published.cve_key = logged.cve_key
  `.execute(tx)
}
