// Counts the totals for /stats if anything was published since the last count. EPSS scores and ACSC notices are counted
// only for CVEs with a publication date. A CVE that only KEV lists has none (decision C20).
import { sql, type Transaction } from 'kysely'

export async function refreshStatistics(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into catalog.statistic (total_cves, total_kev, total_with_epss, total_with_acsc, average_epss, change_seq)
    select (select count(*) from catalog.cve),
           (select count(*) from catalog.kev),
           scored.count,
           (select count(*) from catalog.cve where has_notice and published is not null),
           coalesce(scored.average, 0),
           newest.seq
      from (select coalesce(max(seq), 0) as seq from catalog.change) newest,
           (
             select count(*) as count, avg(epss.score) as average
               from catalog.epss
               join catalog.cve using (cve_key)
              where epss.score is not null and cve.published is not null
           ) scored
     where newest.seq > coalesce((select change_seq from catalog.statistic), -1)
        -- A first load writes no changes.
        or exists (select from catalog.first_load where finished_at is null)
    on conflict (is_current) do update
       set total_cves = excluded.total_cves,
           total_kev = excluded.total_kev,
           total_with_epss = excluded.total_with_epss,
           total_with_acsc = excluded.total_with_acsc,
           average_epss = excluded.average_epss,
           change_seq = excluded.change_seq
  `.execute(tx)
}
