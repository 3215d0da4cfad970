import { beforeEach, describe, expect, it } from 'vitest'
import { zipOf } from '../../formats/zip-builder.ts'
import { directoryWith } from '../../small-files.ts'
import { advisories, advisory, asArchive, asLines, cveId, ghsaId, ghsaMachine } from './fixtures.ts'

const { feed, run, read, readArchive, readLines, stored, queued, rejections, forgetQueue, look, reset } =
  await ghsaMachine()
beforeEach(reset)

const osvOf = (all: ReturnType<typeof advisories>) => all.map(({ osv }) => osv)
const LATER = '2026-08-10T10:00:00Z'

describe("GitHub's advisories", () => {
  it.each([
    ['an archive of the repository', () => readArchive(asArchive(advisories(2)))],
    ['a line for each', () => readLines(osvOf(advisories(2)))],
    ['a line for each, as the API gives them', () => readLines(advisories(2).map(({ api }) => api))],
    [
      'a file for each',
      () => read(Object.fromEntries(advisories(2).map(({ id, osv }) => [`${id}.json`, JSON.stringify(osv)]))),
    ],
  ])('come as %s, and only those that GitHub has reviewed', async (_, load) => {
    expect(await load()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0, notices: [] })
    expect(await stored()).toMatchObject([
      { id: ghsaId(0), cve: cveId(0), modified: new Date('2026-08-01T10:00:00Z'), record: { cve_id: cveId(0) } },
      { id: ghsaId(1), cve: cveId(1) },
    ])
    expect(await queued()).toEqual([cveId(0), cveId(1)])
    expect(await look("select table_count::int from catalog.dataset where name = 'ghsa'")).toEqual([{ table_count: 2 }])
  })

  it('are written once, whichever form they come in', async () => {
    await readArchive(asArchive(advisories(20)))
    await forgetQueue()
    expect(await readArchive(asArchive(advisories(20)))).toMatchObject({ written: 0, unchanged: 20 })
    expect(await readLines(advisories(20).map(({ api }) => api))).toMatchObject({ written: 0, unchanged: 20 })
    expect(await queued()).toEqual([])
  })

  it('that nobody has reviewed are passed over without a word', async () => {
    const { osv, api } = advisory(1)
    const echoes = [
      { ...osv, database_specific: { github_reviewed: false } },
      { ...api, type: 'unreviewed' },
    ]
    expect(await readLines([...osvOf(advisories(1)), ...echoes])).toMatchObject({ read: 1, written: 1, notices: [] })
  })

  it('may be several for one CVE', async () => {
    await readLines(osvOf([advisory(1), advisory(2, { cve: cveId(1) })]))
    expect((await stored()).map(({ cve }) => cve)).toEqual([cveId(1), cveId(1)])
    expect(await queued()).toEqual([cveId(1)])
  })

  it('that name no CVE are counted, and are no fault', async () => {
    const without = Array.from({ length: 30 }, (_, index) => advisory(100 + index, { cve: null }))
    const report = await readArchive(asArchive([...advisories(3), ...without]))
    expect(report).toMatchObject({ outcome: 'succeeded', read: 33, written: 3, rejected: 0 })
    expect(report.notices).toEqual([
      'advisory-database-main.zip: 30 advisories name no CVE; there is nothing to keep of them',
    ])
    expect(await stored()).toHaveLength(3)
  })
})

describe('An advisory that changes', () => {
  it('from one CVE to another queues both', async () => {
    await readLines(osvOf([advisory(1)]))
    await forgetQueue()
    expect(await readLines(osvOf([advisory(1, { cve: cveId(7), modified: LATER })]))).toMatchObject({ written: 1 })
    expect(await stored()).toMatchObject([{ id: ghsaId(1), cve: cveId(7), record: { cve_id: cveId(7) } }])
    expect(await queued()).toEqual([cveId(1), cveId(7)])
  })

  it('and names no CVE any more is deleted, and its CVE queued', async () => {
    await readLines(osvOf(advisories(2)))
    await forgetQueue()
    expect(await readLines(osvOf([advisory(1, { cve: null, modified: LATER })]))).toMatchObject({ removed: 1 })
    expect((await stored()).map(({ id }) => id)).toEqual([ghsaId(0)])
    expect(await queued()).toEqual([cveId(1)])
  })

  it('is kept when it is withdrawn, and says so', async () => {
    await readLines(osvOf([advisory(1)]))
    await readLines(osvOf([advisory(1, { withdrawn: LATER, modified: LATER })]))
    expect(await stored()).toMatchObject([{ record: { withdrawn: true } }])
  })

  it('never becomes an older one again, nor goes for one', async () => {
    await readLines(osvOf([advisory(1, { modified: LATER, title: 'The newer one' })]))
    const report = await readLines(osvOf([advisory(1)]))
    expect(report).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(report.notices).toEqual(['ghsa.ndjson.gz: 1 records are older than ours and were left out'])
    expect(await readLines(osvOf([advisory(1, { cve: null })]))).toMatchObject({ removed: 0 })
    expect(await stored()).toMatchObject([{ record: { title: 'The newer one' } }])
  })

  it('within one file counts in its newest form', async () => {
    const twice = [advisory(1, { modified: LATER, title: 'The newer one' }), advisory(1)]
    expect(await readLines(osvOf(twice))).toMatchObject({ written: 1, duplicates: 1 })
    expect(await stored()).toMatchObject([{ record: { title: 'The newer one' } }])
  })
})

describe('What an archive lacks', () => {
  const newest = advisory(500, { modified: LATER })

  it('is deleted when it is little, and queued', async () => {
    await readArchive(asArchive([...advisories(100), newest]))
    await forgetQueue()
    const report = await readArchive(asArchive([...advisories(100).slice(2), newest]))
    expect(report).toMatchObject({ outcome: 'succeeded', removed: 2 })
    expect(await queued()).toEqual([cveId(0), cveId(1)])
  })

  it('is a reason to refuse it when it is more, unless an operator knows better', async () => {
    await readArchive(asArchive([...advisories(100), newest]))
    const shrunken = asArchive([...advisories(97), newest])
    expect(await readArchive(shrunken)).toMatchObject({ outcome: 'refused', removed: 0 })
    expect(await stored()).toHaveLength(101)
    expect(await readArchive(shrunken, ['shrunken-snapshot'])).toMatchObject({ outcome: 'succeeded', removed: 3 })
  })

  it('stays when it is as new as the archive: the API is ahead of it', async () => {
    await readArchive(asArchive(advisories(3)))
    await readLines(osvOf([newest]))
    expect(await readArchive(asArchive(advisories(3)))).toMatchObject({ outcome: 'succeeded', removed: 0 })
    expect(await stored()).toHaveLength(4)
  })

  it('stays when it is there and cannot be used', async () => {
    await readArchive(asArchive([...advisories(20), newest]))
    const bad = { ...advisory(3), osv: { ...advisory(3).osv, modified: 'May' } }
    const others = [...advisories(20).filter(({ id }) => id !== bad.id), newest]
    expect(await readArchive(asArchive([...others, bad]))).toMatchObject({ removed: 0, rejected: 1 })
    expect(await stored()).toHaveLength(21)
  })

  it('is what names no CVE any more, too: so many at once are not believed', async () => {
    await readLines(osvOf(advisories(10)))
    expect(await readLines(osvOf(advisories(10, { cve: null, modified: LATER })))).toMatchObject({ outcome: 'refused' })
    expect(await stored()).toHaveLength(10)
  })
})

describe('What cannot be used', () => {
  it('is rejected with its reason when it is an advisory, and the others are stored', async () => {
    const name = `advisory-database-main/advisories/github-reviewed/2024/05/${ghsaId(90)}/${ghsaId(90)}.json`
    const good = advisories(5).map(({ id, osv }) => ({
      name: name.replaceAll(ghsaId(90), id),
      content: JSON.stringify(osv),
    }))
    const odd = { name: name.replaceAll(ghsaId(90), ghsaId(91)), content: JSON.stringify({ id: ghsaId(91) }) }
    const report = await readArchive(zipOf([...good, { name, content: '{' }, odd]))
    expect(report).toMatchObject({ outcome: 'succeeded', written: 5, rejected: 2 })
    expect(await rejections()).toMatchObject([
      { subject: ghsaId(90), reason: expect.stringContaining('not JSON') },
      { subject: ghsaId(91) },
    ])
  })

  it.each([
    ['an archive of something else', zipOf([{ name: 'other-main/README.md', content: 'Read me.' }])],
    ['an archive with nothing but unreviewed ones', asArchive([])],
    ['an archive that is cut off', asArchive(advisories(3)).subarray(0, -30)],
    ['a web page', Buffer.from('<html>Sorry</html>')],
  ])('is a failure when it is %s, and what we have stays', async (_, content) => {
    await readArchive(asArchive(advisories(3)))
    const report = await readArchive(content)
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.fault).toContain('advisory-database-main.zip cannot be used: ')
    expect(await stored()).toHaveLength(3)
  })

  it('is a failure when no line of it is an advisory', async () => {
    expect(await readLines([{ id: 1 }, { id: 2 }])).toMatchObject({ outcome: 'refused', rejected: 2 })
    const report = await read({ 'ghsa.ndjson': '<html>Sorry</html>' })
    expect(report).toMatchObject({ outcome: 'failed', fault: expect.stringContaining('ghsa.ndjson cannot be used: ') })
  })

  it('is a directory with nothing of it', async () => {
    const from = await directoryWith({ 'other.ndjson': asLines(osvOf(advisories(1))) })
    expect(await run(feed, { from })).toMatchObject({ outcome: 'absent' })
  })
})
