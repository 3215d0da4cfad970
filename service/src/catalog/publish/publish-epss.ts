// Publishes an EPSS release: all scores at once, in one transaction that writes only the EPSS tables and the change log,
// and queues the few CVEs whose record depends on the new score.
import { sql, type Transaction } from 'kysely'
import { EPSS_THRESHOLDS } from '../../domain/priority/policy.ts'
import { MIN_DETAIL_EPSS } from '../render/detail.ts'

/**
 * EPSS scores at which a published record changes: whether it has detail records (decision D12), and its priority. At
 * most about 2,000 CVEs a day cross one of them.
 */
const THRESHOLDS = [...new Set([MIN_DETAIL_EPSS, ...EPSS_THRESHOLDS])].toSorted((a, b) => a - b)

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
  const changed = await publishScores(tx)
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
  return changed
}

/**
 * Writes the changed scores and returns their number. Queues the CVEs whose score crosses a threshold, and the CVEs with
 * a public exploit that get their first score, because the priority policy has a rule for exploits without a score.
 */
async function publishScores(tx: Transaction<unknown>): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with changed as (
      update catalog.epss published
         set score = stored.score,
             percentile = stored.percentile
        from (
               select epss.cve_key, epss.score as old_score, epss_score.score, epss_score.percentile
                 from catalog.epss epss
                 left join (
                        select catalog.cve_key(cve_id) as cve_key, score, percentile from source.epss_score
                      ) epss_score
                   on epss_score.cve_key = epss.cve_key
             ) stored
       where stored.cve_key = published.cve_key
         and (stored.score, stored.percentile) is distinct from (published.score, published.percentile)
      returning published.cve_key, stored.old_score, stored.score
    ), queued as (
      insert into source.publication_queue (cve_id, feed)
      select catalog.cve_id(cve_key), 'epss'
        from changed
       where width_bucket(coalesce(old_score, 0), ${THRESHOLDS}::float8[])
             <> width_bucket(coalesce(score, 0), ${THRESHOLDS}::float8[])
          or (
               (old_score is null) <> (score is null)
               and exists (select from catalog.cve where cve.cve_key = changed.cve_key and cve.has_exploit)
             )
       order by cve_key
    )
    select count(*)::integer as changed
      from changed
  `.execute(tx)
  return rows[0]?.changed ?? 0
}
