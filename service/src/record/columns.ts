// SQL for the columns that the selected members of a CVE need:
//
//   select ${recordColumns(selection)} from catalog.cve as cve ${RECORD_JOINS} where …
import { type RawBuilder, sql } from 'kysely'
import { type CveRow, listReadColumns } from '../contract/record/cve-fields.ts'
import type { Selection } from './selection.ts'

/** Requires the alias `cve`. */
export const RECORD_JOINS = sql`
          join catalog.cve_document as document on document.cve_key = cve.cve_key
          left join catalog.kev as kev on kev.cve_key = cve.cve_key
          left join catalog.epss as epss on epss.cve_key = cve.cve_key
          left join catalog.epss_release as epss_release on true`

/** Reads only the selected columns, because `cpe` and `references` can be several megabytes. */
export function recordColumns({ form, fields }: Selection): RawBuilder<CveRow> {
  const columns = new Set(fields.flatMap((field) => listReadColumns(field, form)))
  return sql<CveRow>`${sql.join([
    sql`cve.cve_key`,
    EPSS_COLUMNS,
    ...(fields.includes('kev') ? [sql`${sql.ref(`kev.${KEV_COLUMNS[form]}`)} as kev`] : []),
    ...(fields.includes('aliases') ? [ALIASES] : []),
    ...[...columns].map((column) => sql.ref(`document.${column}`)),
  ])}`
}

export const EPSS_COLUMNS = sql`
  epss.score as epss_score,
  epss.percentile as epss_percentile,
  epss.held_since::text[] as epss_held,
  epss_release.model_version as epss_model,
  epss_release.thresholds as epss_thresholds,
  epss_release.known_from::text as epss_known_from,
  to_char(epss_release.scored_at at time zone 'utc', 'YYYY-MM-DD') as epss_day`

/** Neither aliases nor source names contain a blank. */
const ALIASES = sql`
  array(
    select alias.alias || ' ' || alias.source
      from catalog.alias
     where alias.cve_key = cve.cve_key
     order by alias.alias
  ) as aliases`

const KEV_COLUMNS = { single: 'summary', listed: 'summary', batch: 'in_batch', recent: 'in_recent' } as const
