// Determines how many rows a scan in sort order may read to find the hits for one page.
import { type RawBuilder, sql } from 'kysely'

/**
 * Maximum number of rows that a scan reads, whatever the size of the catalog. A scan that does not fill the page must
 * not cost more than the collection of all hits that follows it.
 */
const MAX_SCANNED_ROWS = 25_000

/** Reading one table row while collecting all hits costs as much as reading this many index rows. */
const SCANNED_ROWS_PER_HIT = 2.5

/**
 * A scan may read up to this proportion of the number of hits, even if it expects to fill the page earlier: hits may be
 * rare at the start of the sort order, and collecting all of them costs much more than a longer scan.
 */
const SHARE_OF_HITS = 1 / 20

/**
 * Builds an SQL expression for the number of rows that a scan may read to find `count` hits of a search with `total`
 * hits. It is at least the number of rows in which they are expected if hits are spread evenly, but 0 if the scan would
 * cost more than collecting all hits. The size of the catalog comes from the planner's statistics; without statistics,
 * 300,000 CVEs are assumed.
 */
export function selectScannedRows(count: number, total: number): RawBuilder<unknown> {
  const maximum = Math.min(MAX_SCANNED_ROWS, Math.ceil(total * SCANNED_ROWS_PER_HIT))
  const minimum = Math.min(MAX_SCANNED_ROWS, Math.ceil(total * SHARE_OF_HITS))
  return sql`(select case when length <= ${maximum} then greatest(length, ${minimum}) else 0 end
                from (select ceil(case when reltuples > 0 then reltuples else 300000 end * ${count / total}::float8) as length
                        from pg_class
                       where oid = 'catalog.cve'::regclass) as scan)`
}
