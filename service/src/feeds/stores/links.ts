// SQL for the link table of a store, which links rows to the CVEs that they name. In all statements `changed` holds the new
// and changed rows, and `removed` the removed rows.
import { type RawBuilder, sql } from 'kysely'
import type { FeedColumn, LinkFirstSeen } from './first-seen.ts'

type Sql = RawBuilder<unknown>

export interface Links {
  /** Table in the schema `source`, with a `cve_id` column and the target table's `feedColumn`, if any. */
  readonly table: string
  readonly rowColumn: string
  readonly firstSeen?: LinkFirstSeen
  /** A text per CVE, from an array in the staging table in the order of `cve_ids`. */
  readonly content?: { readonly column: string; readonly staged: string }
}

export function selectLinks(links: Links, feedColumn: FeedColumn | undefined, rows: 'removed' | 'changed'): Sql {
  return sql`
    select link.cve_id
      from ${sql.id('source', links.table)} link
      join ${sql.id(rows)} rows
        on rows.row_key = link.${sql.id(links.rowColumn)}
     where ${isLinkOfFeed(feedColumn)}
  `
}

/** Builds the part of a `with` clause that links each changed row to exactly the CVEs in its `cve_ids`. */
export function replaceLinks(links: Links, feedColumn: FeedColumn | undefined, now: Date): Sql {
  const table = sql.id('source', links.table)
  const { firstSeen, content } = links
  const added = [
    ...(feedColumn ? [{ name: feedColumn.name, value: sql`${feedColumn.value}` }] : []),
    { name: links.rowColumn, value: sql`row_key` },
    { name: 'cve_id', value: sql`unnest(cve_ids)` },
    ...(firstSeen ? [{ name: firstSeen.column, value: sql`case when is_news then ${now}::timestamptz end` }] : []),
    // PostgreSQL expands several arrays of a select list side by side.
    ...(content ? [{ name: content.column, value: sql`unnest(contents)` }] : []),
  ]
  const keys = [...(feedColumn ? [feedColumn.name] : []), links.rowColumn, 'cve_id']
  const onConflict = content
    ? sql`(${sql.join(keys.map((name) => sql.id(name)))}) do update
         set ${sql.id(content.column)} = excluded.${sql.id(content.column)}`
    : sql`do nothing`
  return sql`, unlinked as (
      delete from ${table} link
       using changed
       where ${isLinkOfFeed(feedColumn)}
         and link.${sql.id(links.rowColumn)} = changed.row_key
         and link.cve_id <> all (changed.cve_ids)
    ), linked as (
      insert into ${table} (${sql.join(added.map(({ name }) => sql.id(name)))})
      select ${sql.join(added.map(({ value }) => value))}
        from changed
      on conflict ${onConflict}
    )`
}

function isLinkOfFeed(feedColumn: FeedColumn | undefined): Sql {
  return feedColumn ? sql`link.${sql.id(feedColumn.name)} = ${feedColumn.value}` : sql`true`
}
