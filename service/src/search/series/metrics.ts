// The metrics of /stats/series and /stats/top in one table: which rows each one counts, and since when they are complete.
import { type RawBuilder, sql } from 'kysely'
import type { Moment } from '../../contract/request/value-types.ts'
import { SEVERITY_BANDS } from '../../domain/cvss/severity.ts'
import type { DayRange } from '../../domain/epss-series/days.ts'
import { LEVELS, URGENT_LEVELS } from '../../domain/priority/policy.ts'
import type { EventMetricName, SplitName } from '../../domain/series/metrics.ts'
import { LOG_START } from '../../record/change-log/since.ts'
import { COUNTED_CHANGE } from '../counted-changes.ts'
import { selectValue } from '../facets/facets.ts'
import type { FilterValues } from '../filters/table.ts'

interface Split {
  /** Says to what the values refer. */
  readonly meaning: string
  readonly value: RawBuilder<unknown>
  /** All values, in the order of answers; null stands for events without a value. */
  readonly values: readonly (string | null)[]
  /** Values that are shown beside the count and are not part of it, each with the start of its data. */
  readonly beside?: Readonly<Record<string, RawBuilder<unknown>>>
}

/** The rows that a metric counts. An expression may read a row of catalog.cve by the alias `cve`; it can be missing. */
export interface EventMetric {
  readonly from: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
  /** Column with the day or the time of the event, by which the window is found. */
  readonly at: RawBuilder<unknown>
  readonly atType: 'date' | 'timestamptz'
  /** Further condition on the rows of the count. Rows beside the count do not have to meet it. */
  readonly condition: RawBuilder<unknown>
  /** Since when every event is known, as a timestamp in UTC; null if nothing is known yet. */
  readonly completeSince: RawBuilder<unknown>
  readonly by: Readonly<Partial<Record<SplitName, Split>>>
  /** The filters of a search that finds the CVEs of the window, if a CVE has at most one event. */
  readonly toFilters?: (window: DayRange) => FilterValues
}

const SEVERITY: Split = {
  meaning: 'Severity of the CVE now; null without a score.',
  value: selectValue('severity'),
  values: [...SEVERITY_BANDS.map(({ name }) => name), null],
}

const PRIORITY: Split = {
  meaning: 'Priority level of the CVE now; null for a rejected CVE.',
  value: selectValue('priority'),
  values: [...LEVELS, null],
}

const FIRST_EU_KEV_DAY = sql`(
  select min(date_trunc('day', upstream_at at time zone 'utc')) from catalog.event where kind = 'eu_kev_added'
)`

const CHANGE = {
  from: sql`catalog.change as change left join catalog.cve as cve on cve.cve_key = change.cve_key`,
  key: sql`change.cve_key`,
  at: sql`change.at`,
  atType: 'timestamptz',
  // Moves on as old changes are deleted.
  completeSince: sql`((${LOG_START})::timestamptz at time zone 'utc')`,
} as const

const toDay = (day: string): Moment => ({ first: new Date(`${day}T00:00:00Z`), last: new Date(`${day}T23:59:59Z`) })

const EVENT_METRICS = {
  published: {
    from: sql`catalog.cve as cve`,
    key: sql`cve.cve_key`,
    at: sql`cve.published`,
    atType: 'timestamptz',
    condition: sql`true`,
    completeSince: sql`(select date_trunc('day', min(published) at time zone 'utc') from catalog.cve)`,
    by: { severity: SEVERITY, priority: PRIORITY },
    toFilters: ({ from, to }) => ({ published_after: toDay(from), published_before: toDay(to) }),
  },
  kev_added: {
    from: sql`(
      select cve_key, date_added, known_ransomware, 'kev' as catalog
        from catalog.kev
       union all
      select event.cve_key, (event.upstream_at at time zone 'utc')::date, null, 'eu_kev'
        from catalog.event as event
        join catalog.cve as listed on listed.cve_key = event.cve_key
       where event.kind = 'eu_kev_added'
         and listed.in_eu_kev
    ) as entry
    left join catalog.cve as cve on cve.cve_key = entry.cve_key`,
    key: sql`entry.cve_key`,
    at: sql`entry.date_added`,
    atType: 'date',
    condition: sql`entry.catalog = 'kev'`,
    completeSince: sql`(select min(date_added)::timestamp from catalog.kev)`,
    by: {
      severity: SEVERITY,
      priority: PRIORITY,
      catalog: {
        meaning:
          "kev: CISA's catalog, which is the count. eu_kev: ENISA's EU KEV catalog by its own day, beside the count; null before its first day.",
        value: sql`entry.catalog`,
        values: ['kev', 'eu_kev'],
        beside: { eu_kev: FIRST_EU_KEV_DAY },
      },
      ransomware: {
        meaning: 'Whether CISA knows of ransomware campaigns that use the CVE, as of now.',
        value: sql`entry.known_ransomware::text`,
        values: ['true', 'false'],
      },
    },
    toFilters: ({ from, to }) => ({ kev_added_after: toDay(from).first, kev_added_before: toDay(to).first }),
  },
  became_urgent: {
    ...CHANGE,
    condition: sql`${COUNTED_CHANGE} and 'became_urgent' = any (change.types)`,
    by: {
      severity: SEVERITY,
      priority: {
        meaning: 'The level that the CVE reached.',
        value: sql`change.diff -> 'priority.level' ->> 'new'`,
        values: URGENT_LEVELS,
      },
    },
  },
  exploit_added: {
    ...CHANGE,
    condition: sql`${COUNTED_CHANGE} and 'exploit_added' = any (change.types)`,
    by: { severity: SEVERITY, priority: PRIORITY },
  },
} as const satisfies Readonly<Record<EventMetricName, EventMetric>>

export const getEventMetric = (name: EventMetricName): EventMetric => EVENT_METRICS[name]

/** Null while the catalog is loaded for the first time: a count of a part would look like a whole. */
export const selectCompleteSince = (start: RawBuilder<unknown>) => sql<string | null>`(
  select to_char(${start}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    from catalog.first_load
   where finished_at is not null
)`
