import { describe, expect, it } from 'vitest'
import { redhatPlan } from '../../../../src/feeds/sources/redhat/feed.ts'
import { manners } from '../../../support/network/upstream.ts'
import { testMachine } from '../../feed-harness.ts'
import { listOf, manyVex, pathOf, redhatSite, vex } from './fixtures.ts'

const machine = await testMachine()
const [A, B, C] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']
const OLD = '2026-08-10T10:00:00+00:00'
const LISTS = ['changes.csv', 'deletions.csv']
const ARCHIVE = ['archive_latest.txt', 'csaf_vex_2026-08-20.tar.zst']

/** It has read the archive of August 20. */
async function siteWithData(settings?: { readonly filesPerRun: number }) {
  const site = await redhatSite(machine, settings)
  site.serveArchive('2026-08-20', vex(A, { at: OLD }), vex(B, { at: OLD }))
  site.serveFiles(vex(A, { at: OLD }), vex(B, { at: OLD }))
  await site.sync()
  site.asked()
  return site
}

it('Without settings Red Hat is asked, and nobody else', () => {
  const { feed, hosts } = redhatPlan.open({})
  expect([feed.name, hosts]).toEqual(['redhat', ['security.access.redhat.com']])
})

describe('The first run', () => {
  it('takes the archive, and then the files that changed since the day before it', async () => {
    const site = await redhatSite(machine)
    site.serveArchive('2026-08-20', vex(A, { at: OLD }), vex(B, { at: OLD }))
    site.serveFiles(
      vex(B, { at: '2026-08-21T12:00:00+00:00', text: 'changed' }),
      vex(C, { at: '2026-08-19T00:00:01+00:00', text: 'late' }),
      vex(A, { at: OLD }),
    )
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 4, written: 4, rejected: 0, notices: [] })
    expect(site.asked()).toEqual([pathOf(B), pathOf(C), ...ARCHIVE, ...LISTS].sort())
    expect(await site.stored()).toEqual([`${A} The kettle boils over.`, `${B} changed`, `${C} late`])
  })

  it('is followed by one that writes nothing, and asks for the lists alone', async () => {
    const site = await siteWithData()
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
    expect(site.asked()).toEqual(LISTS)
  })

  it('may bring more than a flood would be', async () => {
    const site = await redhatSite(machine)
    site.serveArchive('2026-08-20', ...manyVex(30, { at: OLD }))
    site.serveFiles(vex('CVE-2024-10000', { at: OLD }))
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', written: 30 })
  })
})

describe('Files that changed', () => {
  const transactions = async () => {
    const [found] = await machine.look<{ count: number }>(
      "select count(distinct xmin::text)::integer as count from source.source_record where cve_id > 'CVE-2024-1'",
    )
    return found?.count
  }

  it('are asked for once, also when another is listed late', async () => {
    const site = await siteWithData()
    const newer = vex(A, { at: '2026-08-21T12:00:00+00:00', text: 'newer' })
    site.serveFiles(newer, vex(B, { at: OLD }))
    expect(await site.sync()).toMatchObject({ read: 1, written: 1 })
    expect(site.asked()).toEqual([pathOf(A), ...LISTS])

    site.serveFiles(newer, vex(C, { at: '2026-08-21T09:00:00+00:00', text: 'late' }), vex(B, { at: OLD }))
    expect(await site.sync()).toMatchObject({ read: 1, written: 1 })
    expect(site.asked()).toEqual([pathOf(C), ...LISTS])
    expect(await site.stored()).toEqual([`${A} newer`, `${B} The kettle boils over.`, `${C} late`])
  })

  it('are not looked for while the lists are as they were', async () => {
    const site = await siteWithData()
    const newer = vex(A, { at: '2026-08-21T12:00:00+00:00', text: 'newer' })
    site.serveFiles(newer)
    const changes = listOf([pathOf(A), '2026-08-21T12:00:00+00:00'])
    site.upstream.serve('/vex/changes.csv', manners.validates('"one"', changes))
    site.upstream.serve('/vex/deletions.csv', manners.validates('"two"', listOf([pathOf(C), OLD])))
    await site.sync()
    expect(await site.cursor()).toMatchObject({ changes: { etag: '"one"' }, deletions: { etag: '"two"' } })
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(site.upstream.requests('/vex/changes.csv').at(-1)?.headers['if-none-match']).toBe('"one"')
  })

  it('come in several deliveries, and in several runs, the oldest first', async () => {
    const site = await siteWithData({ filesPerRun: 250 })
    const many = manyVex(260).map((each, index) =>
      vex(each.document.tracking.id, { at: `2026-08-21T${String(index % 24).padStart(2, '0')}:00:00+00:00` }),
    )
    site.serveFiles(...many)
    // No newer archive is there to be taken instead.
    const report = await site.sync()
    expect(report).toMatchObject({ outcome: 'succeeded', read: 250, written: 250 })
    expect(report.notices).toEqual(['10 more files changed; they are left to the next run.'])
    expect(await transactions()).toBe(2)
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 10, written: 10, notices: [] })
    expect(await site.sync()).toMatchObject({ read: 0 })
  })

  it('are taken from a newer archive when they are too many for one run', async () => {
    const site = await siteWithData({ filesPerRun: 5 })
    const many = manyVex(8, { at: '2026-08-20T01:00:00+00:00' })
    const late = vex(C, { at: '2026-08-21T23:00:00+00:00', text: 'late' })
    site.serveFiles(...many, late)
    site.serveArchive('2026-08-22', vex(A, { at: OLD }), vex(B, { at: OLD }), ...many)
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 11, written: 9 })
    expect(site.asked()).toEqual([
      pathOf(C),
      'archive_latest.txt',
      ...LISTS.slice(0, 1),
      'csaf_vex_2026-08-22.tar.zst',
      'deletions.csv',
    ])
  })

  it('do not hold back others when their date is in the future', async () => {
    const site = await siteWithData()
    site.serveFiles(vex(A, { at: '2099-01-01T00:00:00+00:00', text: 'future' }))
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    const newer = vex(B, { at: '2026-08-21T12:00:00+00:00', text: 'newer' })
    site.serveFiles(vex(A, { at: '2099-01-01T00:00:00+00:00', text: 'future' }), newer)
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
  })
})

it('Between one file and the next there is a pause, although several are on their way at once', async () => {
  const site = await redhatSite(machine, { pauseMs: 40 })
  const many = manyVex(6, { at: '2026-08-21T10:00:00+00:00' })
  site.serveArchive('2026-08-20', vex(A, { at: OLD }))
  site.serveFiles(...many)
  await site.sync()
  const times = many.map(
    (each) => site.upstream.requests(`/vex/${pathOf(each.document.tracking.id)}`)[0]?.at.getTime() ?? 0,
  )
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(5 * 40 - 20)
})

describe('Files that are no more', () => {
  const delete_ = (site: Awaited<ReturnType<typeof redhatSite>>, id: string, at: string) =>
    site.upstream.serve('/vex/deletions.csv', listOf([pathOf(id), at]))

  it('leave a record that says that it is withdrawn, once', async () => {
    const site = await siteWithData()
    delete_(site, A, '2026-08-21T12:00:00+00:00')
    site.serveFiles(vex(B, { at: OLD }))
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, removed: 0 })
    expect(site.asked()).toEqual(LISTS)
    expect(await site.stored()).toEqual([`${A} withdrawn`, `${B} The kettle boils over.`])
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 0 })
  })

  it('are not asked for, although they are listed as changed', async () => {
    const site = await siteWithData()
    delete_(site, A, '2026-08-21T12:00:00+00:00')
    site.serveFiles(vex(A, { at: '2026-08-21T11:00:00+00:00' }))
    await site.sync()
    expect(site.asked()).toEqual(LISTS)
    expect(await site.stored()).toEqual([`${A} withdrawn`, `${B} The kettle boils over.`])
  })

  it('may come back', async () => {
    const site = await siteWithData()
    delete_(site, A, '2026-08-21T12:00:00+00:00')
    await site.sync()
    site.serveFiles(vex(A, { at: '2026-08-21T13:00:00+00:00', text: 'back' }))
    expect(await site.sync()).toMatchObject({ read: 1, written: 1 })
    expect(await site.stored()).toEqual([`${A} back`, `${B} The kettle boils over.`])
  })

  it('are no matter when they went before the archive was packed', async () => {
    const site = await redhatSite(machine)
    delete_(site, C, '2026-08-01T00:00:00+00:00')
    site.serveArchive('2026-08-20', vex(A, { at: OLD }))
    site.serveFiles(vex(A, { at: OLD }))
    await site.sync()
    expect(await site.stored()).toEqual([`${A} The kettle boils over.`])
  })
})
