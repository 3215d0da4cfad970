// A day of EPSS: all scores at once, in a transaction of their own. No document is touched.
import { sql, type Transaction } from 'kysely'

/** How many scores are different now; undefined when what is published is the newest. */
export async function publishEpss(tx: Transaction<unknown>): Promise<number | undefined> {
  // The feed changes this row last. As long as it is locked here no feed can commit, so the scores that the next
  // statements see are those of this release.
  const { rows: news } = await sql`
    select
      from source.epss_release said
     where not exists (select from catalog.epss_release ours where ours.revision = said.revision)
       for share
  `.execute(tx)
  if (news.length === 0) return undefined
  const { numAffectedRows } = await sql`
    update catalog.epss ours
       set score = said.score,
           percentile = said.percentile
      from (
             select published.cve_key, score.score, score.percentile
               from catalog.epss published
               left join (select catalog.cve_key(cve_id) as cve_key, score, percentile from source.epss_score) score
                 on score.cve_key = published.cve_key
           ) said
     where said.cve_key = ours.cve_key
       and (said.score, said.percentile) is distinct from (ours.score, ours.percentile)
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
