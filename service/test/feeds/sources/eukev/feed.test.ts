import { beforeEach, describe, expect, it } from 'vitest'
import type { RunDependencies } from '../../../../src/feeds/engine/run.ts'
import { euKevFeed } from '../../../../src/feeds/sources/eukev/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { buildEuKevEntries, buildEuKevEntry } from './fixtures.ts'

const { importFiles, selectRows, listRejections, clock, reset } = await createFeedHarness()
const feed = euKevFeed({ url: 'https://eukev.example/' })

const importEntries = (entries: unknown, changed?: Partial<RunDependencies>) =>
  importFiles(feed, { 'eukev.json': JSON.stringify(entries) }, changed)

const listStored = () =>
  selectRows<Record<string, unknown>>(`
    select cve_id, euvd_id, vendor_project, product, date_reported::text, date_listed::text, patched_since::text,
           origin, exploitation, threat_actors, cwes, first_stored_at, removed_at
      from source.eu_kev_entry
     order by cve_id
  `)

beforeEach(reset)

describe('EU KEV feed: storing the catalog', () => {
  it('stores the facts of an entry but none of its sentences', async () => {
    const report = await importEntries([
      buildEuKevEntry('CVE-2024-0001', { exploitationType: ['APT', 'cybercrime'], threatActorsExploiting: ['UNC1'] }),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await listStored()).toEqual([
      {
        cve_id: 'CVE-2024-0001',
        euvd_id: 'EUVD-2026-10001',
        vendor_project: 'Halvorsen',
        product: 'MailGate, MailGate Cloud',
        date_reported: '2026-08-18',
        date_listed: '2026-08-18',
        patched_since: '2026-05-14',
        origin: 'CERT-XX',
        exploitation: ['APT', 'cybercrime'],
        threat_actors: ['UNC1'],
        cwes: ['CWE-79'],
        first_stored_at: clock.now(),
        removed_at: null,
      },
    ])
  })

  it('stores dateAdded as the listing date if the entry has it', async () => {
    await importEntries([buildEuKevEntry('CVE-2024-0001', { dateAdded: '2026/08/20' })])
    expect(await listStored()).toMatchObject([{ date_reported: '2026-08-18', date_listed: '2026-08-20' }])
  })

  it('stores an entry without a patch, weaknesses or notes', async () => {
    const { patchedSince: _patch, cwes: _cwes, notes: _notes, ...entry } = buildEuKevEntry('CVE-2024-0001')
    expect(await importEntries([entry])).toMatchObject({ written: 1, rejected: 0 })
    expect(await listStored()).toMatchObject([{ patched_since: null, cwes: [] }])
  })

  it('queues the CVEs of new, changed and removed entries for publication, and no others', async () => {
    const [first, second, third] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003'] as const
    const takeQueued = async () =>
      (
        await selectRows<{ cve_id: string; feed: string }>(
          'with taken as (delete from source.publication_queue returning *) select * from taken order by cve_id',
        )
      ).map(({ cve_id, feed }) => [cve_id, feed])
    await importEntries([buildEuKevEntry(first), buildEuKevEntry(second), buildEuKevEntry(third)])
    expect(await takeQueued()).toEqual([first, second, third].map((id) => [id, 'eukev']))

    await importEntries([buildEuKevEntry(first), buildEuKevEntry(second, { dateAdded: '2026/08/20' })])
    expect(await takeQueued()).toEqual([second, third].map((id) => [id, 'eukev']))
  })

  it('replaces a future date with today and keeps the stored date until the content changes', async () => {
    const future = [buildEuKevEntry('CVE-2024-0001', { dateReported: '2026/08/24' })]
    const clockAt = (day: string) => ({ clock: () => new Date(day) })

    await importEntries(future, clockAt('2026-08-22'))
    expect(await importEntries(future, clockAt('2026-08-23'))).toMatchObject({ written: 0 })
    expect(await listStored()).toMatchObject([{ date_reported: '2026-08-22', date_listed: '2026-08-22' }])
  })
})

describe('EU KEV feed: importing a newer catalog', () => {
  it('marks an entry as removed at the time of the import and restores it when the catalog lists it again', async () => {
    const both = [buildEuKevEntry('CVE-2024-0001'), buildEuKevEntry('CVE-2024-0002')]
    const first = clock.now()
    await importEntries(both)

    expect(await importEntries(both.slice(0, 1))).toMatchObject({ written: 0, removed: 1 })
    expect(await listStored()).toMatchObject([{ removed_at: null }, { removed_at: first }])

    expect(await importEntries(both)).toMatchObject({ written: 1, removed: 0 })
    expect(await listStored()).toMatchObject([{}, { removed_at: null, first_stored_at: first }])
  })
})

describe('EU KEV feed: invalid entries and catalogs', () => {
  it.each([
    ['dateReported', '2026/02/30', 'dateReported is not a date: "2026/02/30"'],
    ['dateAdded', 'soon', 'dateAdded is not a date: "soon"'],
    ['patchedSince', '2026', 'patchedSince is not a date: "2026"'],
    ['exploitationType', 'ransomware', '/exploitationType must be array'],
  ])('rejects an entry with an invalid %s and stores the other entries', async (member, value, reason) => {
    const report = await importEntries([...buildEuKevEntries(3), buildEuKevEntry('CVE-2024-0001', { [member]: value })])

    expect(report).toMatchObject({ outcome: 'succeeded', written: 3, rejected: 1 })
    expect(await listRejections()).toEqual([{ subject: 'CVE-2024-0001', reason }])
  })

  it.each([
    ['an empty list', '[]', 'the file contains no records'],
    ['an object', '{"vulnerabilities":[]}', 'the file is not a JSON array of entries'],
  ])('rejects %s', async (_name, content, error) => {
    const report = await importFiles(feed, { 'eukev.json': content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(`eukev.json cannot be used: ${error}`)
  })
})
