import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { expectSuccess } from './setup.ts'
import { waitUntil } from './wait-until.ts'

const KILLS = 3
const BEGIN_TIMEOUT_MS = 60_000
const NOW = '2026-08-22T23:00:00Z'
const from = realData('the test of a full load that is killed three times')

/** Fingerprints of all data that the feeds stored, without the storage times. */
const CONTENT = `
  select 'records of ' || source as part, count(*)::integer as rows,
         sum(hashtextextended(concat_ws('|', cve_id, content_hash, modified, record), 0))::text as content
    from source.source_record
   group by source
  union all
  select 'kev', count(*), sum(hashtextextended((to_jsonb(entry) - 'first_stored_at')::text, 0))::text
    from source.kev_entry entry
  union all
  select 'epss', count(*), sum(hashtextextended(held::text, 0))::text
    from source.epss_score held
  union all
  select 'queue', count(*), sum(hashtextextended(cve_id || feed, 0))::text
    from source.publication_queue
  union all
  select 'count of ' || name, table_count, ''
    from catalog.dataset
  union all
  select 'cursor of ' || name, 0, cursor::text
    from source.feed
   order by part
`

interface LoadInspector {
  content(): Promise<readonly { readonly part: string; readonly rows: number }[]>
  isRunning(): Promise<boolean>
  countRecords(): Promise<number>
  /**
   * Expires all feed leases (which let only one process run a feed), as if a minute had passed since the process died.
   */
  expireLeases(): Promise<void>
  close(): Promise<void>
}

async function openLoadInspector(url: string): Promise<LoadInspector> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const count = async (statement: string) => (await client.query<{ n: number }>(statement)).rows[0]?.n ?? 0
  return {
    content: async () => (await client.query<{ part: string; rows: number }>(CONTENT)).rows,
    isRunning: async () =>
      (await count('select count(*)::integer as n from source.feed where lease_until > now()')) > 0,
    countRecords: () => count('select count(*)::integer as n from source.source_record'),
    expireLeases: async () => void (await client.query("update source.feed set lease_until = '-infinity'")),
    close: () => client.end(),
  }
}

const startLoad = (url: string) =>
  startFeeds(['sync', '--from', from ?? '', '--now', NOW, '--json'], { DATABASE_URL: url })

/**
 * Kills a full import by `vis-server sync`. Returns the number of stored records, or undefined if the import completed
 * before the kill.
 */
async function loadAndKill(url: string, inspector: LoadInspector, afterMs: number): Promise<number | undefined> {
  const killed = startLoad(url)
  await waitUntil('the load began', () => inspector.isRunning(), BEGIN_TIMEOUT_MS)
  await sleep(afterMs)
  killed.signal('SIGKILL')
  const { code } = await killed.ended
  await inspector.expireLeases()
  return code === null ? inspector.countRecords() : undefined
}

describe.skipIf(from === undefined)('Full load by vis-server sync, killed three times', () => {
  it('stores the same data as an undisturbed full load', { timeout: 3_600_000 }, async () => {
    const [undisturbed, killed] = [await createTestDatabase(), await createTestDatabase()]
    const startedAt = performance.now()
    expectSuccess(await startLoad(undisturbed.url).ended)
    const fullLoadMs = performance.now() - startedAt
    const [expected, inspector] = [await openLoadInspector(undisturbed.url), await openLoadInspector(killed.url)]

    const stored: number[] = []
    while (stored.length < KILLS) {
      // Records that are already stored are imported faster in the next run, so the random time before each further
      // kill is made shorter.
      const records = await loadAndKill(killed.url, inspector, (Math.random() * fullLoadMs) / (stored.length + 1))
      if (records !== undefined) stored.push(records)
    }
    expectSuccess(await startLoad(killed.url).ended)

    const content = await inspector.content()
    console.log(
      `full load of ${(fullLoadMs / 1000).toFixed(0)} s, killed after ${stored.join(', ')} stored records, then completed: ${content.map(({ part, rows }) => `${part} ${rows}`).join(', ')}`,
    )
    expect(content).toEqual(await expected.content())
    await Promise.all([inspector.close(), expected.close()])
  })
})
