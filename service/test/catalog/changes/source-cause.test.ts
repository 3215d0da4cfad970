// The cause `source` (decision E50), from runs of a feed to rows of the change log.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Feed } from '../../../src/feeds/feed.ts'
import { createFakeFeed, type FakeDelivery } from '../../feeds/fake-feed.ts'
import { createFeedHarness } from '../../feeds/feed-harness.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRating, nvdRecord } from '../source-fixtures.ts'

const feeds = await createFeedHarness()
const catalog = await createCatalogHarness(feeds.url)

beforeEach(async () => {
  await feeds.reset()
  await catalog.reset()
})
afterEach(() => catalog.selectRows('delete from source.feed_run; delete from source.feed'))

const toId = (index: number) => `CVE-2026-${10_000 + index}`
const list = (count: number) => Array.from({ length: count }, (_, index) => toId(index))

const record = (id: string, score = 7.5) => ({
  ...nvdRecord(id, { metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', score)] } }),
  id,
  modified: feeds.clock.now().toISOString(),
})

const feedOf = (...deliveries: readonly FakeDelivery[]): Feed => createFakeFeed(deliveries)
const records = (ids: readonly string[], score?: number): FakeDelivery => ({
  items: ids.map((id) => record(id, score)),
  // Guards refuse a delivery in which too many records are new.
  isFirst: true,
})

async function runAndPublish(feed: Feed, options: { readonly from?: string } = {}): Promise<void> {
  feeds.clock.advance({ hours: 1 })
  expect(await feeds.run(feed, options)).toMatchObject({ outcome: 'succeeded', error: null })
  await catalog.publish()
}

/** The number of rows by cause and kind, without those of earlier calls. */
async function readCauses(): Promise<Readonly<Record<string, number>>> {
  const rows = await catalog.selectRows<{ name: string; count: number }>(
    `with counted as (delete from catalog.change where kind in ('added', 'changed', 'kev', 'epss') returning cause, kind)
     select cause || ' ' || kind as name, count(*)::int as count from counted group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** Makes the catalog large. */
const fillCatalog = (count: number) =>
  catalog.selectRows(`
    insert into catalog.cve (cve_key, modified, status, is_enriched, has_exploit, in_kev, has_notice, has_reference,
                             cpe_count, has_patch, sources, words, content_hash)
    select catalog.cve_key('CVE-2001-' || 1000 + n), '2001-01-01', 'Analyzed', false, false, false, false, false,
           0, false, '{}', '', ''
      from generate_series(1, ${count}) n`)

describe('The cause of a change', () => {
  it('is source for the first complete run of a source, and data afterwards', async () => {
    await runAndPublish(feedOf(records([toId(1)])))
    expect(await readCauses()).toEqual({ 'source added': 1 })
    await runAndPublish(feedOf(records([toId(1)], 9.1), records([toId(2)])))
    expect(await readCauses()).toEqual({ 'data changed': 1, 'data added': 1 })
  })

  it('stays source until a run has succeeded, so a first run that failed halfway does not end it', async () => {
    const failing = createFakeFeed(async function* () {
      yield records([toId(1)])
      throw new Error('the connection broke')
    })
    expect(await feeds.run(failing)).toMatchObject({ outcome: 'failed' })
    await feeds.selectRows("update source.feed set next_due_at = '-infinity'")
    await runAndPublish(feedOf(records([toId(2)])))
    expect(await readCauses()).toEqual({ 'source added': 2 })
  })

  it('is source for the first bundle of a source, and data for a bundle of a known one, however much it changes', async () => {
    await runAndPublish(feedOf(records(list(3))), { from: '/bundle' })
    expect(await readCauses()).toEqual({ 'source added': 3 })
    await runAndPublish({ ...feedOf(records(list(1200), 9.1)), readerVersion: 2 }, { from: '/bundle' })
    expect(await readCauses()).toEqual({ 'data changed': 3, 'data added': 1197 })
  })

  it('is source for the first run after the reader changed, and data for the next one', async () => {
    await runAndPublish(feedOf(records([toId(1)])))
    await readCauses()
    await runAndPublish({ ...feedOf(records([toId(1)], 9.1)), readerVersion: 2 })
    expect(await readCauses()).toEqual({ 'source changed': 1 })
    await runAndPublish({ ...feedOf(records([toId(1)], 5.3)), readerVersion: 2 })
    expect(await readCauses()).toEqual({ 'data changed': 1 })
  })

  it('is source for a run that changes more than 2 % of the catalog, also for its first delivery', async () => {
    await runAndPublish(feedOf(records([toId(1)])))
    await readCauses()
    await runAndPublish(feedOf(records(list(600), 9.1), records(list(1200).slice(600))))
    expect(await readCauses()).toEqual({ 'source changed': 1, 'source added': 1199 })
  })

  it('stays data for a run that changes at most 2 % of the catalog, or fewer than 1,000 CVEs', async () => {
    await runAndPublish(feedOf(records([toId(1)])))
    await fillCatalog(60_000)
    await readCauses()
    await runAndPublish(feedOf(records(list(1100), 9.1)))
    expect(await readCauses()).toEqual({ 'data changed': 1, 'data added': 1099 })
    await catalog.selectRows("delete from catalog.cve where cve_key < catalog.cve_key('CVE-2002-1000')")
    await runAndPublish(feedOf(records(list(900), 5.3)))
    expect(await readCauses()).toEqual({ 'data changed': 900 })
  })

  it('is data if a run of another source has new data of the same CVE', async () => {
    await feeds.run(feedOf(records([toId(1), toId(2)])))
    await catalog.storeRecord('redhat', toId(1), { bulletin: 'RHSA-2026:1' })
    await catalog.publish()
    expect(await readCauses()).toEqual({ 'data added': 1, 'source added': 1 })
  })

  it('is source for KEV entries of the first run of KEV, with their types, and data for later ones', async () => {
    await catalog.storeRecord('nvd', toId(1), nvdRecord(toId(1)))
    await catalog.storeRecord('nvd', toId(2), nvdRecord(toId(2)))
    await catalog.publish()
    await readCauses()
    await noteRun('kev', 'source')
    await catalog.storeKev([{ cveId: toId(1) }])
    await nameRun('kev')
    await catalog.publish()
    expect(await catalog.selectRows("select cause, 'kev_added' = any (types) as is_added from catalog.change")).toEqual(
      [{ cause: 'source', is_added: true }],
    )
    await readCauses()
    await noteRun('kev', 'data')
    await catalog.storeKev([{ cveId: toId(1) }, { cveId: toId(2) }])
    await nameRun('kev')
    await catalog.publish()
    expect(await readCauses()).toEqual({ 'data changed': 1 })
  })

  it('is source for the first EPSS release and the levels that it changes, and data for the next one', async () => {
    await catalog.storeRecord('nvd', toId(1), nvdRecord(toId(1)))
    await catalog.publish()
    await readCauses()
    await noteRun('epss', 'source')
    await catalog.storeEpss('2026-08-20', { [toId(1)]: 0.9 })
    await catalog.publish()
    expect(await readCauses()).toEqual({ 'source epss': 1, 'source changed': 1 })
    await noteRun('epss', 'data')
    await catalog.storeEpss('2026-08-21', { [toId(1)]: 0.01 })
    await catalog.publish()
    expect(await readCauses()).toEqual({ 'data epss': 2, 'data changed': 1 })
  })

  it('is source for advisories without a CVE from the first run of their database, and data for later ones', async () => {
    const store = (id: string, fixed: string) =>
      catalog.selectRows(`
        insert into source.osv_advisory (feed, id, modified, record, content_hash)
        values ('osv-go', '${id}', '2026-08-20', '${JSON.stringify(advisory(fixed))}', sha256('${fixed}'))
        on conflict (feed, id) do update set record = excluded.record, content_hash = excluded.content_hash`)
    await noteRun('osv-go', 'source')
    await store('GO-2026-0001', '1.2.3')
    await catalog.publish()
    await noteRun('osv-go', 'data')
    await store('GO-2026-0001', '1.2.4')
    await catalog.publish()
    expect(
      await catalog.selectRows("select cause, types from catalog.change where kind = 'advisory' order by seq"),
    ).toEqual([
      { cause: 'source', types: ['advisory_published'] },
      { cause: 'data', types: ['advisory_changed'] },
    ])
  })
})

/** Records a run as the engine does. */
const noteRun = (feed: string, cause: 'source' | 'data') =>
  catalog.selectRows(`
    update catalog.dataset set last_run_at = clock_timestamp() where name = '${feed}';
    insert into source.feed (name) values ('${feed}') on conflict do nothing;
    insert into source.feed_run (feed, lease_epoch, origin, started_at, read_count, cause)
    values ('${feed}', 1, 'network', '2026-08-22', 1, '${cause}')`)

/** Queues the CVEs in the name of the newest run, as a feed's store does. */
const nameRun = (feed: string) =>
  catalog.selectRows(
    `update source.publication_queue set run_id = (select max(id) from source.feed_run) where feed = '${feed}'`,
  )

const advisory = (fixed: string) => ({
  advisories: ['GO-2026-0001'],
  aliases: [],
  cve_ids: [],
  title: 'A flaw in lark',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [{ vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark', fixed }],
})
