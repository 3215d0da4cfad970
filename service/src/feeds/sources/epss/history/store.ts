// Store of the epss-history feed. It keeps all scores of a day in one row until the publisher adds them to the series.
import { sql, type Transaction } from 'kysely'
import type { DeliveryStats, Guard } from '../../../guard.ts'
import type { MergeCounts, Store } from '../../../store.ts'
import type { PastScore } from './delivery.ts'

export const historyStore: Store<PastScore> = {
  copyTarget: 'staged_epss_past (day, model_version, cve_id, score, percentile)',
  toCopyValues: ({ day, model, cveId, score, percentile }) => [day, model, cveId, score, percentile],
  createStaging,
  computeStats,
  merge,
}

const MIN_SHARE = 0.8

export const tooFewScores: Guard = {
  name: 'too-few-scores',
  check: ({ existing, staged }) =>
    staged < existing * MIN_SHARE
      ? `the day has ${staged} scores, but the nearest stored day of the same model has ${existing}`
      : undefined,
}

async function createStaging(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table staged_epss_past (
      ordinal       bigint  generated always as identity,
      day           date    not null,
      model_version text,
      cve_id        text    collate "C" not null,
      score         integer not null,
      percentile    integer
    ) on commit drop
  `.execute(tx)
}

/** Scores are never added to or removed from a stored day, so only its size is compared. */
async function computeStats(tx: Transaction<unknown>): Promise<DeliveryStats> {
  const { numAffectedRows: duplicates = 0n } = await sql`
    delete from staged_epss_past earlier
     using (select cve_id, max(ordinal) as ordinal from staged_epss_past group by cve_id having count(*) > 1) latest
     where earlier.cve_id = latest.cve_id
       and earlier.ordinal < latest.ordinal
  `.execute(tx)
  const { rows } = await sql<Pick<DeliveryStats, 'staged' | 'scored' | 'scoredZero' | 'existing'>>`
    select staged.count as staged, staged.count as scored, staged.zeros as "scoredZero",
           coalesce((
             select score_count
               from source.epss_past_day stored
              where stored.model_version is not distinct from staged.model_version
                and abs(stored.day - staged.day) <= 31
              order by abs(stored.day - staged.day)
              limit 1
           ), 0) as existing
      from (
             select min(day) as day, max(model_version) as model_version, count(*)::integer,
                    count(*) filter (where score = 0)::integer as zeros
               from staged_epss_past
           ) staged
  `.execute(tx)
  const [counted] = rows
  if (!counted) throw new Error('an aggregate returns one row')
  return { ...counted, duplicates: Number(duplicates), added: 0, changed: 0, missing: 0, futureDated: 0 }
}

/** Counts days, not scores. */
async function merge(tx: Transaction<unknown>): Promise<MergeCounts> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into source.epss_past_day (day, model_version, score_count, cve_ids, scores, percentiles)
    select day, max(model_version), count(*), array_agg(cve_id order by cve_id), array_agg(score order by cve_id),
           case when bool_or(percentile is not null) then array_agg(percentile order by cve_id) end
      from staged_epss_past
     group by day
    on conflict (day) do update
       set model_version = excluded.model_version,
           score_count = excluded.score_count,
           cve_ids = excluded.cve_ids,
           scores = excluded.scores,
           percentiles = excluded.percentiles
    returning xmax = 0 as "isNew"
  `.execute(tx)
  const inserted = rows.filter(({ isNew }) => isNew).length
  return { inserted, updated: rows.length - inserted, removed: 0 }
}
