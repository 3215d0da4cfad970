// SQL for the columns that the selected members of a CVE need:
//
//   select ${recordColumns(selection)} from catalog.cve as cve ${RECORD_JOINS} where …
import { type RawBuilder, sql } from 'kysely'
import { type CveRow, listReadColumns } from '../contract/record/cve-fields.ts'
import { DAYS_BEFORE_NEWEST } from '../domain/epss-series/weekly-trend.ts'
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
    ...(fields.includes('epss_trend') ? [EPSS_MONTHS, EPSS_MODEL_CHANGES] : []),
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

/** Part of the statement that reads the rows, so that the scores belong to the same release as `epss`. */
export const EPSS_MONTHS = sql`
  (
    select coalesce(json_agg(json_build_object('month', month, 'scores', encode(scores, 'hex'))), '[]')
      from catalog.epss_series
     where epss_series.cve_key = cve.cve_key
       and month <= (epss_release.scored_at at time zone 'utc')::date
       and month >= date_trunc('month', epss_release.scored_at at time zone 'utc'
                                        - make_interval(days => ${sql.lit(DAYS_BEFORE_NEWEST)}))::date
  ) as epss_months`

const TREND_DAYS = sql.lit(DAYS_BEFORE_NEWEST)

/** The changes of the EPSS model in the same weeks. It refers to no row of the statement, so it is read once for all. */
export const EPSS_MODEL_CHANGES = sql`
  (
    select coalesce(json_agg(json_build_object('date', day, 'model', model, 'previous', previous) order by day), '[]')
      from (select day,
                   newest,
                   model_version as model,
                   lag(model_version) over (order by day) as previous,
                   row_number() over (order by day) as place
              from catalog.epss_day,
                   (select (scored_at at time zone 'utc')::date as newest from catalog.epss_release) as release
             where day <= newest
               and day >= coalesce((select max(day) from catalog.epss_day where day < newest - ${TREND_DAYS}),
                                   newest - ${TREND_DAYS})) as held
     where day >= newest - ${TREND_DAYS}
       and place > 1
       and model is distinct from previous
  ) as epss_model_changes`

const KEV_COLUMNS = { single: 'summary', listed: 'summary', batch: 'in_batch', recent: 'in_recent' } as const
