// Why the newest data of a feed changed, for data that the publisher compares as a whole: no row of the queue names its
// run.
import { sql, type Transaction } from 'kysely'
import type { ChangeCause } from '../../../domain/change/change.ts'

interface StoringRun {
  readonly feed: string
  readonly id: string
  readonly cause: ChangeCause
}

/** The newest run of each feed that read something. A feed without such a run is missing. */
async function readStoringRuns(
  tx: Transaction<unknown>,
  feeds: readonly string[],
): Promise<ReadonlyMap<string, StoringRun>> {
  const { rows } = await sql<StoringRun>`
    select newest.feed, newest.id, newest.cause
      from unnest(${feeds}::text[]) as wanted (feed)
     cross join lateral (
             select feed, id, cause
               from source.feed_run
              where feed = wanted.feed
                and read_count > 0
              order by id desc
              limit 1
           ) newest
  `.execute(tx)
  return new Map(rows.map((run) => [run.feed, run]))
}

export async function readStoringRun(
  tx: Transaction<unknown>,
  feed: string,
): Promise<{ readonly id: string | null; readonly cause: ChangeCause }> {
  return (await readStoringRuns(tx, [feed])).get(feed) ?? { id: null, cause: 'data' }
}

/** The feeds whose newest data came from a run with the cause `source`. */
export async function readSourceFeeds(
  tx: Transaction<unknown>,
  feeds: readonly string[],
): Promise<ReadonlySet<string>> {
  const runs = await readStoringRuns(tx, feeds)
  return new Set(feeds.filter((feed) => runs.get(feed)?.cause === 'source'))
}
