// Totals are a row that the catalog keeps; the windows of time are counted here.
//
// The windows are written by this process, from the database that it reads, at most once a minute for all who ask. If
// the process dies, they are counted again. A replica tells its own, later ones.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'

interface Totals {
  readonly totalCves: number
  readonly totalKev: number
  readonly totalWithEpss: number
  readonly totalWithAcsc: number
  readonly averageEpss: number
  /** When a feed last succeeded. */
  readonly lastUpdated: Date | null
}

interface TotalsRow {
  readonly total_cves: string
  readonly total_kev: string
  readonly total_with_epss: string
  readonly total_with_acsc: string
  readonly average_epss: number
  readonly last_updated: Date | null
}

/** Zero before anything was published. */
export async function readTotals(db: Database): Promise<Totals> {
  const { rows } = await sql<TotalsRow>`
    select coalesce(statistic.total_cves, 0) as total_cves,
           coalesce(statistic.total_kev, 0) as total_kev,
           coalesce(statistic.total_with_epss, 0) as total_with_epss,
           coalesce(statistic.total_with_acsc, 0) as total_with_acsc,
           coalesce(statistic.average_epss, 0) as average_epss,
           feeds.last_updated
      from (select max(last_success_at) as last_updated from catalog.dataset) as feeds
           left join catalog.statistic as statistic on true
  `.execute(db)
  const [row] = rows
  return {
    totalCves: Number(row?.total_cves ?? 0),
    totalKev: Number(row?.total_kev ?? 0),
    totalWithEpss: Number(row?.total_with_epss ?? 0),
    totalWithAcsc: Number(row?.total_with_acsc ?? 0),
    averageEpss: row?.average_epss ?? 0,
    lastUpdated: row?.last_updated ?? null,
  }
}

/** How many CVEs were published within each. */
interface Windows {
  readonly last24Hours: number
  readonly last7Days: number
  readonly last30Days: number
}

interface Counting {
  readonly at: Date
  readonly windows: Promise<Windows>
}

const FRESH_MS = 60_000
const latest = new WeakMap<Database, Counting>()

/** `now` is the time of the request, which also decides what a day ago was. */
export function countWindows(db: Database, now: Date): Promise<Windows> {
  const counted = latest.get(db)
  const ageMs = counted === undefined ? FRESH_MS : now.getTime() - counted.at.getTime()
  if (counted && ageMs >= 0 && ageMs < FRESH_MS) return counted.windows
  const counting = { at: now, windows: queryWindows(db, now) }
  latest.set(db, counting)
  // A failure is for those who wait for it, not for the rest of the minute.
  counting.windows.catch(() => latest.get(db) === counting && latest.delete(db))
  return counting.windows
}

interface WindowsRow {
  readonly last_24_hours: string
  readonly last_7_days: string
  readonly last_30_days: string
}

async function queryWindows(db: Database, now: Date): Promise<Windows> {
  const { rows } = await sql<WindowsRow>`
    select count(*) filter (where published >= ${now}::timestamptz - interval '24 hours') as last_24_hours,
           count(*) filter (where published >= ${now}::timestamptz - interval '7 days') as last_7_days,
           count(*) as last_30_days
      from catalog.cve
     where published >= ${now}::timestamptz - interval '30 days'
       and published <= ${now}::timestamptz
  `.execute(db)
  const [row] = rows
  return {
    last24Hours: Number(row?.last_24_hours ?? 0),
    last7Days: Number(row?.last_7_days ?? 0),
    last30Days: Number(row?.last_30_days ?? 0),
  }
}
