// Readers of the change log that begin at a time while two processes publish and one of them is killed again and again:
// no change that was not visible at that time is skipped, and none is read twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Database, openPool } from '../../../service/src/database/postgres.ts'
import { type Position, parsePosition } from '../../../service/src/domain/change/position.ts'
import { EVERY_CHANGE } from '../../../service/src/record/change-log/filter.ts'
import { readPage } from '../../../service/src/record/change-log/read-log.ts'
import { type CatalogHarness, createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { nvdRecord } from '../../../service/test/catalog/source-fixtures.ts'
import { startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createNthFaultProxy } from '../../../service/test/support/network/nth-fault-proxy.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'

const { kills, records } = chooseBySize({ short: { kills: 3, records: 20 }, long: { kills: 50, records: 30 } })
const POOL = { poolSize: 4, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
/** Small, so that a reader that follows the log is always in the middle of it. */
const PAGE_SIZE = 7
const MAX_PAGE_SIZE = 500
/** Reading the log once per sample takes quadratic time. */
const MAX_SAMPLES = 200

interface Sample {
  readonly time: Date
  /** The newest row that a statement begun at this time could see. Later rows were committed after it. */
  readonly seq: number
}

/** The time is taken by the database before the statement reads anything. */
async function takeSample(db: Database): Promise<Sample> {
  const { rows } = await sql<Sample>`
    select statement_timestamp() as time, coalesce(max(seq), 0)::float8 as seq from catalog.change
  `.execute(db)
  if (!rows[0]) throw new Error('no sample')
  // A Date has milliseconds. Cutting off the rest makes the time earlier, so that more rows must follow.
  return rows[0]
}

/** Picks at most MAX_SAMPLES, evenly. */
function spread(samples: readonly Sample[]): readonly Sample[] {
  const step = Math.max(1, Math.floor(samples.length / MAX_SAMPLES))
  return samples.filter((_, index) => index % step === 0)
}

/** Follows the log from a time by the positions of the answers. */
async function followFrom(
  db: Database,
  time: Date,
  isStopped: () => boolean,
  pageSize = PAGE_SIZE,
): Promise<readonly number[]> {
  const seen: number[] = []
  let since: Position | { readonly time: Date } = { time }
  for (;;) {
    const isLast = isStopped()
    const page = await readPage(db, since, EVERY_CHANGE, pageSize)
    seen.push(...page.rows.map(({ seq }) => seq))
    since = parsePosition(page.rows.at(-1)?.position ?? '') ?? page.next
    if (isLast && !page.hasMore) return seen
    if (!page.hasMore) await sleep(20)
  }
}

async function publishUntil({ publish }: CatalogHarness, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    await publish()
    await sleep(150)
  }
}

/** Counts the database calls of a publication, and then kills each later one at a random call. */
async function killPublishers(catalog: CatalogHarness, onKill: () => Promise<void>): Promise<number> {
  const proxy = await createNthFaultProxy(catalog.url)
  cleanUpAfterTests(() => proxy.close())
  await storeLateRecords(catalog, 0)
  proxy.arm()
  await startFeeds(['catalog', 'publish'], { DATABASE_URL: proxy.url }).ended
  const calls = proxy.calls.length
  let killed = 0
  for (let trial = 1; trial <= kills; trial += 1) {
    await storeLateRecords(catalog, trial)
    const publication = startFeeds(['catalog', 'publish'], { DATABASE_URL: proxy.url })
    proxy.arm({
      // Half of the kills hit a commit that the server has made and the process never hears of.
      call: trial % 2 === 0 ? /^commit/i : 1 + Math.floor(Math.random() * calls),
      moment: 'answered',
      trigger: ({ disconnect }) => {
        publication.signal('SIGKILL')
        disconnect()
      },
    })
    if ((await publication.ended).code === null) killed += 1
    await onKill()
  }
  return killed
}

/** Records whose own dates are years ago, as an upstream that was away for a long time delivers them. */
async function storeLateRecords(catalog: CatalogHarness, trial: number): Promise<void> {
  for (let number = 0; number < records; number += 1) {
    const id = `CVE-2019-${10_000 + trial * records + number}`
    await catalog.storeRecord('nvd', id, nvdRecord(id), '2019-05-01T00:00:00Z')
  }
}

describe('A reader of the change log that begins at a time', () => {
  it('reads each later change once while publishers are killed and imports arrive late', {
    timeout: 3_600_000,
  }, async () => {
    const catalog = await createCatalogHarness()
    const pool = openPool(catalog.url, 'since-time', POOL, () => {})
    cleanUpAfterTests(() => pool.close())
    const samples: Sample[] = []
    let isStopped = false
    const isDone = () => isStopped
    const begin = await takeSample(pool.db)
    const following = followFrom(pool.db, begin.time, isDone)
    const sampling = (async () => {
      while (!isDone()) {
        samples.push(await takeSample(pool.db))
        await sleep(40)
      }
    })()
    const publishing = publishUntil(catalog, isDone)

    const killed = await killPublishers(catalog, async () => void samples.push(await takeSample(pool.db)))

    await catalog.publish()
    isStopped = true
    await Promise.all([sampling, publishing])
    const all = (await catalog.selectRows<{ seq: string }>('select seq from catalog.change order by seq')).map(
      ({ seq }) => Number(seq),
    )
    expect(await following, 'a reader that followed the log all the time').toEqual(all)
    let extra = 0
    for (const { time, seq } of spread(samples)) {
      const read = await followFrom(pool.db, time, () => true, MAX_PAGE_SIZE)
      const later = all.filter((each) => each > seq)
      expect(read.slice(read.length - later.length), `changes after ${time.toISOString()}`).toEqual(later)
      expect(read, 'the end of the log').toEqual(all.slice(all.length - read.length))
      extra = Math.max(extra, read.length - later.length)
    }
    process.stdout.write(
      `since a time: ${JSON.stringify({ killed, times: samples.length, changes: all.length, mostExtraChanges: extra })}\n`,
    )
    expect(new Set(all).size).toBe(all.length)
    expect(killed).toBeGreaterThan(kills / 2)
  })
})
