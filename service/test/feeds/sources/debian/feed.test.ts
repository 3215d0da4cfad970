import { beforeEach, describe, expect, it } from 'vitest'
import { debianFeed } from '../../../../src/feeds/sources/debian/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { buildDebianEntry, buildDebianTracker, OPEN, RESOLVED } from './fixtures.ts'

const { importFiles, selectRows, listRejections, reset } = await createFeedHarness()
const feed = debianFeed({ url: 'https://debian.example/json' })
const FILE = 'debian-tracker.json'

const importTracker = (tracker: unknown) => importFiles(feed, { [FILE]: JSON.stringify(tracker) })

const listStored = () =>
  selectRows<Record<string, unknown>>(`
    select package, cve_id, release, status, fixed_version, urgency, known_version, decision
      from source.debian_status
     order by package, cve_id, release
  `)

beforeEach(reset)

describe('Debian feed: storing the tracker', () => {
  it('stores the state of each CVE by package and release, and skips entries with a temporary id', async () => {
    const report = await importTracker({
      larkfield: {
        'CVE-2024-0001': buildDebianEntry({ bookworm: RESOLVED, sid: OPEN }),
        'TEMP-0000000-A1B2C3': buildDebianEntry({ sid: OPEN }),
      },
      wing: { 'CVE-2024-0001': buildDebianEntry({ bookworm: { status: 'resolved', fixed_version: '0' } }) },
    })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const row = { cve_id: 'CVE-2024-0001', known_version: null, decision: null }
    expect(await listStored()).toEqual([
      {
        ...row,
        package: 'larkfield',
        release: 'bookworm',
        status: 'resolved',
        fixed_version: '1.2-3+deb12u1',
        urgency: 'not yet assigned',
      },
      { ...row, package: 'larkfield', release: 'sid', status: 'open', fixed_version: null, urgency: 'low' },
      { ...row, package: 'wing', release: 'bookworm', status: 'resolved', fixed_version: '0', urgency: null },
    ])
    expect(await selectRows('select cve_id, feed from source.publication_queue')).toEqual([
      { cve_id: 'CVE-2024-0001', feed: 'debian' },
    ])
  })

  it('stores a file with one CVE per line for the release in its name, and removes no other state', async () => {
    await importTracker({ larkfield: { 'CVE-2024-0001': buildDebianEntry({ bookworm: OPEN, sid: OPEN }) } })
    const line = { id: 'CVE-2024-0001', scope: 'local', packages: [{ name: 'larkfield', ...RESOLVED, repository: [] }] }

    const report = await importFiles(feed, { 'debian-tracker-bookworm.ndjson.gz': `${JSON.stringify(line)}\n` })

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, removed: 0 })
    expect((await listStored()).map(({ release, status }) => [release, status])).toEqual([
      ['bookworm', 'resolved'],
      ['sid', 'open'],
    ])
  })

  it('keeps the newest version that the tracker knew and its decision, unless a version is fixed', async () => {
    const versions = { bookworm: '1.2-3', 'bookworm-security': '1.2-3+deb12u2', 'bookworm-updates': '1.2-3+deb12u1' }
    const known = { repositories: versions, nodsa: 'Minor issue', nodsa_reason: 'ignored' }
    await importTracker({
      larkfield: {
        'CVE-2024-0001': buildDebianEntry({ bookworm: { ...OPEN, ...known }, sid: { ...RESOLVED, ...known } }),
      },
    })
    const line = {
      id: 'CVE-2024-0002',
      packages: [{ name: 'wing', ...OPEN, repository: [{ name: 'trixie', version: '2-1' }], nodsa: 'Minor issue' }],
    }
    await importFiles(feed, { 'debian-tracker-trixie.ndjson': `${JSON.stringify(line)}\n` })

    expect((await listStored()).map((each) => [each['release'], each['known_version'], each['decision']])).toEqual([
      ['bookworm', '1.2-3+deb12u2', 'ignored'],
      ['sid', null, null],
      ['trixie', '2-1', 'no-dsa'],
    ])
  })

  it('deletes the state of a CVE that the tracker no longer lists, and writes only changed states', async () => {
    await importTracker(buildDebianTracker(100))
    const { larkfield } = buildDebianTracker(99)
    const changed = { larkfield: { ...larkfield, 'CVE-2024-10000': buildDebianEntry({ bookworm: OPEN }) } }
    expect(await importTracker(changed)).toMatchObject({ written: 1, unchanged: 98, removed: 1 })
  })
})

describe('Debian feed: invalid input', () => {
  it('rejects an invalid state with a reason and keeps the stored states of the same package and CVE', async () => {
    const { larkfield } = buildDebianTracker(20)
    await importTracker({
      larkfield: { ...larkfield, 'CVE-2024-0001': buildDebianEntry({ bookworm: OPEN, sid: OPEN }) },
    })
    const report = await importTracker({
      larkfield: {
        ...larkfield,
        'CVE-2024-0001': buildDebianEntry({ bookworm: { status: 7 }, sid: RESOLVED }),
        'CVE-2024-0002': {},
      },
    })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1, rejected: 2, removed: 0 })
    expect(await listRejections()).toEqual([
      { subject: 'larkfield CVE-2024-0001 bookworm', reason: '/status must be string' },
      { subject: 'larkfield CVE-2024-0002', reason: 'the record must have required properties releases' },
    ])
    expect((await listStored()).filter((each) => each['cve_id'] === 'CVE-2024-0001')).toMatchObject([
      { release: 'bookworm', status: 'open' },
      { release: 'sid', status: 'resolved' },
    ])
  })

  it.each([
    ['an empty object', '{}', 'the file contains no records'],
    ['a list', '[]', 'the file has "[" at byte 0, expected a JSON object'],
    ['a package that is not an object', '{"larkfield": 7}', 'the package "larkfield" is not a JSON object'],
    ['text after its end', '{} {}', 'the file continues after its end'],
  ])('fails without a change when the file is %s', async (_what, content, error) => {
    const report = await importFiles(feed, { [FILE]: content })
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain(`${FILE} cannot be used: ${error}`)
  })
})
