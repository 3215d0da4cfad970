// A publication warns if too many CVEs are P0 or P1: users could not act on all of them, and a source or the policy is
// probably wrong.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { listRanks } from '../../domain/priority/policy.ts'

export interface UrgentShare {
  /** CVEs with priority P0 or P1. */
  readonly urgent: number
  readonly cves: number
}

/** 1.8 % with the scores of 2026-06 and 2026-08. */
const MAX_SHARE = 0.025
/** A small catalog, such as the demo's, has mostly well-known CVEs, so its share is not checked. */
const MIN_CVES = 10_000

export function isShareTooLarge({ urgent, cves }: UrgentShare): boolean {
  return cves > MIN_CVES && urgent > cves * MAX_SHARE
}

/** Reads about 5,000 entries of the index cve_priority; the number of CVEs comes from the totals of /stats. */
export async function readUrgentShare(db: Database): Promise<UrgentShare> {
  const { rows } = await sql<UrgentShare>`
    select (select count(*)::float8 from catalog.cve where priority >= ${listRanks('P1').min}) as urgent,
           coalesce((select total_cves::float8 from catalog.statistic), 0) as cves
  `.execute(db)
  return rows[0] ?? { urgent: 0, cves: 0 }
}

export function describeUrgentShare({ urgent, cves }: UrgentShare): string {
  const share = ((100 * urgent) / cves).toFixed(2)
  return `${urgent} of ${cves} CVEs (${share} %) have the priority P0 or P1, more than ${100 * MAX_SHARE} %; check the feeds kev, eukev and epss with vis-server catalog priorities`
}
