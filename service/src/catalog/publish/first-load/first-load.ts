// The first load of a catalog (ADR 0030): the feeds store their data, then all product names are learnt, then the CVEs
// are published. Its CVEs have no rows in the change log; one row says at its end how many there are. All state is in
// the database, so that any publisher continues after another one has died.
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { Diff } from '../../../domain/change/change.ts'
import { ENDED_FIRST_RUNS } from '../../../record/first-load.ts'
import { appendChanges } from '../../changes/log.ts'
import { type PublishContext, withPublishLock } from '../../publish-lock.ts'
import { PUBLISHED_IDS } from '../described-ids.ts'
import { learnAllNames, TEACHING_FEEDS } from './learn-all-names.ts'

export interface ExpectedFeed {
  readonly name: string
  /** True if no address of its upstream is known. */
  readonly isSkipped: boolean
}

/** Lets the first load wait for these feeds too. Call it before they run. */
export async function expectFeeds(db: Database, feeds: readonly ExpectedFeed[]): Promise<void> {
  await sql`
    insert into catalog.first_load_feed as expected (name, is_skipped)
    select feed.name, feed.is_skipped
      from unnest(${feeds.map(({ name }) => name)}::text[], ${feeds.map(({ isSkipped }) => isSkipped)}::boolean[])
             as feed (name, is_skipped)
     where exists (select from catalog.first_load where finished_at is null)
    on conflict (name) do update
       set is_skipped = excluded.is_skipped
     where expected.is_skipped <> excluded.is_skipped
  `.execute(db)
}

interface State {
  readonly isLoading: boolean
  /** A feed that teaches names has not ended its first run. */
  readonly isAwaitingNames: boolean
  /** Feeds teach names and have ended a run with far more records than when all names were last learnt. */
  readonly hasNewNames: boolean
}

/** Fewer new records are learnt from as they are published. */
const MIN_GROWTH = 2

async function readState(db: Database): Promise<State> {
  const { rows } = await sql<State>`
    select load.finished_at is null as "isLoading",
           exists (
             select
               from catalog.first_load_feed expected
              where load.finished_at is null
                and name = any (${TEACHING_FEEDS}::text[])
                and not is_skipped
                and not exists (select from (${ENDED_FIRST_RUNS}) ended where ended.name = expected.name)
           ) as "isAwaitingNames",
           exists (
             select
               from catalog.dataset
               join source.feed using (name)
              where name = any (${TEACHING_FEEDS}::text[])
                and last_success_at is not null
                and lease_until < now()
                and table_count > ${MIN_GROWTH} * coalesce((load.learnt_from ->> name)::bigint, 0)
           ) as "hasNewNames"
      from catalog.first_load load
  `.execute(db)
  return rows[0] ?? { isLoading: false, isAwaitingNames: false, hasNewNames: false }
}

interface Begun {
  /** True if nothing may be published yet. */
  readonly mustWait: boolean
  readonly isLoading: boolean
}

/**
 * Learns the names as soon as the feeds that teach them have run. If such a feed has a whole load only later, all names
 * are learnt again, and all published CVEs are merged again.
 */
export async function beginPublication(context: PublishContext): Promise<Begun> {
  const { isLoading, isAwaitingNames, hasNewNames } = await readState(context.session.db)
  if (isAwaitingNames) return { mustWait: true, isLoading }
  if (hasNewNames) await withPublishLock(context, (tx) => learnUnlessLearnt(context, tx))
  return { mustWait: false, isLoading }
}

async function learnUnlessLearnt(context: PublishContext, tx: Transaction<unknown>): Promise<void> {
  if (!(await readState(tx)).hasNewNames) return
  await learnAllNames(context, tx)
  await sql`
    update catalog.first_load
       set learnt_from = (
             select jsonb_object_agg(name, table_count)
               from catalog.dataset
              where name = any (${TEACHING_FEEDS}::text[])
                and last_success_at is not null
           )
  `.execute(tx)
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select cve_id, 'catalog'
      from (${PUBLISHED_IDS}) ids
     order by catalog.cve_key(cve_id)
  `.execute(tx)
}

/** Shows the progress of a first load to readers. Runs in the transaction that publishes the CVEs. */
export async function recordProgress(
  tx: Transaction<unknown>,
  { done, left }: { readonly done: number; readonly left: number },
): Promise<void> {
  await sql`
    update catalog.first_load
       set cves_done = cves_done + ${done},
           cves_total = cves_done + ${done + left}
     where finished_at is null
  `.execute(tx)
}

/**
 * Ends the first load if every expected feed has ended its first run, one with success, and everything is published.
 * Returns true if it has ended.
 */
export async function finishFirstLoad(tx: Transaction<unknown>, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select
      from catalog.first_load load
     where finished_at is null
       and not exists (
             select
               from catalog.first_load_feed expected
              where not is_skipped
                and not exists (select from (${ENDED_FIRST_RUNS}) ended where ended.name = expected.name)
           )
       and exists (
             select
               from catalog.first_load_feed
               join catalog.dataset using (name)
              where last_success_at is not null
           )
       and not exists (select from source.publication_queue)
  `.execute(tx)
  if (rows.length === 0) return false
  await sql`select catalog.analyze_tables()`.execute(tx)
  await sql`update catalog.first_load set finished_at = ${now}`.execute(tx)
  await logFirstLoad(tx)
  return true
}

/**
 * Writes the only row of a first load to the change log. The log does not cover anything before this row: a reader that
 * keeps a copy must begin with a snapshot.
 */
async function logFirstLoad(tx: Transaction<unknown>): Promise<void> {
  const { rows } = await sql<{ cves: number; kev: number; euKev: number; epss: number }>`
    select (select count(*)::integer from catalog.cve) as cves,
           (select count(*)::integer from catalog.kev) as kev,
           (select count(*)::integer from catalog.cve where in_eu_kev) as "euKev",
           (select count(*)::integer from catalog.epss where score is not null) as epss
  `.execute(tx)
  const { cves = 0, kev = 0, euKev = 0, epss = 0 } = rows[0] ?? {}
  const diff: Diff = {
    'loaded.cves': { old: 0, new: cves },
    'loaded.kev': { old: 0, new: kev },
    'loaded.eu_kev': { old: 0, new: euKev },
    'loaded.epss': { old: 0, new: epss },
  }
  await appendChanges(tx, [{ key: null, kind: 'loaded', fields: [], diff, cause: 'data' }])
  await sql`
    update catalog.change_floor
       set data_seq = newest.seq,
           complete_seq = newest.seq
      from (select max(seq) as seq from catalog.change) newest
  `.execute(tx)
}
