import { sql, type Transaction } from 'kysely'
import { formatDay } from '../../../domain/instant.ts'
import { listRanks, UNRATED } from '../../../domain/priority/policy.ts'

/** Counts the unrated CVEs for the day of the publication. During the first load, the number would be that of a part. */
export async function countUnrated(tx: Transaction<unknown>, now: Date): Promise<void> {
  const { min, max } = listRanks(UNRATED)
  await sql`
    insert into catalog.unrated_day as counted (day, cves)
    select ${formatDay(now)}::date, count(*)
      from catalog.cve
     where priority between ${min} and ${max}
    having exists (select from catalog.first_load where finished_at is not null)
    on conflict (day) do update
       set cves = excluded.cves
     where counted.cves <> excluded.cves
  `.execute(tx)
}
