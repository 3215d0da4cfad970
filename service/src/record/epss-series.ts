// Reads the EPSS scores of a CVE over time.
import { sql } from 'kysely'
import { createFixedStatement } from '../database/fixed-statement.ts'
import type { Database } from '../database/postgres.ts'
import type { CveKey } from '../domain/cve-id.ts'
import { decodeMonth } from '../domain/epss-series/codec.ts'
import type { DayRange } from '../domain/epss-series/days.ts'
import { type EpssMovements, listMovements } from '../domain/epss-series/movements.ts'
import type { EpssDay } from '../domain/epss-series/mover-windows.ts'
import type { DatedScore, StoredSeries } from '../domain/epss-series/stored-series.ts'
import { listPackedSsvc } from '../domain/priority/ssvc.ts'

interface StoredMonth {
  readonly month: string
  /** Encoded bytes in hexadecimal, like `percentiles`. */
  readonly scores: string
  readonly percentiles: string
}

interface Row {
  readonly is_known: boolean
  readonly is_exploited: boolean
  readonly months: readonly StoredMonth[]
  /** The EPSS model of each day. */
  readonly days: Readonly<Record<string, string | null>>
  /** The last day with a release before the window. */
  readonly previous: EpssDay | null
  /** The first month in which the CVE has a score. */
  readonly first: StoredMonth | null
  readonly newest: string | null
}

/** Values of catalog.cve.ssvc of CVEs that are known to be exploited. */
const EXPLOITED = listPackedSsvc(({ exploitation }) => exploitation === 'active').map((value) => sql.lit(value))

const MONTH = sql`
  json_build_object('month', month, 'scores', encode(scores, 'hex'), 'percentiles', encode(percentiles, 'hex'))`

/** A single statement, so that days and scores belong to the same release. The parameters are used in this order. */
const statement = createFixedStatement(sql<Row>`
  with asked as (
    select ${'key'}::bigint as cve_key, ${'from'}::date as first, ${'to'}::date as last
  )
  select exists (select from catalog.cve where cve.cve_key = asked.cve_key) as is_known,
         exists (
           select from catalog.cve where cve.cve_key = asked.cve_key and cve.ssvc in (${sql.join(EXPLOITED)})
         ) as is_exploited,
         (
           select coalesce(json_agg(${MONTH} order by month), '[]')
             from catalog.epss_series
            where epss_series.cve_key = asked.cve_key
              and month between date_trunc('month', asked.first)::date and asked.last
         ) as months,
         (
           select coalesce(json_object_agg(day, model_version order by day), '{}')
             from catalog.epss_day
            where day between asked.first and asked.last
         ) as days,
         (
           select json_build_object('day', day, 'model', model_version)
             from catalog.epss_day
            where day < asked.first
            order by day desc
            limit 1
         ) as previous,
         (
           select ${MONTH}
             from catalog.epss_series
            where epss_series.cve_key = asked.cve_key
            order by month
            limit 1
         ) as first,
         (select to_char(max(day), 'YYYY-MM-DD') from catalog.epss_day) as newest
    from asked
`)

/** Returns undefined for an unknown CVE. */
export async function readSeries(db: Database, key: CveKey, { from, to }: DayRange): Promise<StoredSeries | undefined> {
  const [row] = await statement(db, [key, from, to])
  if (!row?.is_known) return undefined
  return {
    scores: row.months.flatMap(listScores).filter(({ date }) => date >= from && date <= to),
    days: Object.entries(row.days).map(([day, model]) => ({ day, model })),
    previous: row.previous,
    firstScored: (row.first && listScores(row.first)[0]?.date) ?? null,
    newest: row.newest,
    isExploited: row.is_exploited,
  }
}

/** How the score moved in a window of days. Without scores, nothing moved. */
export async function readMovements(db: Database, key: CveKey | undefined, window: DayRange): Promise<EpssMovements> {
  const stored = key && (await readSeries(db, key, window))
  return listMovements(
    window,
    stored ?? { scores: [], days: [], previous: null, firstScored: null, newest: null, isExploited: false },
  )
}

function listScores({ month, scores, percentiles }: StoredMonth): DatedScore[] {
  const decoded = decodeMonth({ scores: Buffer.from(scores, 'hex'), percentiles: Buffer.from(percentiles, 'hex') })
  const prefix = month.slice(0, 'YYYY-MM-'.length)
  // Faster than date arithmetic, which would take up most of the time for a long series.
  return decoded.flatMap((score, index) =>
    score === null ? [] : [{ date: prefix + String(index + 1).padStart(2, '0'), ...score }],
  )
}
