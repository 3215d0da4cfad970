import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { kevFeed } from '../../../../src/feeds/sources/kev/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { directoryWith } from '../../small-files.ts'
import { catalogue, entries, entry, FILE, kevMachine, RELEASED } from './fixtures.ts'

const feed = kevFeed({ url: 'https://kev.example/' })
const { run, read, stored, queued, look, clock, reset } = await kevMachine()
beforeEach(reset)

describe('The KEV catalogue is stored', () => {
  it('as CISA wrote it', async () => {
    const odd = { product: 'a "b"\t{c}\\N\nd', cwes: ['CWE-20', 'CWE-787'], notes: '' }

    const report = await read(catalogue([entry('CVE-2024-3094', odd)]))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await stored()).toEqual([
      {
        cve_id: 'CVE-2024-3094',
        vendor_project: 'Kettle',
        product: 'a "b"\t{c}\\N\nd',
        vulnerability_name: 'Kettle Teapot Spout Vulnerability',
        date_added: '2026-08-19',
        short_description: 'The spout of the teapot lets anybody pour.',
        required_action: 'Put the lid on.',
        due_date: '2026-09-02',
        known_ransomware: false,
        notes: '',
        cwes: ['CWE-20', 'CWE-787'],
        first_stored_at: clock.now(),
        removed_at: null,
      },
    ])
  })

  it('from a file packed with gzip, or in the folder of the feed', async () => {
    const from = await directoryWith({ [`${FILE}.gz`]: JSON.stringify(catalogue([entry('CVE-2024-3094')])) })
    await mkdir(join(from, 'kev'))
    await rename(join(from, `${FILE}.gz`), join(from, 'kev', `${FILE}.gz`))

    expect(await run(feed, { from })).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await stored()).toHaveLength(1)
  })
})

describe('The KEV catalogue is a set', () => {
  it('of which nothing is written when nothing changed', async () => {
    await read(catalogue(entries(100)))
    const rows = 'select cve_id, xmin::text, xmax::text, ctid::text from source.kev_entry order by cve_id'
    const before = await look(rows)

    const again = await read(catalogue(entries(100), { dateReleased: '2026-08-21T15:00:00Z', catalogVersion: 'next' }))

    expect(again).toMatchObject({ outcome: 'succeeded', read: 100, written: 0, removed: 0, unchanged: 100 })
    expect(await look(rows)).toEqual(before)
    expect(await queued()).toHaveLength(100)
  })

  it('to which entries are added, and in which they change', async () => {
    await read(catalogue([entry('CVE-2024-0001'), entry('CVE-2024-0002')]))

    const report = await read(
      catalogue([entry('CVE-2024-0001'), entry('CVE-2024-0002', { dueDate: '2026-10-01' }), entry('CVE-2024-0003')]),
    )

    expect(report).toMatchObject({ written: 2, unchanged: 1, removed: 0 })
    expect((await queued()).slice(2).toSorted()).toEqual(['CVE-2024-0002', 'CVE-2024-0003'])
    expect((await stored()).map((each) => each['due_date'])).toEqual(['2026-09-02', '2026-10-01', '2026-09-02'])
  })

  it('from which entries are removed without a word: ours are kept, and marked with the date of the release', async () => {
    await read(catalogue([entry('CVE-2024-0001'), entry('CVE-2024-0002')]))

    const report = await read(catalogue([entry('CVE-2024-0001')], { dateReleased: '2026-08-21T12:30:00Z' }))

    expect(report).toMatchObject({ outcome: 'succeeded', written: 0, removed: 1, unchanged: 1 })
    expect(await stored()).toMatchObject([
      { cve_id: 'CVE-2024-0001', removed_at: null },
      { cve_id: 'CVE-2024-0002', removed_at: new Date('2026-08-21T12:30:00Z') },
    ])
    expect(await queued()).toEqual(['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0002'])
    expect(await look("select table_count::int from catalog.dataset where name = 'kev'")).toEqual([{ table_count: 1 }])
  })

  it('to which a removed entry may come back, and is removed only once', async () => {
    const both = [entry('CVE-2024-0001'), entry('CVE-2024-0002')]
    const first = clock.now()
    await read(catalogue(both))
    await read(catalogue(both.slice(0, 1), { dateReleased: '2026-08-21T00:00:00Z' }))
    expect(await read(catalogue(both.slice(0, 1), { dateReleased: '2026-08-21T01:00:00Z' }))).toMatchObject({
      removed: 0,
    })

    const later = { clock: () => new Date('2026-08-23T00:00:00Z') }
    const report = await read(catalogue(both, { dateReleased: '2026-08-22T00:00:00Z' }), later)

    expect(report).toMatchObject({ written: 1, unchanged: 1, removed: 0 })
    expect(await stored()).toMatchObject([{}, { cve_id: 'CVE-2024-0002', removed_at: null, first_stored_at: first }])
    expect((await queued()).slice(2)).toEqual(['CVE-2024-0002', 'CVE-2024-0002'])
    expect(await look("select table_count::int from catalog.dataset where name = 'kev'")).toEqual([{ table_count: 2 }])
  })

  it('that never loses more than a little at once', async () => {
    await read(catalogue(entries(100)))

    const report = await read(catalogue(entries(97)))

    expect(report).toMatchObject({ outcome: 'refused', removed: 0 })
    expect(report.fault).toContain('it would drop 3 of the 100 records we have')
    expect((await stored()).filter((each) => each['removed_at'] !== null)).toEqual([])
  })

  it('in which one CVE is there once: of two entries the one added last, of the same day the last in the list', async () => {
    const report = await read(
      catalogue([
        entry('CVE-2024-0001', { product: 'newest', dateAdded: '2026-08-12' }),
        entry('CVE-2024-0001', { product: 'older', dateAdded: '2026-08-11' }),
        entry('CVE-2024-0002', { product: 'first' }),
        entry('cve-2024-0002', { product: 'last' }),
      ]),
    )

    expect(report).toMatchObject({ read: 4, written: 2, duplicates: 2 })
    expect((await stored()).map((each) => each['product'])).toEqual(['newest', 'last'])
  })
})

describe('An entry that is dated in the future (C22)', () => {
  it('counts as of today, is then left alone, and is put right when its day has come', async () => {
    const ahead = catalogue([entry('CVE-2024-0001', { dateAdded: '2026-08-24' })])
    const dateStored = async () => (await stored()).map((each) => each['date_added'])
    const on = (day: string) => ({ clock: () => new Date(day) })

    await read(ahead, on('2026-08-22'))
    expect(await dateStored()).toEqual(['2026-08-22'])

    expect(await read(ahead, on('2026-08-23'))).toMatchObject({ written: 0 })
    expect(await dateStored()).toEqual(['2026-08-22'])

    expect(await read(ahead, on('2026-08-24'))).toMatchObject({ written: 1 })
    expect(await dateStored()).toEqual(['2026-08-24'])
  })

  it('is not believed when there are many', async () => {
    const ahead = entries(100).map((each, index) => (index < 3 ? { ...each, dateAdded: '2027-01-01' } : each))
    expect((await read(catalogue(ahead))).fault).toContain('3 of its 100 records are dated in the future')
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is an entry, and the others are stored', async () => {
    const report = await read(catalogue([...entries(5), entry('CVE-2024-0001', { dateAdded: '2026-02-30' })]))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 6, written: 5, rejected: 1 })
    expect(await stored()).toHaveLength(5)
    expect(await look('select subject, reason from source.feed_rejection')).toEqual([
      { subject: 'CVE-2024-0001', reason: 'dateAdded is not a day: "2026-02-30"' },
    ])
  })

  it('is still in the catalogue: what we have of it stays, and only what is not there is removed', async () => {
    await read(catalogue([...entries(5), entry('CVE-2024-0001'), entry('CVE-2024-0002'), entry('CVE-2024-0003')]))
    const tooLong = entry('CVE-2024-0002', { notes: 'x'.repeat(300_000) })

    const report = await read(catalogue([...entries(5), entry('CVE-2024-0001', { dateAdded: 'soon' }), tooLong]))

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 2, removed: 1, unchanged: 5 })
    const gone = (await stored()).filter((each) => each['removed_at'] !== null)
    expect(gone.map((each) => each['cve_id'])).toEqual(['CVE-2024-0003'])
    expect((await queued()).slice(8)).toEqual(['CVE-2024-0003'])
  })

  it('is a failure when it is the catalogue, and what we have stays', async () => {
    await read(catalogue(entries(20)))
    const before = await stored()

    const report = await read(catalogue(entries(19), { count: 20, dateReleased: '2026-08-21T00:00:00Z' }))

    expect(report).toMatchObject({ outcome: 'failed', written: 0, removed: 0 })
    expect(report.fault).toBe('The KEV catalogue cannot be used: it says that it has 20 entries, and its list has 19.')
    expect(await stored()).toEqual(before)
    expect(await look("select cursor ->> 'releasedAt' as at from source.feed")).toEqual([
      { at: '2026-08-20T15:00:00.000Z' },
    ])
  })

  it('is a catalogue from the future, which would keep out all that come after it', async () => {
    const report = await read(catalogue(entries(20), { dateReleased: '2026-08-23T00:00:00Z' }))
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.fault).toContain('It says that it was released at 2026-08-23T00:00:00Z, which is in the future.')
    expect(await look('select cursor from source.feed')).toEqual([{ cursor: null }])
  })

  it('is a catalogue older than the one we have; one of the same date can be used', async () => {
    await read(catalogue(entries(20)))

    const older = await read(catalogue(entries(19), { dateReleased: '2026-08-20T14:59:59Z' }))
    expect(older).toMatchObject({ outcome: 'failed', removed: 0 })
    expect(older.fault).toContain('released at 2026-08-20T14:59:59Z, before the one we have, of 2026-08-20T15:00:00Z')
    expect((await stored()).filter((each) => each['removed_at'] !== null)).toEqual([])

    expect(await read(catalogue(entries(19), { dateReleased: RELEASED }))).toMatchObject({ removed: 1 })
  })

  it('is a directory without a catalogue, which is no failure of the upstream', async () => {
    const from = await directoryWith({ 'another.json': '{}' })
    const report = await run(feed, { from })
    expect(report).toMatchObject({ outcome: 'absent', fault: `${from} has no ${FILE}.` })
  })
})

describe('The KEV catalogue from the network', () => {
  it('is asked for with what the server said of the copy we have, and not read again', async () => {
    const upstream = await startUpstream({ '/kev': manners.validates('"one"', catalogue(entries(3))) })
    const fromNetwork = { openDownload: () => testDownload([upstream]) }
    const online = kevFeed({ url: `${upstream.url}/kev` })

    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 3 })
    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })

    expect(upstream.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
    expect(await queued()).toHaveLength(3)
  })

  it('is asked for anew after one was read from a directory', async () => {
    const upstream = await startUpstream({ '/kev': manners.validates('"one"', catalogue(entries(3))) })
    const fromNetwork = { openDownload: () => testDownload([upstream]) }
    const online = kevFeed({ url: `${upstream.url}/kev` })
    await run(online, fromNetwork)
    await read(catalogue(entries(2)))

    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 3, written: 1 })
  })

  it('is a failure, never an empty catalogue, when the server refuses', async () => {
    const upstream = await startUpstream({ '/kev': manners.answers(403, 'Access denied') })
    const report = await run(kevFeed({ url: `${upstream.url}/kev` }), { openDownload: () => testDownload([upstream]) })

    expect(report).toMatchObject({ outcome: 'failed', read: 0 })
    expect(report.fault).toContain('403')
  })
})
