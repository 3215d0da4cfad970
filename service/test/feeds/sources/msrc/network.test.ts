import { beforeEach, describe, expect, it } from 'vitest'
import { msrcFeed } from '../../../../src/feeds/sources/msrc/feed.ts'
import { createTestDownload, type TestDownload } from '../../../support/network/downloads.ts'
import { behaviours, type Content, type Handler, startUpstream } from '../../../support/network/upstream.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { msrcDocument, msrcUpdates, vulnerabilities, vulnerability } from './fixtures.ts'

const { run, selectRows, reset } = await createFeedHarness()
beforeEach(reset)

const PATH = '/cvrf/v3.0'
const MONTHS = {
  '2024-Jul': '2024-07-30T07:00:00Z',
  '2024-Aug': '2024-08-21T07:00:00Z',
  '2024-Sep': '2024-10-01T07:00:00Z',
}
const toCveId = (month: string) => `CVE-2024-${Object.keys(MONTHS).indexOf(month) + 1000}`
const buildMonth = (month: string) => msrcDocument(month, [vulnerability(toCveId(month))])
const storedIds = async () =>
  (await selectRows<{ id: string }>('select cve_id as id from source.source_record order by cve_id')).map(
    ({ id }) => id,
  )

/** Starts a test server with the documents of three months. `overrides` replaces the responses of single paths. */
async function startMicrosoft(overrides: Readonly<Record<string, Content | Handler>> = {}) {
  const upstream = await startUpstream({
    [`${PATH}/updates`]: msrcUpdates(MONTHS),
    ...Object.fromEntries(Object.keys(MONTHS).map((month) => [`${PATH}/cvrf/${month}`, buildMonth(month)])),
    ...Object.fromEntries(Object.entries(overrides).map(([path, how]) => [`${PATH}/${path}`, how])),
  })
  const feed = msrcFeed({ url: `${upstream.url}${PATH}/` })
  let seen = 0
  return {
    upstream,
    serve: (path: string, how: Content | Handler) => upstream.serve(`${PATH}/${path}`, how),
    run: (download: TestDownload = createTestDownload([upstream])) => run(feed, { openDownload: () => download }),
    /** Returns the paths that the feed requested since the last call of takeRequests. */
    takeRequests: () => {
      const all = upstream.requests().map(({ path }) => path.replace(`${PATH}/`, ''))
      const fresh = all.slice(seen)
      seen = all.length
      return fresh
    },
  }
}

describe('MSRC feed: importing from the network', () => {
  it('imports the documents for all months as JSON in the first run, latest revision first', async () => {
    const microsoft = await startMicrosoft()

    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, notices: [] })
    expect(microsoft.takeRequests()).toEqual(['updates', 'cvrf/2024-Sep', 'cvrf/2024-Aug', 'cvrf/2024-Jul'])
    expect(new Set(microsoft.upstream.requests().map(({ headers }) => headers.accept))).toEqual(
      new Set(['application/json']),
    )
    expect(await selectRows("select upstream_at from source.feed where name = 'msrc'")).toEqual([
      { upstream_at: new Date('2024-10-01T07:00:00Z') },
    ])
  })

  it("downloads a month's document again only after Microsoft revised it", async () => {
    const microsoft = await startMicrosoft()
    await microsoft.run()
    microsoft.takeRequests()

    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
    expect(microsoft.takeRequests()).toEqual(['updates'])

    microsoft.serve('updates', msrcUpdates({ ...MONTHS, '2024-Aug': '2024-11-01T07:00:00Z' }))
    microsoft.serve('cvrf/2024-Aug', msrcDocument('2024-Aug', [vulnerability('CVE-2024-7777')]))
    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(microsoft.takeRequests()).toEqual(['updates', 'cvrf/2024-Aug'])
    expect(await storedIds()).toContain(toCveId('2024-Aug'))
  })

  it('accepts the historical month ids 2018-FEB and 2017-May-B', async () => {
    const historical = { '2018-FEB': '2018-02-20T07:00:00Z', '2017-May-B': '2017-05-09T07:00:00Z' }
    const microsoft = await startMicrosoft({
      updates: msrcUpdates(historical),
      'cvrf/2018-FEB': msrcDocument('2018-Feb', [vulnerability('CVE-2018-0001')]),
      'cvrf/2017-May-B': msrcDocument('2017-May-B', [vulnerability('CVE-2017-0001')]),
    })

    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', written: 2 })
    expect(await selectRows("select record::json #>> '{advisories,0}' as month from source.source_record")).toEqual(
      expect.arrayContaining([{ month: '2018-Feb' }, { month: '2017-May-B' }]),
    )
  })

  it('downloads a month that is listed twice only once, with the later date', async () => {
    const { value } = msrcUpdates({ '2024-Aug': '2024-08-21T07:00:00Z' })
    const { value: again } = msrcUpdates({ '2024-Aug': '2024-08-22T07:00:00Z' })
    const microsoft = await startMicrosoft({ updates: { value: [value, again].flat() } })

    await microsoft.run()
    await microsoft.run()
    expect(microsoft.takeRequests()).toEqual(['updates', 'cvrf/2024-Aug', 'updates'])
  })

  it('imports all months again with a notice when the stored cursor is invalid', async () => {
    const microsoft = await startMicrosoft()
    await microsoft.run()
    await selectRows(`update source.feed set cursor = '{"months":7}' where name = 'msrc'`)

    const report = await microsoft.run()
    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 0 })
    expect(report.notices.join()).toContain('importing all months again')
  })

  it('adds a notice for a month without vulnerabilities and downloads it again in the next run', async () => {
    const microsoft = await startMicrosoft({ 'cvrf/2024-Jul': msrcDocument('2024-Jul', []) })

    expect(await microsoft.run()).toMatchObject({
      outcome: 'succeeded',
      written: 2,
      notices: ['Microsoft lists no vulnerabilities in 2024-Jul'],
    })
    microsoft.takeRequests()
    microsoft.serve('cvrf/2024-Jul', buildMonth('2024-Jul'))
    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', written: 1, notices: [] })
    expect(microsoft.takeRequests()).toEqual(['updates', 'cvrf/2024-Jul'])
  })

  it('fails when no month lists a vulnerability', async () => {
    const empty = Object.keys(MONTHS).map((month) => [`cvrf/${month}`, msrcDocument(month, [])])
    const report = await (await startMicrosoft(Object.fromEntries(empty))).run()
    expect(report).toMatchObject({
      outcome: 'failed',
      written: 0,
      error: expect.stringContaining('the API seems to be broken'),
    })
  })
})

describe('MSRC feed: a month that cannot be downloaded or read', () => {
  it.each<[string, Content | Handler, RegExp]>([
    ['a 404 response', behaviours.answers(404), /2024-Aug could not be downloaded: the server answered 404/],
    ['the document for another month', buildMonth('2024-Jul'), /it belongs to another month than 2024-Aug/],
    [
      'a truncated document',
      buildMonth('2024-Aug').slice(0, 900),
      /msrc-2024-Aug\.json cannot be used: the file is truncated/,
    ],
  ])(
    'imports the other months, and retries August in the next run, when the response for August is %s',
    async (_, how, message) => {
      const microsoft = await startMicrosoft({ 'cvrf/2024-Aug': how })

      const report = await microsoft.run()
      expect(report).toMatchObject({ outcome: 'failed', written: 2, error: expect.stringMatching(message) })
      expect(await storedIds()).toEqual([toCveId('2024-Jul'), toCveId('2024-Sep')])

      microsoft.takeRequests()
      microsoft.serve('cvrf/2024-Aug', buildMonth('2024-Aug'))
      expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
      expect(microsoft.takeRequests()).toEqual(['updates', 'cvrf/2024-Aug'])
    },
  )

  it('stops a run after the downloads for three months have failed', async () => {
    const years = ['2019', '2020', '2021', '2022', '2023']
    const updates = msrcUpdates(Object.fromEntries(years.map((year) => [`${year}-Jan`, `${year}-02-01T07:00:00Z`])))
    const microsoft = await startMicrosoft({ updates })

    expect(await microsoft.run()).toMatchObject({ outcome: 'failed', written: 0 })
    expect(microsoft.takeRequests()).toEqual(['updates', 'cvrf/2023-Jan', 'cvrf/2022-Jan', 'cvrf/2021-Jan'])
  })

  it('refuses a month with mostly invalid vulnerabilities after storing the newer months', async () => {
    const bad = Array.from({ length: 20 }, () => vulnerability('CVE-24-1'))
    const microsoft = await startMicrosoft({
      'cvrf/2024-Aug': msrcDocument('2024-Aug', [...vulnerabilities(3), ...bad]),
    })

    expect(await microsoft.run()).toMatchObject({ outcome: 'refused', written: 1 })
    expect(await storedIds()).toEqual([toCveId('2024-Sep')])
  })
})

describe('MSRC feed: list of months', () => {
  it.each<[string, Content | Handler, RegExp]>([
    ['an empty list', msrcUpdates({}), /no usable entry/],
    ['XML', '<?xml version="1.0"?><feed/>', /list of months cannot be used: not JSON/],
    ['another JSON object', { message: 'Maintenance' }, /list of months cannot be used: .*value/],
    [
      'the first page of a list',
      { ...msrcUpdates(MONTHS), '@odata.nextLink': 'https://elsewhere.example/' },
      /split into pages/,
    ],
    [
      'a list of invalid entries',
      { value: [7, { ID: '../x', CurrentReleaseDate: '2024-08-21T07:00:00Z' }] },
      /no usable entry/,
    ],
  ])('fails and keeps the stored records when the list of months is %s', async (_, how, message) => {
    const microsoft = await startMicrosoft()
    await microsoft.run()
    microsoft.serve('updates', how)

    expect(await microsoft.run()).toMatchObject({ outcome: 'failed', error: expect.stringMatching(message) })
    expect(await storedIds()).toHaveLength(3)
  })

  it('adds a notice for list entries that are not months and does not request them', async () => {
    const updates = msrcUpdates({ ...MONTHS, '../../secrets': '2024-08-21T07:00:00Z', '2024-Oct': 'soon' })
    const microsoft = await startMicrosoft({ updates })

    const report = await microsoft.run()
    expect(report).toMatchObject({ outcome: 'succeeded', written: 3 })
    expect(report.notices).toEqual([
      expect.stringContaining('Ignored an entry of Microsoft\'s list of months: {"ID":"../../secrets"'),
      expect.stringContaining('Ignored an entry of Microsoft\'s list of months: {"ID":"2024-Oct"'),
    ])
    expect(microsoft.takeRequests()).toHaveLength(4)
  })
})
