import { beforeEach, describe, expect, it } from 'vitest'
import { createZip } from '../../formats/zip-builder.ts'
import { advisories, advisory, asArchive, cveId, ghsaHarness, ghsaId } from './fixtures.ts'

const { feed, importFiles, readArchive, readLines, stored, queued, listRejections, clearQueue, selectRows, reset } =
  await ghsaHarness()
beforeEach(reset)

const toOsv = (all: ReturnType<typeof advisories>) => all.map(({ osv }) => osv)
const LATER = '2026-08-10T10:00:00Z'

describe('GHSA feed: importing from a directory', () => {
  it.each([
    ['a repository archive', () => readArchive(asArchive(advisories(2)))],
    ['an NDJSON file in OSV format', () => readLines(toOsv(advisories(2)))],
    ['an NDJSON file in the API format', () => readLines(advisories(2).map(({ api }) => api))],
    [
      'one JSON file per advisory',
      () =>
        importFiles(feed, Object.fromEntries(advisories(2).map(({ id, osv }) => [`${id}.json`, JSON.stringify(osv)]))),
    ],
  ])('stores the reviewed advisories from %s', async (_, load) => {
    expect(await load()).toMatchObject({ outcome: 'succeeded', read: 2, written: 2, rejected: 0, notices: [] })
    expect(await stored()).toMatchObject([
      { id: ghsaId(0), cve: cveId(0), modified: new Date('2026-08-01T10:00:00Z'), record: { cve_id: cveId(0) } },
      { id: ghsaId(1), cve: cveId(1) },
    ])
    expect(await queued()).toEqual([cveId(0), cveId(1)])
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'ghsa'")).toEqual([
      { table_count: 2 },
    ])
  })

  it('writes no rows when the same advisories are imported again in OSV or API format', async () => {
    await readArchive(asArchive(advisories(20)))
    await clearQueue()
    expect(await readArchive(asArchive(advisories(20)))).toMatchObject({ written: 0, unchanged: 20 })
    expect(await readLines(advisories(20).map(({ api }) => api))).toMatchObject({ written: 0, unchanged: 20 })
    expect(await queued()).toEqual([])
  })

  it('skips unreviewed advisories without a notice', async () => {
    const { osv, api } = advisory(1)
    const unreviewed = [
      { ...osv, database_specific: { github_reviewed: false } },
      { ...api, type: 'unreviewed' },
    ]
    expect(await readLines([...toOsv(advisories(1)), ...unreviewed])).toMatchObject({
      read: 1,
      written: 1,
      notices: [],
    })
  })

  it('stores several advisories for the same CVE', async () => {
    await readLines(toOsv([advisory(1), advisory(2, { cve: cveId(1) })]))
    expect((await stored()).map(({ cve }) => cve)).toEqual([cveId(1), cveId(1)])
    expect(await queued()).toEqual([cveId(1)])
  })

  it('stores advisories without a CVE under their own id and queues no CVE for them', async () => {
    const without = Array.from({ length: 30 }, (_, index) => advisory(100 + index, { cve: null }))
    const report = await readArchive(asArchive([...advisories(3), ...without]))
    expect(report).toMatchObject({ outcome: 'succeeded', read: 33, written: 33, rejected: 0, notices: [] })
    const kept = (await stored()).filter(({ cve }) => cve === null)
    expect(kept).toHaveLength(30)
    expect(kept[0]).toMatchObject({ id: ghsaId(100), record: { cve_id: null, advisories: [ghsaId(100)] } })
    expect(await queued()).toEqual([cveId(0), cveId(1), cveId(2)])
  })
})

describe('GHSA feed: a changed advisory', () => {
  it.each([
    ['a different CVE than before', cveId(1), cveId(7)],
    ['no CVE any longer', cveId(1), null],
    ['a CVE for the first time', null, cveId(1)],
  ])('queues the old and the new CVE when an advisory names %s', async (_, before, after) => {
    await readLines(toOsv([advisory(1, { cve: before })]))
    await clearQueue()
    expect(await readLines(toOsv([advisory(1, { cve: after, modified: LATER })]))).toMatchObject({ written: 1 })

    expect(await stored()).toMatchObject([{ id: ghsaId(1), cve: after, record: { cve_id: after } }])
    expect(await queued()).toEqual([before, after].filter((each) => each !== null))
  })

  it('never overwrites or deletes an advisory because of an older version', async () => {
    await readLines(toOsv([advisory(1, { modified: LATER, title: 'Newer title' })]))
    const report = await readLines(toOsv([advisory(1)]))
    expect(report).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(report.notices).toEqual(['ghsa.ndjson.gz: 1 records are older than the stored ones and were skipped'])
    expect(await readLines(toOsv([advisory(1, { cve: null })]))).toMatchObject({ written: 0 })
    expect(await stored()).toMatchObject([{ record: { title: 'Newer title' } }])
  })

  it('keeps the newest version when a file contains an advisory twice', async () => {
    const twice = [advisory(1, { modified: LATER, title: 'Newer title' }), advisory(1)]
    expect(await readLines(toOsv(twice))).toMatchObject({ written: 1, duplicates: 1 })
    expect(await stored()).toMatchObject([{ record: { title: 'Newer title' } }])
  })
})

describe('GHSA feed: advisories missing from an archive', () => {
  const newest = advisory(500, { modified: LATER })

  it('deletes up to 2 % of the advisories when the archive no longer lists them, and queues their CVEs', async () => {
    await readArchive(asArchive([...advisories(100), newest]))
    await clearQueue()
    const report = await readArchive(asArchive([...advisories(100).slice(2), newest]))
    expect(report).toMatchObject({ outcome: 'succeeded', removed: 2 })
    expect(await queued()).toEqual([cveId(0), cveId(1)])
  })

  it('refuses an archive that lacks more than 2 % of the advisories unless the operator allows it', async () => {
    await readArchive(asArchive([...advisories(100), newest]))
    const shrunken = asArchive([...advisories(97), newest])
    expect(await readArchive(shrunken)).toMatchObject({ outcome: 'refused', removed: 0 })
    expect(await stored()).toHaveLength(101)
    expect(await readArchive(shrunken, ['too-many-removals'])).toMatchObject({ outcome: 'succeeded', removed: 3 })
  })

  it('keeps an advisory that the archive lacks if it is as new as the archive, because the API lists it earlier', async () => {
    await readArchive(asArchive(advisories(3)))
    await readLines(toOsv([newest]))
    expect(await readArchive(asArchive(advisories(3)))).toMatchObject({ outcome: 'succeeded', removed: 0 })
    expect(await stored()).toHaveLength(4)
  })

  it('keeps a stored advisory when its version in the archive is rejected', async () => {
    await readArchive(asArchive([...advisories(20), newest]))
    const bad = { ...advisory(3), osv: { ...advisory(3).osv, modified: 'May' } }
    const others = [...advisories(20).filter(({ id }) => id !== bad.id), newest]
    expect(await readArchive(asArchive([...others, bad]))).toMatchObject({ removed: 0, rejected: 1 })
    expect(await stored()).toHaveLength(21)
  })

  it('refuses a delivery in which too many advisories lost their CVE', async () => {
    await readLines(toOsv(advisories(10)))
    const report = await readLines(toOsv(advisories(10, { cve: null, modified: LATER })))
    expect(report).toMatchObject({ outcome: 'refused' })
    expect(report.error).toContain('guard too-many-lost-cves: 10 of the 10 stored records no longer name a CVE')
    expect((await stored()).map(({ cve }) => cve)).not.toContain(null)
  })
})

describe('GHSA feed: unusable input', () => {
  it('rejects an invalid advisory with a reason and stores the other advisories', async () => {
    const name = `advisory-database-main/advisories/github-reviewed/2024/05/${ghsaId(90)}/${ghsaId(90)}.json`
    const good = advisories(5).map(({ id, osv }) => ({
      name: name.replaceAll(ghsaId(90), id),
      content: JSON.stringify(osv),
    }))
    const odd = { name: name.replaceAll(ghsaId(90), ghsaId(91)), content: JSON.stringify({ id: ghsaId(91) }) }
    const report = await readArchive(createZip([...good, { name, content: '{' }, odd]))
    expect(report).toMatchObject({ outcome: 'succeeded', written: 5, rejected: 2 })
    expect(await listRejections()).toMatchObject([
      { subject: ghsaId(90), reason: expect.stringContaining('not JSON') },
      { subject: ghsaId(91) },
    ])
  })

  it.each([
    ['an archive of another repository', createZip([{ name: 'other-main/README.md', content: 'Read me.' }])],
    ['an archive with only unreviewed advisories', asArchive([])],
  ])('fails and keeps the stored advisories when the file is %s', async (_, content) => {
    await readArchive(asArchive(advisories(3)))
    const report = await readArchive(content)
    expect(report).toMatchObject({ outcome: 'failed', written: 0 })
    expect(report.error).toContain('advisory-database-main.zip cannot be used: ')
    expect(await stored()).toHaveLength(3)
  })
})
