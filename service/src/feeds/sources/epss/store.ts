// All scores of a release, in one transaction: a reader sees the scores of one model and one day, or of the next.
import { sql, type Transaction } from 'kysely'
import { idsAmong } from '../../download/dated-release.ts'
import type { Measure } from '../../guard.ts'
import type { Merged, Scope, Store } from '../../store.ts'
import type { EpssRow } from './normalise.ts'

/** From here on a CVE has a detail record (decision D12), so whoever crosses it is published again; nobody else is. */
const WORTH_A_DETAIL_RECORD = 0.1

export const epssStore: Store<EpssRow> = {
  staging: 'staged_epss (cve_id, score, percentile, model_version, scored_at)',
  values: ({ cveId, score, percentile, modelVersion, scoredAt }) => [cveId, score, percentile, modelVersion, scoredAt],
  stage,
  measure,
  merge,
}

async function stage(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table staged_epss (
      ordinal       bigint           generated always as identity,
      cve_id        text             collate "C" not null,
      score         double precision not null,
      percentile    double precision not null,
      model_version text             not null,
      scored_at     timestamptz      not null
    ) on commit drop
  `.execute(tx)
  await sql`
    create temporary table epss_news (
      cve_id        text collate "C" not null,
      -- Null when the CVE had no score.
      old_score     double precision,
      -- Null when it has none any more, as the two that follow.
      score         double precision,
      percentile    double precision,
      model_version text
    ) on commit drop
  `.execute(tx)
}

async function measure(tx: Transaction<unknown>, scope: Scope): Promise<Measure> {
  const duplicates = await dropDuplicates(tx)
  await findNews(tx, scope)
  const { rows } = await sql<Omit<Measure, 'duplicates' | 'drift'> & Means>`
    select staged.count as staged,
           staged.count as scored,
           staged.zeros as "scoredZero",
           ours.count as existing,
           news.fresh,
           news.changed,
           news.vanished,
           0 as future,
           ours.mean as "meanBefore",
           staged.mean as "meanAfter",
           staged.model_version = (select model_version from source.epss_release) as "isSameModel"
      from (
             select count(*)::integer, count(*) filter (where score = 0)::integer as zeros, avg(score) as mean,
                    max(model_version) as model_version
               from staged_epss
           ) staged,
           (select count(*)::integer, avg(score) as mean from source.epss_score) ours,
           (
             select count(*) filter (where old_score is null)::integer as fresh,
                    count(*) filter (where old_score is not null and score is not null)::integer as changed,
                    count(*) filter (where score is null)::integer as vanished
               from epss_news
           ) news
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('a count has one row')
  const { meanBefore: before, meanAfter: after, isSameModel, ...counts } = counted
  const canBeCompared = isSameModel && before !== null && after !== null
  return { ...counts, duplicates, ...(canBeCompared && { drift: { before, after } }) }
}

interface Means {
  readonly meanBefore: number | null
  readonly meanAfter: number | null
  /** Null when nothing was released before. */
  readonly isSameModel: boolean | null
}

/** Of several lines for one CVE, the last counts. */
async function dropDuplicates(tx: Transaction<unknown>): Promise<number> {
  const { rows } = await sql<{ hasDuplicates: boolean }>`
    select count(*) > count(distinct cve_id) as "hasDuplicates"
      from staged_epss
  `.execute(tx)
  if (!rows[0]?.hasDuplicates) return 0
  const deleted = await sql`
    delete from staged_epss earlier
     using (
             select cve_id, max(ordinal) as ordinal
               from staged_epss
              group by cve_id
             having count(*) > 1
           ) last
     where earlier.cve_id = last.cve_id
       and earlier.ordinal < last.ordinal
  `.execute(tx)
  return affected(deleted)
}

/**
 * The two are compared once, and everything else is about the difference. A line that cannot be used is no difference:
 * our score stays, unless it is from another model, since two models are never mixed.
 */
async function findNews(tx: Transaction<unknown>, { rejected }: Scope): Promise<void> {
  await sql`analyze staged_epss (cve_id)`.execute(tx)
  await sql`
    insert into epss_news (cve_id, old_score, score, percentile, model_version)
    select coalesce(staged.cve_id, ours.cve_id), ours.score, staged.score, staged.percentile, staged.model_version
      from staged_epss staged
      full join source.epss_score ours
        on ours.cve_id = staged.cve_id
     where ours.cve_id is null
        or (ours.score, ours.percentile, ours.model_version) <> (staged.score, staged.percentile, staged.model_version)
        or (staged.cve_id is null
            and (ours.cve_id <> all (${idsAmong(rejected)})
                 or ours.model_version <> (select model_version from staged_epss limit 1)))
  `.execute(tx)
  await sql`analyze epss_news`.execute(tx)
}

/** Plain statements rather than one upsert: an update that finds room on its page leaves the index alone. */
async function merge(tx: Transaction<unknown>): Promise<Merged> {
  await queueCrossings(tx)
  const removed = await sql`
    delete from source.epss_score ours
     using epss_news news
     where news.cve_id = ours.cve_id
       and news.score is null
  `.execute(tx)
  const updated = await sql`
    update source.epss_score ours
       set score = news.score,
           percentile = news.percentile,
           model_version = news.model_version
      from epss_news news
     where news.cve_id = ours.cve_id
  `.execute(tx)
  const inserted = await sql`
    insert into source.epss_score (cve_id, score, percentile, model_version)
    select cve_id, score, percentile, model_version
      from epss_news
     where old_score is null
  `.execute(tx)
  await recordRelease(tx)
  return { inserted: affected(inserted), updated: affected(updated), removed: affected(removed) }
}

async function queueCrossings(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select cve_id, 'epss'
      from epss_news
     where (coalesce(old_score, 0) >= ${WORTH_A_DETAIL_RECORD}) <> (coalesce(score, 0) >= ${WORTH_A_DETAIL_RECORD})
  `.execute(tx)
}

/** The last thing that is written: the catalog locks this row while it publishes the scores. */
async function recordRelease(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into source.epss_release as ours (scored_at, model_version)
    select scored_at, model_version
      from staged_epss
     limit 1
    on conflict (is_current) do update
       set scored_at = excluded.scored_at,
           model_version = excluded.model_version,
           revision = ours.revision + 1
  `.execute(tx)
}

function affected({ numAffectedRows }: { readonly numAffectedRows?: bigint }): number {
  return Number(numAffectedRows ?? 0)
}
