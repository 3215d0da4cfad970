import { beforeEach, describe, expect, it } from 'vitest'
import { kevFeed } from '../../../../src/feeds/sources/kev/feed.ts'
import { createTestDownload } from '../../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../../support/network/upstream.ts'
import { buildCatalog, buildEntries, buildEntry, createKevHarness, RELEASED } from './fixtures.ts'

const { run, importCatalog, listStored, listQueued, selectRows, clock, reset } = await createKevHarness()
beforeEach(reset)

describe('KEV feed: storing the catalog', () => {
  it('stores every field of a KEV entry exactly as CISA sent it', async () => {
    const special = { product: 'a "b"\t{c}\\N\nd', cwes: ['CWE-20', 'CWE-787'], notes: '' }

    const report = await importCatalog(buildCatalog([buildEntry('CVE-2024-3094', special)]))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await listStored()).toEqual([
      {
        cve_id: 'CVE-2024-3094',
        vendor_project: 'Halvorsen',
        product: 'a "b"\t{c}\\N\nd',
        vulnerability_name: 'Halvorsen MailGate Authentication Bypass Vulnerability',
        date_added: '2026-08-19',
        short_description: 'Halvorsen MailGate has an authentication bypass vulnerability in its web interface.',
        required_action: 'Apply the vendor updates or stop using the product.',
        due_date: '2026-09-02',
        known_ransomware: false,
        notes: '',
        cwes: ['CWE-20', 'CWE-787'],
        first_stored_at: clock.now(),
        removed_at: null,
      },
    ])
  })
})

describe('KEV feed: importing a newer catalog', () => {
  it('writes and queues only the added and changed KEV entries', async () => {
    await importCatalog(buildCatalog([buildEntry('CVE-2024-0001'), buildEntry('CVE-2024-0002')]))

    const report = await importCatalog(
      buildCatalog([
        buildEntry('CVE-2024-0001'),
        buildEntry('CVE-2024-0002', { dueDate: '2026-10-01' }),
        buildEntry('CVE-2024-0003'),
      ]),
    )

    expect(report).toMatchObject({ written: 2, unchanged: 1, removed: 0 })
    expect((await listQueued()).slice(2).toSorted()).toEqual(['CVE-2024-0002', 'CVE-2024-0003'])
    expect((await listStored()).map((each) => each['due_date'])).toEqual(['2026-09-02', '2026-10-01', '2026-09-02'])
  })

  it('marks a KEV entry as removed on the release date when the catalog no longer lists it', async () => {
    await importCatalog(buildCatalog([buildEntry('CVE-2024-0001'), buildEntry('CVE-2024-0002')]))

    const report = await importCatalog(
      buildCatalog([buildEntry('CVE-2024-0001')], { dateReleased: '2026-08-21T12:30:00Z' }),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', written: 0, removed: 1, unchanged: 1 })
    expect(await listStored()).toMatchObject([
      { cve_id: 'CVE-2024-0001', removed_at: null },
      { cve_id: 'CVE-2024-0002', removed_at: new Date('2026-08-21T12:30:00Z') },
    ])
    expect(await listQueued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0002'])
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'kev'")).toEqual([
      { table_count: 1 },
    ])
  })

  it('restores a removed KEV entry when the catalog lists it again', async () => {
    const both = [buildEntry('CVE-2024-0001'), buildEntry('CVE-2024-0002')]
    const first = clock.now()
    await importCatalog(buildCatalog(both))
    await importCatalog(buildCatalog(both.slice(0, 1), { dateReleased: '2026-08-21T00:00:00Z' }))
    expect(await importCatalog(buildCatalog(both.slice(0, 1), { dateReleased: '2026-08-21T01:00:00Z' }))).toMatchObject(
      {
        removed: 0,
      },
    )

    const later = { clock: () => new Date('2026-08-23T00:00:00Z') }
    const report = await importCatalog(buildCatalog(both, { dateReleased: '2026-08-22T00:00:00Z' }), later)

    expect(report).toMatchObject({ written: 1, unchanged: 1, removed: 0 })
    expect(await listStored()).toMatchObject([
      {},
      { cve_id: 'CVE-2024-0002', removed_at: null, first_stored_at: first },
    ])
    expect((await listQueued()).slice(2)).toEqual(['CVE-2024-0002', 'CVE-2024-0002'])
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'kev'")).toEqual([
      { table_count: 2 },
    ])
  })

  it('stores one KEV entry per CVE: the one added last, or the one listed last if both have the same date', async () => {
    const report = await importCatalog(
      buildCatalog([
        buildEntry('CVE-2024-0001', { product: 'newest', dateAdded: '2026-08-12' }),
        buildEntry('CVE-2024-0001', { product: 'older', dateAdded: '2026-08-11' }),
        buildEntry('CVE-2024-0002', { product: 'first' }),
        buildEntry('cve-2024-0002', { product: 'last' }),
      ]),
    )

    expect(report).toMatchObject({ read: 4, written: 2, duplicates: 2 })
    expect((await listStored()).map((each) => each['product'])).toEqual(['newest', 'last'])
  })
})

describe('KEV feed: entries dated in the future (decision C22)', () => {
  it('stores today as dateAdded of a future KEV entry, and the real date once it is reached', async () => {
    const future = buildCatalog([buildEntry('CVE-2024-0001', { dateAdded: '2026-08-24' })])
    const listDates = async () => (await listStored()).map((each) => each['date_added'])
    const clockAt = (day: string) => ({ clock: () => new Date(day) })

    await importCatalog(future, clockAt('2026-08-22'))
    expect(await listDates()).toEqual(['2026-08-22'])

    expect(await importCatalog(future, clockAt('2026-08-23'))).toMatchObject({ written: 0 })
    expect(await listDates()).toEqual(['2026-08-22'])

    expect(await importCatalog(future, clockAt('2026-08-24'))).toMatchObject({ written: 1 })
    expect(await listDates()).toEqual(['2026-08-24'])
  })
})

describe('KEV feed: invalid entries and catalogs', () => {
  it('keeps the stored entry when the catalog has an invalid version of it', async () => {
    await importCatalog(
      buildCatalog([
        ...buildEntries(5),
        buildEntry('CVE-2024-0001'),
        buildEntry('CVE-2024-0002'),
        buildEntry('CVE-2024-0003'),
      ]),
    )
    const tooLong = buildEntry('CVE-2024-0002', { notes: 'x'.repeat(300_000) })

    const report = await importCatalog(
      buildCatalog([...buildEntries(5), buildEntry('CVE-2024-0001', { dateAdded: 'soon' }), tooLong]),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 2, removed: 1, unchanged: 5 })
    const removed = (await listStored()).filter((each) => each['removed_at'] !== null)
    expect(removed.map((each) => each['cve_id'])).toEqual(['CVE-2024-0003'])
    expect((await listQueued()).slice(8)).toEqual(['CVE-2024-0003'])
  })

  it('rejects a catalog with a release date in the future', async () => {
    const report = await importCatalog(buildCatalog(buildEntries(20), { dateReleased: '2026-08-23T00:00:00Z' }))
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain('The release is dated 2026-08-23T00:00:00Z, which is in the future.')
    expect(await selectRows('select cursor from source.feed')).toEqual([{ cursor: null }])
  })

  it('rejects a catalog older than the stored one and accepts a catalog with the same release date', async () => {
    await importCatalog(buildCatalog(buildEntries(20)))

    const older = await importCatalog(buildCatalog(buildEntries(19), { dateReleased: '2026-08-20T14:59:59Z' }))
    expect(older).toMatchObject({ outcome: 'failed', removed: 0 })
    expect(older.error).toContain(
      'The release of 2026-08-20T14:59:59Z is older than the stored one of 2026-08-20T15:00:00Z',
    )
    expect((await listStored()).filter((each) => each['removed_at'] !== null)).toEqual([])

    expect(await importCatalog(buildCatalog(buildEntries(19), { dateReleased: RELEASED }))).toMatchObject({
      removed: 1,
    })
  })
})

describe('KEV feed: downloading the catalog', () => {
  it('sends no ETag after a catalog was imported from a directory', async () => {
    const upstream = await startUpstream({ '/kev': behaviours.validates('"one"', buildCatalog(buildEntries(3))) })
    const fromNetwork = { openDownload: () => createTestDownload([upstream]) }
    const networkFeed = kevFeed({ url: `${upstream.url}/kev` })
    await run(networkFeed, fromNetwork)
    await importCatalog(buildCatalog(buildEntries(2)))

    expect(await run(networkFeed, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 1 })
  })
})
