import { beforeEach, describe, expect, it } from 'vitest'
import type { OsvSourceId } from '../../../../src/domain/source/osv-sources.ts'
import type { Feed } from '../../../../src/feeds/feed.ts'
import { osvDefinitions, osvFeed } from '../../../../src/feeds/sources/osv/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { createZip } from '../../formats/zip-builder.ts'
import { goAdvisories, goId, osvAdvisory } from './fixtures.ts'

const { importFiles, selectRows, listQueued, reset } = await createFeedHarness()

const feedOf = (id: OsvSourceId, url = 'https://osv.example/all.zip'): Feed => osvFeed(id, { url })

const goFeed = feedOf('osv-go')
const asArchive = (all: readonly Record<string, unknown>[]) =>
  createZip(all.map((each) => ({ name: `${String(each['id'])}.json`, content: JSON.stringify(each) })))

const readArchive = (all: readonly Record<string, unknown>[], feed = goFeed) =>
  importFiles(feed, { [`${feed.name}.zip`]: asArchive(all) })

const listStored = () =>
  selectRows<{ feed: string; id: string; cves: string[]; record: Record<string, unknown> }>(`
    select feed, id, record::json,
           array(select cve_id from source.osv_advisory_cve where feed = osv_advisory.feed and advisory_id = id
                  order by cve_id) as cves
      from source.osv_advisory
     order by feed, id
  `)

beforeEach(reset)

describe('OSV feeds: age of the data', () => {
  const readUpstreamAt = async () =>
    (
      await selectRows<{ at: string | null }>(
        "select upstream_at::text as at from catalog.dataset where name = 'osv-go'",
      )
    )[0]?.at ?? null

  it('is the age of the newest advisory', async () => {
    await readArchive([osvAdvisory(goId(1)), osvAdvisory(goId(2), { modified: '2026-08-03T10:00:00Z' })])
    expect(await readUpstreamAt()).toContain('2026-08-03 10:00:00')
  })
})

describe('OSV feeds: settings', () => {
  it('include one for the address of each database', () => {
    const [setting] = osvDefinitions['osv-rustsec'].settings
    expect(setting).toMatchObject({
      name: 'FEED_OSV_RUSTSEC_URL',
      fallback: 'https://osv-vulnerabilities.storage.googleapis.com/crates.io/all.zip',
    })
  })
})

describe('OSV feeds: importing a database', () => {
  it("stores the database's advisories and skips those from other databases in the archive", async () => {
    const report = await readArchive([
      osvAdvisory('GO-2024-0001', { aliases: ['CVE-2024-0002', 'CVE-2024-0001'] }),
      osvAdvisory('GO-2024-0002', { aliases: [] }),
      osvAdvisory('GHSA-2222-3333-4444'),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0 })
    expect(await listStored()).toMatchObject([
      { feed: 'osv-go', id: 'GO-2024-0001', cves: ['CVE-2024-0001', 'CVE-2024-0002'], record: { database: 'go' } },
      { feed: 'osv-go', id: 'GO-2024-0002', cves: [] },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
  })

  it('keeps a withdrawn advisory, marks it and queues its CVEs', async () => {
    await readArchive(goAdvisories(3))
    await selectRows('truncate source.publication_queue')
    const [first, ...others] = goAdvisories(3)
    const report = await readArchive([{ ...first, withdrawn: '2026-08-10T00:00:00Z' }, ...others])

    expect(report).toMatchObject({ written: 1, unchanged: 2, removed: 0 })
    expect((await listStored())[0]).toMatchObject({ id: goId(0), record: { withdrawn: true } })
    expect(await listQueued()).toEqual(['CVE-2024-10000'])
  })

  it('deletes an advisory that the archive no longer contains, and leaves other databases unchanged', async () => {
    await readArchive([osvAdvisory('RUSTSEC-2024-0001')], feedOf('osv-rustsec'))
    await readArchive(goAdvisories(3))
    expect(await readArchive(goAdvisories(2))).toMatchObject({ outcome: 'succeeded', removed: 1 })
    expect((await listStored()).map(({ id }) => id)).toEqual([goId(0), goId(1), 'RUSTSEC-2024-0001'])
  })

  it('refuses an archive in which too many advisories lost their CVEs', async () => {
    await readArchive(goAdvisories(100))
    const report = await readArchive(goAdvisories(100, { aliases: [] }))
    expect(report.error).toContain('100 of the 100 stored records no longer name a CVE')
    expect(await listStored()).toHaveLength(100)
  })

  it('refuses an archive of a distribution that has lost records, and one without any', async () => {
    const records = Array.from({ length: 100 }, (_, index) => {
      const cveId = `CVE-2024-${1000 + index}`
      return osvAdvisory(`UBUNTU-${cveId}`, { upstream: [cveId] })
    })
    const ubuntu = feedOf('osv-ubuntu')
    await readArchive(records, ubuntu)
    expect(await readArchive(records.slice(0, 90), ubuntu)).toMatchObject({ outcome: 'refused', removed: 0 })
    expect(await readArchive([osvAdvisory('GO-2024-0001')], ubuntu)).toMatchObject({ outcome: 'failed', removed: 0 })
    expect(await listStored()).toHaveLength(100)
  })

  it('fails and keeps the stored advisories when the archive has none from the database', async () => {
    await readArchive(goAdvisories(3))

    const report = await readArchive([osvAdvisory('GHSA-2222-3333-4444')])
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain('osv-go.zip cannot be used: ')
    expect(await listStored()).toHaveLength(3)
  })
})
