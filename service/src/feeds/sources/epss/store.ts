// Store of the EPSS scores. All scores of a release are stored in one transaction, so a reader never sees scores of two
// models or of two days together.
//
// The EPSS feed does not use `stagedStore`: nearly all of its 330,000 rows change every day. The difference between the
// release and the stored scores is computed once, and rows are updated in place instead of upserted.
import { sql, type Transaction } from 'kysely'
import type { DeliveryStats } from '../../guard.ts'
import type { DeliveryScope, MergeCounts, Store } from '../../store.ts'
import { extractCveIds } from '../../stores/extract-ids.ts'
import type { EpssRow } from './normalise.ts'

export const epssStore: Store<EpssRow> = {
  copyTarget: 'staged_epss (cve_id, score, percentile, model_version, scored_at)',
  toCopyValues: ({ cveId, score, percentile, modelVersion, scoredAt }) => [
    cveId,
    score,
    percentile,
    modelVersion,
    scoredAt,
  ],
  createStaging,
  computeStats,
  merge,
}

async function createStaging(tx: Transaction<unknown>): Promise<void> {
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
    create temporary table epss_difference (
      cve_id        text collate "C" not null,
      -- Null if no score is stored for the CVE.
      old_score     double precision,
      -- Null, like percentile and model_version, if the release has no score for the CVE.
      score         double precision,
      percentile    double precision,
      model_version text
    ) on commit drop
  `.execute(tx)
}

async function computeStats(tx: Transaction<unknown>, scope: DeliveryScope): Promise<DeliveryStats> {
  const duplicates = await dropDuplicates(tx)
  await computeDifference(tx, scope)
  const { rows } = await sql<Omit<DeliveryStats, 'duplicates' | 'drift'> & Means>`
    select staged.count as staged,
           staged.count as scored,
           staged.zeros as "scoredZero",
           held.count as existing,
           difference.added,
           difference.changed,
           difference.missing,
           0 as "futureDated",
           held.mean as "meanBefore",
           staged.mean as "meanAfter",
           staged.model_version = (select model_version from source.epss_release) as "isSameModel"
      from (
             select count(*)::integer, count(*) filter (where score = 0)::integer as zeros, avg(score) as mean,
                    max(model_version) as model_version
               from staged_epss
           ) staged,
           (select count(*)::integer, avg(score) as mean from source.epss_score) held,
           (
             select count(*) filter (where old_score is null)::integer as added,
                    count(*) filter (where old_score is not null and score is not null)::integer as changed,
                    count(*) filter (where score is null)::integer as missing
               from epss_difference
           ) difference
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('an aggregate returns one row')
  const { meanBefore: before, meanAfter: after, isSameModel, ...counts } = counted
  const isComparable = isSameModel && before !== null && after !== null
  return { ...counts, duplicates, ...(isComparable && { drift: { before, after } }) }
}

interface Means {
  readonly meanBefore: number | null
  readonly meanAfter: number | null
  /** True if the stored scores and the delivered scores come from the same EPSS model; null if no release is stored. */
  readonly isSameModel: boolean | null
}

/** If an EPSS file has several lines for a CVE, keeps the last line. */
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
           ) latest
     where earlier.cve_id = latest.cve_id
       and earlier.ordinal < latest.ordinal
  `.execute(tx)
  return toCount(deleted)
}

/**
 * If a line is rejected, the stored score is kept unless it comes from another model: scores of two models are never
 * mixed.
 */
async function computeDifference(tx: Transaction<unknown>, { rejected }: DeliveryScope): Promise<void> {
  await sql`analyze staged_epss (cve_id)`.execute(tx)
  await sql`
    insert into epss_difference (cve_id, old_score, score, percentile, model_version)
    select coalesce(staged.cve_id, held.cve_id), held.score, staged.score, staged.percentile, staged.model_version
      from staged_epss staged
      full join source.epss_score held
        on held.cve_id = staged.cve_id
     where held.cve_id is null
        or (held.score, held.percentile, held.model_version) <> (staged.score, staged.percentile, staged.model_version)
        or (staged.cve_id is null
            and (held.cve_id <> all (${extractCveIds(rejected)})
                 or held.model_version <> (select model_version from staged_epss limit 1)))
  `.execute(tx)
  await sql`analyze epss_difference`.execute(tx)
}

/**
 * Uses separate statements instead of an upsert: an update whose row fits on the same page does not touch the index.
 */
async function merge(tx: Transaction<unknown>): Promise<MergeCounts> {
  const removed = await sql`
    delete from source.epss_score held
     using epss_difference difference
     where difference.cve_id = held.cve_id
       and difference.score is null
  `.execute(tx)
  const updated = await sql`
    update source.epss_score held
       set score = difference.score,
           percentile = difference.percentile,
           model_version = difference.model_version
      from epss_difference difference
     where difference.cve_id = held.cve_id
  `.execute(tx)
  const inserted = await sql`
    insert into source.epss_score (cve_id, score, percentile, model_version)
    select cve_id, score, percentile, model_version
      from epss_difference
     where old_score is null
  `.execute(tx)
  await recordRelease(tx)
  return { inserted: toCount(inserted), updated: toCount(updated), removed: toCount(removed) }
}

/** Must be the last write: the catalog locks the same row while it publishes the scores. */
async function recordRelease(tx: Transaction<unknown>): Promise<void> {
  await sql`
    insert into source.epss_release as held (scored_at, model_version)
    select scored_at, model_version
      from staged_epss
     limit 1
    on conflict (is_current) do update
       set scored_at = excluded.scored_at,
           model_version = excluded.model_version,
           revision = held.revision + 1
  `.execute(tx)
}

function toCount({ numAffectedRows }: { readonly numAffectedRows?: bigint }): number {
  return Number(numAffectedRows ?? 0)
}
