import { beforeEach, describe, expect, it } from 'vitest'
import { cweFeed } from '../../../../src/feeds/sources/cwe/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { catalogue, cweMachine, HEAD, packed, weakness, weaknesses } from './fixtures.ts'

const { run, readXml, readCsv, stored, look, clock, reset } = await cweMachine()
beforeEach(reset)

const nothing = { written: 0, removed: 0 }

describe('The CWE catalogue is stored', () => {
  it('with weaknesses, categories and views, as MITRE wrote it', async () => {
    const report = await readXml(catalogue(weakness(79, 'Spilled &amp; tea')))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const common = { is_deprecated: false, removed_at: null }
    expect(await stored()).toEqual([
      {
        cwe_id: 'CWE-79',
        kind: 'weakness',
        name: 'Spilled & tea',
        abstraction: 'Base',
        status: 'Stable',
        description: 'About Spilled & tea.',
        ...common,
      },
      {
        cwe_id: 'CWE-310',
        kind: 'category',
        name: 'Keys and locks',
        abstraction: null,
        status: 'Draft',
        description: 'About keys.',
        ...common,
      },
      {
        cwe_id: 'CWE-1000',
        kind: 'view',
        name: 'All of it',
        abstraction: null,
        status: 'Draft',
        description: 'To see.',
        ...common,
      },
    ])
    expect(await look("select table_count::int, is_required from catalog.dataset where name = 'cwe'")).toEqual([
      { table_count: 3, is_required: false },
    ])
    expect(await look("select upstream_at from source.feed where name = 'cwe'")).toEqual([
      { upstream_at: new Date('2024-11-19T00:00:00Z') },
    ])
  })

  it('with those marked that are deprecated or obsolete', async () => {
    await readXml(
      catalogue(weakness(71, 'Gone', 'Abstraction="Base" Status="Deprecated"'), {
        categories: '<Category ID="1" Name="Old" Status="Obsolete"><Summary>Old.</Summary></Category>',
      }),
    )

    const deprecated = (await stored()).map((each) => [each['cwe_id'], each['is_deprecated']])
    expect(deprecated).toEqual([
      ['CWE-1', true],
      ['CWE-71', true],
      ['CWE-1000', false],
    ])
  })

  it('with the words of a description that has paragraphs and a list in it', async () => {
    const views = `<View ID="7" Name="A view" Status="Draft"><Objective>
      <xhtml:p>First  this.</xhtml:p><xhtml:ul><xhtml:li>Then that.</xhtml:li></xhtml:ul></Objective></View>`
    await readXml(catalogue(weakness(79), { views }))

    expect((await stored())[0]).toMatchObject({ cwe_id: 'CWE-7', description: 'First this. Then that.' })
  })

  it('from a table, the same to the last letter: nothing is written again', async () => {
    await readXml(catalogue(weakness(79, 'Tea')))

    const report = await readCsv([
      HEAD,
      'CWE-79,weakness,T\0ea,Base,Stable,"About\nTea."',
      'CWE-310,category,Keys and locks,,Draft,About keys.',
      'CWE-1000,view,All of it,,Draft,To see.',
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, unchanged: 3, ...nothing })
  })
})

describe('The CWE catalogue is a set', () => {
  it('of which nothing is written when nothing changed, and which never queues a CVE', async () => {
    await readXml(catalogue(weaknesses(50)))
    const rows = 'select cwe_id, xmin::text, xmax::text, ctid::text from source.weakness order by cwe_id'
    const before = await look(rows)

    expect(await readXml(catalogue(weaknesses(50), { version: '4.17', date: '2025-04-03' }))).toMatchObject({
      outcome: 'succeeded',
      unchanged: 52,
      ...nothing,
    })

    expect(await look(rows)).toEqual(before)
    expect(await look('select cve_id from source.publication_queue')).toEqual([])
  })

  it('in which a weakness changes, vanishes, and comes back', async () => {
    await readXml(catalogue(weakness(1) + weakness(2) + weakness(3)))

    expect(await readXml(catalogue(weakness(1, 'Renamed') + weakness(2)))).toMatchObject({ written: 1, removed: 1 })
    expect(await stored()).toMatchObject([{ name: 'Renamed' }, {}, { removed_at: clock.now() }, {}, {}])
    expect(await look("select table_count::int from catalog.dataset where name = 'cwe'")).toEqual([{ table_count: 4 }])

    expect(await readXml(catalogue(weakness(1, 'Renamed') + weakness(2) + weakness(3)))).toMatchObject({
      written: 1,
      removed: 0,
      unchanged: 4,
    })
    expect(await stored()).toMatchObject([{}, {}, { removed_at: null }, {}, {}])
  })

  it('that never loses more than a little at once', async () => {
    await readXml(catalogue(weaknesses(98)))

    const report = await readXml(catalogue(weaknesses(95)))

    expect(report).toMatchObject({ outcome: 'refused', removed: 0 })
    expect(report.fault).toContain('it would drop 3 of the 100 records we have')
  })

  it('in which the last of several with one id counts', async () => {
    expect(await readXml(catalogue(weakness(5, 'One') + weakness(5, 'Two')))).toMatchObject({ duplicates: 1 })
    expect((await stored())[0]).toMatchObject({ cwe_id: 'CWE-5', name: 'Two' })
  })

  it('that never goes back to an earlier release', async () => {
    await readXml(catalogue(weaknesses(5)))

    const report = await readXml(catalogue(weaknesses(5), { version: '4.15', date: '2024-07-16' }))

    expect(report).toMatchObject({ outcome: 'failed' })
    expect(report.fault).toContain('It was released at 2024-07-16T00:00:00Z, before the one we have')
  })

  it('also after a table was read, which does not say of when it is', async () => {
    const table = [HEAD, ...Array.from({ length: 5 }, (_, index) => `CWE-${index + 1},weakness,Tea,Base,Draft,Cold.`)]
    expect(await readCsv(table)).toMatchObject({ outcome: 'succeeded', written: 5 })
    await readXml(catalogue(weaknesses(5)))
    await readCsv(table, { allowed: new Set(['shrunken-snapshot']) })

    expect(await readXml(catalogue(weaknesses(5), { date: '2024-07-16' }))).toMatchObject({ outcome: 'failed' })
  })
})

describe('A CWE catalogue that is partly bad', () => {
  it('loses the bad entries, with their reasons, and nothing that we have of them', async () => {
    await readXml(catalogue(weaknesses(20)))

    const report = await readXml(catalogue(`${weaknesses(19)}${weakness(20, '')}${weakness(Number.NaN)}`))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 23, rejected: 2, unchanged: 21, ...nothing })
    expect(await look('select subject, reason from source.feed_rejection order by id')).toEqual([
      { subject: 'CWE-20', reason: expect.stringContaining('/name') },
      { subject: 'CWE-NaN', reason: 'not a CWE id' },
    ])
    expect(await stored()).toHaveLength(22)
  })

  it.each([
    ['an id of another kind', 'CVE-2024-0001,weakness,Tea,Base,Draft,Cold.', 'not a CWE id'],
    ['an id with too many zeros', 'CWE-079,weakness,Tea,Base,Draft,Cold.', 'not a CWE id'],
    ['a kind that nobody knows', 'CWE-79,chain,Tea,Base,Draft,Cold.', '/kind'],
    ['no status', 'CWE-79,weakness,Tea,Base,,Cold.', '/status'],
    ['a value too many', 'CWE-79,weakness,Tea,Base,Draft,Cold,very.', '7 values, where 6 are expected'],
  ])('rejects a line with %s', async (_what, line, reason) => {
    const good = [1, 2, 3].map((id) => `CWE-${id},weakness,Tea,Base,Draft,Cold.`)

    expect(await readCsv([HEAD, ...good, line])).toMatchObject({ outcome: 'succeeded', written: 3, rejected: 1 })
    expect(await look('select reason from source.feed_rejection')).toEqual([
      { reason: expect.stringContaining(reason) },
    ])
  })

  it('is refused when most of it is bad', async () => {
    const bad = ['CWE-x,weakness,Tea,Base,Draft,Cold.', 'CWE-y,weakness,Tea,Base,Draft,Cold.']
    const report = await readCsv([HEAD, 'CWE-1,weakness,Tea,Base,Draft,Cold.', ...bad])

    expect(report).toMatchObject({ outcome: 'refused' })
    expect(report.fault).toContain('--allow too-many-rejections')
  })
})

describe('The CWE catalogue from the network', () => {
  it('is not read again while the server says that nothing changed', async () => {
    const upstream = await startUpstream({ '/cwe.zip': manners.validates('"one"', packed(catalogue(weaknesses(3)))) })
    const online = cweFeed({ url: `${upstream.url}/cwe.zip` })
    const fromNetwork = { openDownload: () => testDownload([upstream]) }

    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', written: 5 })
    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(upstream.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
  })

  it('is a failure, never an empty catalogue, when the server sends something else', async () => {
    const upstream = await startUpstream({ '/cwe.zip': 'Down for maintenance' })
    const report = await run(cweFeed({ url: `${upstream.url}/cwe.zip` }), {
      openDownload: () => testDownload([upstream]),
    })

    expect(report).toMatchObject({ outcome: 'failed', read: 0 })
  })
})
