// Publishes all scores of an EPSS release in one transaction, and queues the few CVEs whose record depends on the new
// score.
import { sql, type Transaction } from 'kysely'
import type { Session } from '../../../database/session.ts'
import type { Diff } from '../../../domain/change/change.ts'
import { MIN_JUMP, MIN_JUMP_RATIO, MIN_RATIO_SCORE, SCORE_TOLERANCE } from '../../../domain/change/epss-jump.ts'
import type { CveKey } from '../../../domain/cve-id.ts'
import type { Thresholds } from '../../../domain/priority/epss-rule.ts'
import { listRanks, UNRATED } from '../../../domain/priority/policy.ts'
import { MIN_DETAIL_EPSS } from '../../../domain/source/detail-record.ts'
import { appendChanges, type LoggedChange } from '../../changes/log.ts'
import { keepCorrectedScores } from '../../changes/past.ts'
import { advanceHoldSql } from '../../epss-history/holds.ts'
import { storeRelease } from '../../epss-history/store-release.ts'
import { readThresholds } from '../../epss-history/thresholds.ts'
import { readStoringRun } from '../read/read-run-cause.ts'

/** Returns the number of changed scores, or undefined if the release is already published. */
export async function publishEpss(session: Session, tx: Transaction<unknown>): Promise<number | undefined> {
  // The EPSS feed updates this row last. While it is locked the feed cannot commit, so all statements read one release.
  const { rows: unpublished } = await sql`
    select
      from source.epss_release stored
     where not exists (select from catalog.epss_release published where published.revision = stored.revision)
       for share
  `.execute(tx)
  if (unpublished.length === 0) return undefined
  const published = await readPublishedRelease(tx)
  await keepCorrectedScores(tx)
  const { rows: arrived } = await sql<EpssRelease>`
    select ${RELEASE_COLUMNS} from source.epss_release
  `.execute(tx)
  const [stored] = arrived
  if (stored === undefined) return undefined
  const isNextDay = await followsStoredDays(tx, published, stored)
  const thresholds = await readThresholds(tx, stored.model, sql`select score from source.epss_score`)
  // The release's row in the change log follows the jumps, so its number is not known yet.
  await sql`
    create temporary table moved_score (cve_key bigint, old double precision, new double precision) on commit drop
  `.execute(tx)
  const run = await readStoringRun(tx, 'epss')
  const { changed, jumps } = await publishScores(tx, stored.date, thresholds, run.id)
  await sql`
    insert into catalog.epss_release (scored_at, model_version, revision, thresholds, known_from, is_hold_stale)
    select scored_at, model_version, revision, ${thresholds}::float8[], ${stored.date}::date, ${!isNextDay}
      from source.epss_release
    on conflict (is_current) do update
       set scored_at = excluded.scored_at,
           model_version = excluded.model_version,
           revision = excluded.revision,
           thresholds = excluded.thresholds,
           is_hold_stale = epss_release.is_hold_stale or excluded.is_hold_stale
  `.execute(tx)
  await storeRelease(session, tx, { ...stored, thresholds })
  const release = compareReleases(published, stored)
  const hasComparableScores = release['epss.model_version'] === undefined
  const changes = [...(hasComparableScores ? jumps.map(toJump) : []), toChange(null, release)]
  const logged = await appendChanges(
    tx,
    changes.map((change) => ({ ...change, cause: run.cause })),
  )
  await keepMovedScores(tx, logged.at(-1)?.seq)
  return changed
}

/** `seq` is the number of the release's row in the change log; undefined during a first load, which has no such row. */
async function keepMovedScores(tx: Transaction<unknown>, seq: string | undefined): Promise<void> {
  if (seq === undefined) return
  await sql`
    insert into catalog.epss_moved (seq, cve_key, old, new)
    select ${seq}::bigint, cve_key, old, new
      from moved_score
     order by cve_key
  `.execute(tx)
}

const toChange = (key: CveKey | null, diff: Diff): Omit<LoggedChange, 'cause'> => ({
  key,
  kind: 'epss',
  fields: ['epss'],
  diff,
})

const toJump = ({ key, old, new: current }: Jump) => toChange(key, { 'epss.score': { old, new: current } })

interface EpssRelease {
  readonly date: string
  readonly model: string
}

const RELEASE_COLUMNS = sql`to_char(scored_at at time zone 'utc', 'YYYY-MM-DD') as date, model_version as model`

async function readPublishedRelease(tx: Transaction<unknown>): Promise<EpssRelease | undefined> {
  const { rows } = await sql<EpssRelease>`select ${RELEASE_COLUMNS} from catalog.epss_release`.execute(tx)
  return rows[0]
}

/**
 * True if the release's day follows the day up to which catalog.epss.held_since is computed, or is the first. Otherwise
 * one step is not enough.
 */
async function followsStoredDays(
  tx: Transaction<unknown>,
  published: EpssRelease | undefined,
  { date }: EpssRelease,
): Promise<boolean> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(day)::text as newest from catalog.epss_day
  `.execute(tx)
  const newest = rows[0]?.newest ?? null
  return newest === (published?.date ?? null) && (newest === null || newest < date)
}

function compareReleases(published: EpssRelease | undefined, stored: EpssRelease): Diff {
  return {
    'epss.date': { old: published?.date ?? null, new: stored.date },
    ...(published?.model === stored.model
      ? {}
      : { 'epss.model_version': { old: published?.model ?? null, new: stored.model } }),
  }
}

interface Jump {
  readonly key: CveKey
  readonly old: number
  readonly new: number
}

/**
 * Also returns the scores that jumped (domain/change/epss-jump.ts), and lists all that moved in the temporary table
 * moved_score. Queues the CVEs whose record changes with the score:
 * its detail records (decision D12), or its priority, because the CVE gets or loses a threshold, its first score, or its
 * last one. At most about 2,000 CVEs a day cross a threshold.
 */
async function publishScores(
  tx: Transaction<unknown>,
  day: string,
  thresholds: Thresholds,
  runId: string | null,
): Promise<{ changed: number; jumps: readonly Jump[] }> {
  const held = advanceHoldSql({ held: sql`epss.held_since`, score: sql`epss_score.score`, day, thresholds })
  const { rows } = await sql<{ changed: number; jumps: readonly Jump[] }>`
    with changed as (
      update catalog.epss published
         set score = stored.score,
             percentile = stored.percentile,
             held_since = stored.held_since
        from (
               select epss.cve_key, epss.score as old_score, epss_score.score, epss_score.percentile,
                      epss.held_since as old_held_since, ${held} as held_since
                 from catalog.epss epss
                 left join (
                        select catalog.cve_key(cve_id) as cve_key, score, percentile from source.epss_score
                      ) epss_score
                   on epss_score.cve_key = epss.cve_key
             ) stored
       where stored.cve_key = published.cve_key
         and (stored.score, stored.percentile, stored.held_since)
             is distinct from (published.score, published.percentile, published.held_since)
      returning published.cve_key, stored.old_score, stored.score, stored.old_held_since, stored.held_since
    ), moved as (
      insert into moved_score (cve_key, old, new)
      select cve_key, old_score, score
        from changed
       where score is distinct from old_score
         and not exists (select from catalog.first_load where finished_at is null)
    ), queued as (
      insert into source.publication_queue (cve_id, feed, run_id)
      select catalog.cve_id(cve_key), 'epss', ${runId}::bigint
        from changed
       where (coalesce(old_score, 0) >= ${sql.lit(MIN_DETAIL_EPSS)})
             <> (coalesce(score, 0) >= ${sql.lit(MIN_DETAIL_EPSS)})
          or cardinality(old_held_since) is distinct from cardinality(held_since)
          or (
               (old_score is null) <> (score is null)
               and exists (
                     select from catalog.cve
                      where cve.cve_key = changed.cve_key
                        and (cve.has_exploit or ${DEPENDS_ON_FIRST_SCORE})
                   )
             )
       order by cve_key
    )
    select count(*)::integer as changed,
           coalesce(
             json_agg(json_build_object('key', cve_key::text, 'old', old_score, 'new', score) order by cve_key)
               filter (where ${IS_JUMP}),
             '[]'
           ) as jumps
      from changed
  `.execute(tx)
  return rows[0] ?? { changed: 0, jumps: [] }
}

/** CVEs that nothing else rates are unrated until they get a score. */
const DEPENDS_ON_FIRST_SCORE = sql`(
  cve.score is null
  and (cve.priority is null or cve.priority <= ${sql.lit(listRanks(UNRATED).max)})
)`

/** Null, which counts as false, if one of the releases has no score. */
const IS_JUMP = sql`(
  abs(score - old_score) >= ${sql.lit(MIN_JUMP)}
  or (
       greatest(score, old_score) >= ${sql.lit(MIN_RATIO_SCORE)}
       and greatest(score, old_score) >= ${sql.lit(MIN_JUMP_RATIO)} * least(score, old_score) - ${sql.lit(SCORE_TOLERANCE)}
     )
) and score is not null and old_score is not null`
