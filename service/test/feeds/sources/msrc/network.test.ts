import { beforeEach, describe, expect, it } from 'vitest'
import { msrcFeed } from '../../../../src/feeds/sources/msrc/feed.ts'
import { type TestDownload, testDownload } from '../../../support/network/downloads.ts'
import { type Content, type Handler, manners, startUpstream } from '../../../support/network/upstream.ts'
import { testMachine } from '../../feed-harness.ts'
import { msrcDocument, msrcUpdates, vulnerabilities, vulnerability } from './fixtures.ts'

const { run, look, reset } = await testMachine()
beforeEach(reset)

const PATH = '/cvrf/v3.0'
const MONTHS = {
  '2024-Jul': '2024-07-30T07:00:00Z',
  '2024-Aug': '2024-08-21T07:00:00Z',
  '2024-Sep': '2024-10-01T07:00:00Z',
}
const idOf = (month: string) => `CVE-2024-${Object.keys(MONTHS).indexOf(month) + 1000}`
const monthly = (month: string) => msrcDocument(month, [vulnerability(idOf(month))])
const storedIds = async () =>
  (await look<{ id: string }>('select cve_id as id from source.source_record order by cve_id')).map(({ id }) => id)

/** Microsoft with three months, and whatever is served instead. */
async function startMicrosoft(instead: Readonly<Record<string, Content | Handler>> = {}) {
  const upstream = await startUpstream({
    [`${PATH}/updates`]: msrcUpdates(MONTHS),
    ...Object.fromEntries(Object.keys(MONTHS).map((month) => [`${PATH}/cvrf/${month}`, monthly(month)])),
    ...Object.fromEntries(Object.entries(instead).map(([path, how]) => [`${PATH}/${path}`, how])),
  })
  const feed = msrcFeed({ url: `${upstream.url}${PATH}/` })
  let seen = 0
  return {
    upstream,
    serve: (path: string, how: Content | Handler) => upstream.serve(`${PATH}/${path}`, how),
    run: (download: TestDownload = testDownload([upstream])) => run(feed, { openDownload: () => download }),
    /** Since it was last asked. */
    asked: () => {
      const all = upstream.requests().map(({ path }) => path.replace(`${PATH}/`, ''))
      const fresh = all.slice(seen)
      seen = all.length
      return fresh
    },
  }
}

describe('Months from the network', () => {
  it('are all read at first, those revised last before the others, as JSON and from where we were told to', async () => {
    const microsoft = await startMicrosoft()

    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, notices: [] })
    expect(microsoft.asked()).toEqual(['updates', 'cvrf/2024-Sep', 'cvrf/2024-Aug', 'cvrf/2024-Jul'])
    expect(new Set(microsoft.upstream.requests().map(({ headers }) => headers.accept))).toEqual(
      new Set(['application/json']),
    )
    expect(await look("select upstream_at from source.feed where name = 'msrc'")).toEqual([
      { upstream_at: new Date('2024-10-01T07:00:00Z') },
    ])
  })

  it('are not asked for again until they are revised', async () => {
    const microsoft = await startMicrosoft()
    await microsoft.run()
    microsoft.asked()

    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
    expect(microsoft.asked()).toEqual(['updates'])

    microsoft.serve('updates', msrcUpdates({ ...MONTHS, '2024-Aug': '2024-11-01T07:00:00Z' }))
    microsoft.serve('cvrf/2024-Aug', msrcDocument('2024-Aug', [vulnerability('CVE-2024-7777')]))
    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(microsoft.asked()).toEqual(['updates', 'cvrf/2024-Aug'])
    expect(await storedIds()).toContain(idOf('2024-Aug'))
  })

  it('may be spelt and doubled as Microsoft once did', async () => {
    const odd = { '2018-FEB': '2018-02-20T07:00:00Z', '2017-May-B': '2017-05-09T07:00:00Z' }
    const microsoft = await startMicrosoft({
      updates: msrcUpdates(odd),
      'cvrf/2018-FEB': msrcDocument('2018-Feb', [vulnerability('CVE-2018-0001')]),
      'cvrf/2017-May-B': msrcDocument('2017-May-B', [vulnerability('CVE-2017-0001')]),
    })

    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', written: 2 })
    expect(await look("select record::json #>> '{advisories,0}' as month from source.source_record")).toEqual(
      expect.arrayContaining([{ month: '2018-Feb' }, { month: '2017-May-B' }]),
    )
  })

  it('that are listed twice are read once, as of the later date', async () => {
    const { value } = msrcUpdates({ '2024-Aug': '2024-08-21T07:00:00Z' })
    const { value: again } = msrcUpdates({ '2024-Aug': '2024-08-22T07:00:00Z' })
    const microsoft = await startMicrosoft({ updates: { value: [value, again].flat() } })

    await microsoft.run()
    await microsoft.run()
    expect(microsoft.asked()).toEqual(['updates', 'cvrf/2024-Aug', 'updates'])
  })

  it('are read anew, and it is said, when our own notes cannot be read', async () => {
    const microsoft = await startMicrosoft()
    await microsoft.run()
    await look(`update source.feed set cursor = '{"months":7}' where name = 'msrc'`)

    const report = await microsoft.run()
    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 0 })
    expect(report.notices.join()).toContain('all are read anew')
  })

  it('that list nothing are said, and asked for again', async () => {
    const microsoft = await startMicrosoft({ 'cvrf/2024-Jul': msrcDocument('2024-Jul', []) })

    expect(await microsoft.run()).toMatchObject({
      outcome: 'succeeded',
      written: 2,
      notices: ['Microsoft lists no vulnerability in 2024-Jul'],
    })
    microsoft.asked()
    microsoft.serve('cvrf/2024-Jul', monthly('2024-Jul'))
    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', written: 1, notices: [] })
    expect(microsoft.asked()).toEqual(['updates', 'cvrf/2024-Jul'])
  })

  it('are a breakdown when none of them lists anything', async () => {
    const empty = Object.keys(MONTHS).map((month) => [`cvrf/${month}`, msrcDocument(month, [])])
    const report = await (await startMicrosoft(Object.fromEntries(empty))).run()
    expect(report).toMatchObject({ outcome: 'failed', written: 0, fault: expect.stringContaining('a breakdown') })
  })
})

describe('A month that cannot be had keeps no other out, and is asked for again', () => {
  it.each<[string, Content | Handler, RegExp]>([
    ['missing', manners.answers(404), /2024-Aug could not be downloaded: the server answered 404/],
    ['a web page', manners.sendsHtml(), /2024-Aug could not be downloaded: the server sent an HTML page/],
    ['a web page in disguise', manners.sendsHtml('application/json'), /2024-Aug.*HTML page/],
    ['XML', '<?xml version="1.0"?><cvrf:cvrfdoc/>', /msrc-2024-Aug\.json cannot be used: it is a web page or XML/],
    ['another month', monthly('2024-Jul'), /it is of another month than 2024-Aug/],
    ['cut off', monthly('2024-Aug').slice(0, 900), /msrc-2024-Aug\.json cannot be used: it is cut off/],
    ['elsewhere', manners.redirects('https://elsewhere.example/'), /2024-Aug could not be downloaded/],
  ])('when it is %s', async (_, how, complaint) => {
    const microsoft = await startMicrosoft({ 'cvrf/2024-Aug': how })

    const report = await microsoft.run()
    expect(report).toMatchObject({ outcome: 'failed', written: 2, fault: expect.stringMatching(complaint) })
    expect(await storedIds()).toEqual([idOf('2024-Jul'), idOf('2024-Sep')])

    microsoft.asked()
    microsoft.serve('cvrf/2024-Aug', monthly('2024-Aug'))
    expect(await microsoft.run()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(microsoft.asked()).toEqual(['updates', 'cvrf/2024-Aug'])
  })

  it('but a run in which three cannot be had goes no further', async () => {
    const years = ['2019', '2020', '2021', '2022', '2023']
    const updates = msrcUpdates(Object.fromEntries(years.map((year) => [`${year}-Jan`, `${year}-02-01T07:00:00Z`])))
    const microsoft = await startMicrosoft({ updates })

    expect(await microsoft.run()).toMatchObject({ outcome: 'failed', written: 0 })
    expect(microsoft.asked()).toEqual(['updates', 'cvrf/2023-Jan', 'cvrf/2022-Jan', 'cvrf/2021-Jan'])
  })

  it('and what it cannot use most of is refused, after all that is newer was stored', async () => {
    const bad = Array.from({ length: 20 }, () => vulnerability('CVE-24-1'))
    const microsoft = await startMicrosoft({
      'cvrf/2024-Aug': msrcDocument('2024-Aug', [...vulnerabilities(3), ...bad]),
    })

    expect(await microsoft.run()).toMatchObject({ outcome: 'refused', written: 1 })
    expect(await storedIds()).toEqual([idOf('2024-Sep')])
  })
})

it('Microsoft may ask us to come back later, and we wait as long as it says', async () => {
  const patiently = manners.inTurn(manners.throttles(503, '7'), monthly('2024-Aug'))
  const microsoft = await startMicrosoft({ 'cvrf/2024-Aug': patiently })
  const download = testDownload([microsoft.upstream])

  expect(await microsoft.run(download)).toMatchObject({ outcome: 'succeeded', written: 3 })
  expect(download.pauses).toHaveLength(1)
  expect(download.pauses[0]).toBeGreaterThanOrEqual(7000)
})

describe('A list of months', () => {
  it.each<[string, Content | Handler, RegExp]>([
    ['empty', msrcUpdates({}), /not one month that we can use/],
    ['a web page', manners.sendsHtml(), /HTML page/],
    ['XML', '<?xml version="1.0"?><feed/>', /list of months cannot be used: not JSON/],
    ['something else', { message: 'Tea?' }, /list of months cannot be used: .*value/],
    ['only a part', { ...msrcUpdates(MONTHS), '@odata.nextLink': 'https://elsewhere.example/' }, /goes on elsewhere/],
    ['of no month', { value: [7, { ID: '../x', CurrentReleaseDate: '2024-08-21T07:00:00Z' }] }, /not one month/],
    ['missing', manners.answers(404), /404/],
  ])('that is %s is a failure, and what we have stays', async (_, how, complaint) => {
    const microsoft = await startMicrosoft()
    await microsoft.run()
    microsoft.serve('updates', how)

    expect(await microsoft.run()).toMatchObject({ outcome: 'failed', fault: expect.stringMatching(complaint) })
    expect(await storedIds()).toHaveLength(3)
  })

  it('leads nowhere but to months: what is named otherwise is said, and never asked for', async () => {
    const updates = msrcUpdates({ ...MONTHS, '../../secrets': '2024-08-21T07:00:00Z', '2024-Oct': 'soon' })
    const microsoft = await startMicrosoft({ updates })

    const report = await microsoft.run()
    expect(report).toMatchObject({ outcome: 'succeeded', written: 3 })
    expect(report.notices).toEqual([
      expect.stringContaining('a month that we cannot use: {"ID":"../../secrets"'),
      expect.stringContaining('a month that we cannot use: {"ID":"2024-Oct"'),
    ])
    expect(microsoft.asked()).toHaveLength(4)
  })
})
