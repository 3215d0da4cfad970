// Publishes an EPSS release: all scores at once, in one transaction that writes only the EPSS tables and the change
// log.
import { sql, type Transaction } from 'kysely'

/**
 * Publishes the stored EPSS release. Returns the number of changed scores, or undefined if this release is already
 * published.
 */
export async function publishEpss(tx: Transaction<unknown>): Promise<number | undefined> {
  // The EPSS feed updates the row in source.epss_release last. While this transaction locks the row, the feed cannot
  // commit, so that the following statements read the scores of the same release.
  const { rows: unpublished } = await sql`
    select
      from source.epss_release stored
     where not exists (select from catalog.epss_release published where published.revision = stored.revision)
       for share
  `.execute(tx)
  if (unpublished.length === 0) return undefined
  const { numAffectedRows } = await sql`
    update catalog.epss published
       set score = stored.score,
           percentile = stored.percentile
      from (
             select epss.cve_key, epss_score.score, epss_score.percentile
               from catalog.epss epss
               left join (
                      select catalog.cve_key(cve_id) as cve_key, score, percentile from source.epss_score
                    ) epss_score
                 on epss_score.cve_key = epss.cve_key
           ) stored
     where stored.cve_key = published.cve_key
       and (stored.score, stored.percentile) is distinct from (published.score, published.percentile)
  `.execute(tx)
  await sql`
    insert into catalog.epss_release (scored_at, model_version, revision)
    select scored_at, model_version, revision
      from source.epss_release
    on conflict (is_current) do update
       set scored_at = excluded.scored_at,
           model_version = excluded.model_version,
           revision = excluded.revision
  `.execute(tx)
  await sql`insert into catalog.change (kind, fields) values ('epss', '{epss}')`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
