// The machine that runs feeds, on a database of its own, and a look at what it left behind.
import { sql } from 'kysely'
import { openPool } from '../../src/database/postgres.ts'
import { openSession } from '../../src/database/session.ts'
import type { Download } from '../../src/feeds/download.ts'
import { type RunReport, type RunTools, runFeed } from '../../src/feeds/engine/run.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import { atEnd } from '../support/cleanup.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { testDatabase } from '../support/database.ts'

export interface Machine {
  readonly url: string
  readonly clock: TestClock
  readonly tools: RunTools
  run(feed: Feed, changed?: Partial<RunTools>): Promise<RunReport>
  /** As another process would, with a connection of its own. */
  runElsewhere(feed: Feed): Promise<RunReport>
  /** As if `nvd` had never run: a database for each test would take longer than the tests. */
  reset(): Promise<void>
  /** Rows of a query, for a look behind the scenes. */
  look<T>(statement: string): Promise<T[]>
}

const PATIENT = { poolSize: 3, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** A machine without a network: feeds that want one are given a download. */
export async function testMachine(): Promise<Machine> {
  const { url } = await testDatabase()
  const [control, session, clock] = [openPool(url, 'control', PATIENT, () => {}), openSession(url, 'feed'), testClock()]
  atEnd(async () => {
    await session.close()
    await control.close()
  })
  const download: Download = { file: () => Promise.reject(new Error('this test has no network')) }
  const tools: RunTools = {
    control: control.db,
    session,
    openDownload: () => download,
    clock: clock.now,
    holder: 'a test',
    from: undefined,
    allowed: new Set(),
    signal: new AbortController().signal,
  }
  const look = async <T>(statement: string) => (await sql.raw<T>(statement).execute(control.db)).rows
  return {
    url,
    clock,
    tools,
    run: (feed, changed = {}) => runFeed(feed, { ...tools, ...changed }),
    runElsewhere: async (feed) => {
      const other = openSession(url, 'other')
      const report = await runFeed(feed, { ...tools, session: other, holder: 'another' })
      await other.close()
      return report
    },
    look,
    reset: async () => {
      await look(
        'truncate source.source_record, source.publication_queue, source.feed_rejection, source.feed_run, source.feed restart identity',
      )
      await look("update catalog.dataset set table_count = 0, last_success_at = null where name = 'nvd'")
    },
  }
}
