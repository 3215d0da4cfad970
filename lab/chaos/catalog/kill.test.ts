// Kills the publication of imported data several times: at its first database call, then at random database calls.
import { describe, expect, it } from 'vitest'
import { type ProcessResult, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { createNthFaultProxy, type Moment } from '../../../service/test/support/network/nth-fault-proxy.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { type Inspector, openInspector } from '../feeds/content.ts'
import {
  type ClonedDatabase,
  cloneDatabase,
  createFeedsSetup,
  expectSuccess,
  type FeedsSetup,
  fromDirectory,
} from '../feeds/setup.ts'
import { createDirectorySlice } from '../feeds/slice.ts'

/** SQL query for fingerprints (hashes) of all published data, without the times of publication. */
const PUBLISHED = `
  select 'cve' as part, sum(hashtextextended(held::text, 0)) as content from catalog.cve held
  union all
  select 'document', sum(hashtextextended((to_jsonb(held) - 'enriched_at')::text, 0)) from catalog.cve_document held
  union all
  select 'detail', sum(hashtextextended((to_jsonb(held) - 'created_at' - 'updated_at')::text, 0))
    from catalog.cve_detail held
  union all
  select 'products', sum(hashtextextended(concat_ws('|', cve_key, vendor, product, cve_count), 0))
    from catalog.cve_product
    join catalog.product using (product_key)
  union all
  select 'products without CVEs', count(*) from catalog.product where cve_count = 0
  union all
  select 'affected', sum(hashtextextended((to_jsonb(held) - 'name_key')::text, 0))
    from (select affected.*, kind, vendor, product from catalog.affected join catalog.affected_name using (name_key)) held
  union all
  select 'aliases', sum(hashtextextended(held::text, 0)) from catalog.alias held
  union all
  select 'epss', sum(hashtextextended(held::text, 0)) from catalog.epss held
  union all
  select 'release', sum(hashtextextended(held::text, 0)) from catalog.epss_release held
  union all
  select 'kev', sum(hashtextextended(held::text, 0)) from catalog.kev held
  union all
  select 'event', sum(hashtextextended(concat_ws('|', cve_key, kind, subject, upstream_at, source_first_seen is null,
                                                 first_seen is null, recent_until < 'infinity'), 0))
    from catalog.event
  union all
  select 'changes', sum(hashtextextended(concat_ws('|', cve_key, kind, fields, types, diff, cause), 0)) from catalog.change
  union all
  -- The last digits of the average depend on the order in which PostgreSQL adds the scores, so nine digits are compared.
  select 'statistics', sum(hashtextextended(concat_ws('|', total_cves, total_kev, total_with_epss, total_with_acsc,
                                                      round(average_epss::numeric, 9)), 0))
    from catalog.statistic
  union all
  select 'waiting', count(*) from source.publication_queue
`

interface CatalogKills {
  readonly kills: number
  readonly calls: number
  /** For each kill, the number of changes that the killed process had published. */
  readonly published: readonly number[]
}

/**
 * Creates a database in which the first edition of the test data is published. The second edition is imported but not
 * yet published.
 */
async function createUnpublishedDatabase(setup: FeedsSetup): Promise<ClonedDatabase> {
  const start = await setup.clone()
  expectSuccess(await publish(start.url))
  expectSuccess(await setup.sync(start.url).ended)
  return start
}

function publish(url: string): Promise<ProcessResult> {
  return startFeeds(['catalog', 'publish', '--json'], { DATABASE_URL: url }).ended
}

async function readPublished({ query }: Inspector): Promise<unknown> {
  return query(PUBLISHED)
}

async function killPublications(setup: FeedsSetup, killCount: number): Promise<CatalogKills> {
  const start = await createUnpublishedDatabase(setup)
  const reference = await cloneDatabase(getDatabaseName(start.url))
  const proxy = await createNthFaultProxy(reference.url)
  proxy.arm()
  expectSuccess(await publish(proxy.url))
  const calls = proxy.calls.length
  const undisturbed = await openInspector(reference.url, setup.slice)
  const expected = await readPublished(undisturbed)
  const published: number[] = []
  for (let trial = 0; trial < killCount; trial += 1) {
    // The first kill happens at the first database call of the publication process: the feeds have already stored their
    // data, but nothing of it is published yet.
    const call = trial === 0 ? 1 : 1 + Math.floor(Math.random() * calls)
    const moment: Moment = trial % 2 === 0 ? 'before' : 'answered'
    published.push(await killAndPublish(setup, start, { call, moment, expected }))
  }
  await undisturbed.close()
  return { kills: published.length, calls, published }
}

interface Trial {
  readonly call: number
  readonly moment: Moment
  readonly expected: unknown
}

async function killAndPublish(setup: FeedsSetup, start: ClonedDatabase, trial: Trial): Promise<number> {
  const database = await cloneDatabase(getDatabaseName(start.url))
  const inspector = await openInspector(database.url, setup.slice)
  const countChanges = async () => Number((await inspector.query<{ count: string }>(COUNT_CHANGES))[0]?.count)
  const before = await countChanges()
  const proxy = await createNthFaultProxy(database.url)
  const publication = startFeeds(['catalog', 'publish'], { DATABASE_URL: proxy.url })
  proxy.arm({
    call: trial.call,
    moment: trial.moment,
    trigger: ({ disconnect }) => {
      publication.signal('SIGKILL')
      disconnect()
    },
  })
  expect((await publication.ended).code).toBeNull()
  proxy.close()
  const published = (await countChanges()) - before
  expectSuccess(await publish(database.url))
  expect(await readPublished(inspector)).toEqual(trial.expected)
  expect(await inspector.query(PENDING_PAGES)).toEqual([{ pages: 0 }])
  await inspector.close()
  await database.drop()
  return published
}

/** Pages in the pending lists of the search indexes. Every search reads these pages. */
const PENDING_PAGES = `
  select sum(gin_clean_pending_list(indexrelid))::integer as pages
    from pg_index
    join pg_class on pg_class.oid = indexrelid
    join pg_am on pg_am.oid = relam
   where indrelid = 'catalog.cve'::regclass and amname = 'gin'
`
const COUNT_CHANGES = 'select count(*) from catalog.change'

function getDatabaseName(url: string): string {
  return new URL(url).pathname.slice(1)
}

describe('Publication whose process is killed before or during the work', () => {
  it('is completed by a later run, which publishes all queued CVEs', { timeout: 3_600_000 }, async () => {
    const { records, kills } = chooseBySize({ short: { records: 50, kills: 2 }, long: { records: 500, kills: 50 } })
    const slice = createDirectorySlice(records)
    const outcome = await killPublications(await createFeedsSetup(slice, fromDirectory(slice)), kills)
    process.stdout.write(`publication killed: ${JSON.stringify(outcome)}\n`)
    expect(outcome.published[0]).toBe(0)
  })
})
