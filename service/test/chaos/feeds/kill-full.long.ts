import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../support/database.ts'
import { sharedData } from '../../support/shared-data.ts'
import { startFeeds } from './process.ts'
import { expectSuccess } from './setup.ts'
import { until } from './until.ts'

const KILLS = 3
const BEGIN_WITHIN_MS = 60_000
const NOW = '2026-08-22T23:00:00Z'
const from = sharedData('a full load that is killed three times')

/** Everything that feeds have stored, except for the times of storing. */
const CONTENT = `
  select 'records of ' || source as what, count(*)::integer as rows,
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
   order by what
`

interface Eye {
  content(): Promise<readonly { readonly what: string; readonly rows: number }[]>
  isRunning(): Promise<boolean>
  records(): Promise<number>
  /** What a minute does to the lease of a process that died. */
  expireLeases(): Promise<void>
  close(): Promise<void>
}

async function openEye(url: string): Promise<Eye> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const count = async (statement: string) => (await client.query<{ n: number }>(statement)).rows[0]?.n ?? 0
  return {
    content: async () => (await client.query<{ what: string; rows: number }>(CONTENT)).rows,
    isRunning: async () =>
      (await count('select count(*)::integer as n from source.feed where lease_until > now()')) > 0,
    records: () => count('select count(*)::integer as n from source.source_record'),
    expireLeases: async () => void (await client.query("update source.feed set lease_until = '-infinity'")),
    close: () => client.end(),
  }
}

const load = (url: string) => startFeeds(['sync', '--from', from ?? '', '--now', NOW, '--json'], { DATABASE_URL: url })

/** Undefined if it was faster than that, and ended by itself. */
async function loadAndKill(url: string, eye: Eye, afterMs: number): Promise<number | undefined> {
  const killed = load(url)
  await until('it began', () => eye.isRunning(), BEGIN_WITHIN_MS)
  await sleep(afterMs)
  killed.signal('SIGKILL')
  const { code } = await killed.ended
  await eye.expireLeases()
  return code === null ? eye.records() : undefined
}

describe.skipIf(from === undefined)('A full load that is killed three times', () => {
  it('ends where an undisturbed one ends', { timeout: 3_600_000 }, async () => {
    const [calm, rough] = [await testDatabase(), await testDatabase()]
    const startedAt = performance.now()
    expectSuccess(await load(calm.url).ended)
    const wholeMs = performance.now() - startedAt
    const [expected, eye] = [await openEye(calm.url), await openEye(rough.url)]

    const stored: number[] = []
    while (stored.length < KILLS) {
      // Whatever is stored already is taken over faster the next time, so later kills come earlier.
      const records = await loadAndKill(rough.url, eye, (Math.random() * wholeMs) / (stored.length + 1))
      if (records !== undefined) stored.push(records)
    }
    expectSuccess(await load(rough.url).ended)

    const content = await eye.content()
    console.log(
      `a full load of ${(wholeMs / 1000).toFixed(0)} s was killed when ${stored.join(', ')} records were stored, and then finished: ${content.map(({ what, rows }) => `${what} ${rows}`).join(', ')}`,
    )
    expect(content).toEqual(await expected.content())
    await Promise.all([eye.close(), expected.close()])
  })
})
