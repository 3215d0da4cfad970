// Reads the totals for /stats from the row in which each publication (the update of the public catalog) stores them,
// and counts the CVEs published in the last 24 hours, 7 days and 30 days.
//
// These counts are cached in this process for one minute. A node that reads from a replica counts the CVEs in the
// replica.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import { coalesce } from '../../coalesce.ts'

interface Totals {
  readonly totalCves: number
  readonly totalKev: number
  readonly totalWithEpss: number
  readonly totalWithAcsc: number
  readonly averageEpss: number
  /** Time of the last successful import of any feed. */
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

/**
 * Reads the totals for /stats with one query for all concurrent requests. All totals are 0 until the catalog is first
 * published.
 */
export const readTotals = coalesce(queryTotals, { maxAgeMs: 0 })

async function queryTotals(db: Database): Promise<Totals> {
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

/** The number of CVEs published within each of three periods: the last 24 hours, 7 days and 30 days. */
interface Windows {
  readonly last24Hours: number
  readonly last7Days: number
  readonly last30Days: number
}

const WINDOWS_MAX_AGE_MS = 60_000

/**
 * Counts the CVEs published within each period, at most once a minute. Each period ends at `now`, the time of the
 * request.
 */
export const countWindows = coalesce(queryWindows, { maxAgeMs: WINDOWS_MAX_AGE_MS })

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
