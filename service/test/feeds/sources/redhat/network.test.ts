import { describe, expect, it } from 'vitest'
import { redhatDefinition } from '../../../../src/feeds/sources/redhat/feed.ts'
import { behaviours } from '../../../support/network/upstream.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { buildList, manyVex, startRedHat, toPath, vex } from './fixtures.ts'

const harness = await createFeedHarness()
const [A, B, C] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']
const OLD = '2026-08-10T10:00:00+00:00'
const LISTS = ['changes.csv', 'deletions.csv']
const ARCHIVE = ['archive_latest.txt', 'csaf_vex_2026-08-20.tar.zst']

/** Starts a test server and imports its archive of Red Hat's VEX documents, dated August 20. */
async function startAfterImport(settings?: { readonly filesPerRun: number }) {
  const redhat = await startRedHat(harness, settings)
  redhat.serveArchive('2026-08-20', vex(A, { at: OLD }), vex(B, { at: OLD }))
  redhat.serveFiles(vex(A, { at: OLD }), vex(B, { at: OLD }))
  await redhat.sync()
  redhat.takeRequests()
  return redhat
}

it('Red Hat feed downloads only from security.access.redhat.com by default', () => {
  const { feed, hosts } = redhatDefinition.configure({})
  expect([feed.name, hosts]).toEqual(['redhat', ['security.access.redhat.com']])
})

describe('Red Hat feed: first run', () => {
  it("imports the archive and then the documents that changed since the day before the archive's date", async () => {
    const redhat = await startRedHat(harness)
    redhat.serveArchive('2026-08-20', vex(A, { at: OLD }), vex(B, { at: OLD }))
    redhat.serveFiles(
      vex(B, { at: '2026-08-21T12:00:00+00:00', text: 'changed' }),
      vex(C, { at: '2026-08-19T00:00:01+00:00', text: 'late' }),
      vex(A, { at: OLD }),
    )
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 4, written: 4, rejected: 0, notices: [] })
    expect(redhat.takeRequests()).toEqual([toPath(B), toPath(C), ...ARCHIVE, ...LISTS].sort())
    expect(await redhat.stored()).toEqual([
      `${A} A crafted request exhausts the memory of tallyd.`,
      `${B} changed`,
      `${C} late`,
    ])
  })

  it('requests only changes.csv and deletions.csv in the second run when no document changed', async () => {
    const redhat = await startAfterImport()
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 0, written: 0 })
    expect(redhat.takeRequests()).toEqual(LISTS)
  })

  it('accepts an archive with only new records in the first run', async () => {
    const redhat = await startRedHat(harness)
    redhat.serveArchive('2026-08-20', ...manyVex(30, { at: OLD }))
    redhat.serveFiles(vex('CVE-2024-10000', { at: OLD }))
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', written: 30 })
  })
})

describe('Red Hat feed: changed documents', () => {
  const transactions = async () => {
    const [found] = await harness.selectRows<{ count: number }>(
      "select count(distinct xmin::text)::integer as count from source.source_record where cve_id > 'CVE-2024-1'",
    )
    return found?.count
  }

  it('downloads a changed document once, even if another change is listed late', async () => {
    const redhat = await startAfterImport()
    const newer = vex(A, { at: '2026-08-21T12:00:00+00:00', text: 'newer' })
    redhat.serveFiles(newer, vex(B, { at: OLD }))
    expect(await redhat.sync()).toMatchObject({ read: 1, written: 1 })
    expect(redhat.takeRequests()).toEqual([toPath(A), ...LISTS])

    redhat.serveFiles(newer, vex(C, { at: '2026-08-21T09:00:00+00:00', text: 'late' }), vex(B, { at: OLD }))
    expect(await redhat.sync()).toMatchObject({ read: 1, written: 1 })
    expect(redhat.takeRequests()).toEqual([toPath(C), ...LISTS])
    expect(await redhat.stored()).toEqual([
      `${A} newer`,
      `${B} A crafted request exhausts the memory of tallyd.`,
      `${C} late`,
    ])
  })

  it('sends conditional requests for changes.csv and deletions.csv and reads no documents when both are unchanged', async () => {
    const redhat = await startAfterImport()
    const newer = vex(A, { at: '2026-08-21T12:00:00+00:00', text: 'newer' })
    redhat.serveFiles(newer)
    const changes = buildList([toPath(A), '2026-08-21T12:00:00+00:00'])
    redhat.upstream.serve('/vex/changes.csv', behaviours.validates('"one"', changes))
    redhat.upstream.serve('/vex/deletions.csv', behaviours.validates('"two"', buildList([toPath(C), OLD])))
    await redhat.sync()
    expect(await redhat.cursor()).toMatchObject({ changes: { etag: '"one"' }, deletions: { etag: '"two"' } })
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(redhat.upstream.requests('/vex/changes.csv').at(-1)?.headers['if-none-match']).toBe('"one"')
  })

  it('imports many changed documents in several deliveries and runs', async () => {
    const redhat = await startAfterImport({ filesPerRun: 250 })
    const many = manyVex(260).map((each, index) =>
      vex(each.document.tracking.id, { at: `2026-08-21T${String(index % 24).padStart(2, '0')}:00:00+00:00` }),
    )
    redhat.serveFiles(...many)
    // The feed must download single documents, because the test server has no newer archive that contains them.
    const report = await redhat.sync()
    expect(report).toMatchObject({ outcome: 'succeeded', read: 250, written: 250 })
    expect(report.notices).toEqual(['10 more documents changed; the next runs download them.'])
    expect(await transactions()).toBe(2)
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 10, written: 10, notices: [] })
    expect(await redhat.sync()).toMatchObject({ read: 0 })
  })

  it('imports a newer archive when more documents changed than a run may download', async () => {
    const redhat = await startAfterImport({ filesPerRun: 5 })
    const many = manyVex(8, { at: '2026-08-20T01:00:00+00:00' })
    const late = vex(C, { at: '2026-08-21T23:00:00+00:00', text: 'late' })
    redhat.serveFiles(...many, late)
    redhat.serveArchive('2026-08-22', vex(A, { at: OLD }), vex(B, { at: OLD }), ...many)
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 11, written: 9 })
    expect(redhat.takeRequests()).toEqual([
      toPath(C),
      'archive_latest.txt',
      ...LISTS.slice(0, 1),
      'csaf_vex_2026-08-22.tar.zst',
      'deletions.csv',
    ])
  })

  it('imports later changes even after a change that is dated in the future', async () => {
    const redhat = await startAfterImport()
    redhat.serveFiles(vex(A, { at: '2099-01-01T00:00:00+00:00', text: 'future' }))
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    const newer = vex(B, { at: '2026-08-21T12:00:00+00:00', text: 'newer' })
    redhat.serveFiles(vex(A, { at: '2099-01-01T00:00:00+00:00', text: 'future' }), newer)
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
  })
})

it('Red Hat feed pauses between the starts of document downloads', async () => {
  const redhat = await startRedHat(harness, { pauseMs: 40 })
  const many = manyVex(6, { at: '2026-08-21T10:00:00+00:00' })
  redhat.serveArchive('2026-08-20', vex(A, { at: OLD }))
  redhat.serveFiles(...many)
  await redhat.sync()
  const times = many.map(
    (each) => redhat.upstream.requests(`/vex/${toPath(each.document.tracking.id)}`)[0]?.at.getTime() ?? 0,
  )
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(5 * 40 - 20)
})

describe('Red Hat feed: deleted documents', () => {
  const serveDeletion = (redhat: Awaited<ReturnType<typeof startRedHat>>, id: string, at: string) =>
    redhat.upstream.serve('/vex/deletions.csv', buildList([toPath(id), at]))

  it('marks the record of a deleted document as withdrawn once', async () => {
    const redhat = await startAfterImport()
    serveDeletion(redhat, A, '2026-08-21T12:00:00+00:00')
    redhat.serveFiles(vex(B, { at: OLD }))
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, removed: 0 })
    expect(redhat.takeRequests()).toEqual(LISTS)
    expect(await redhat.stored()).toEqual([`${A} withdrawn`, `${B} A crafted request exhausts the memory of tallyd.`])
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 0 })
  })

  it('does not download a deleted document that is also listed as changed', async () => {
    const redhat = await startAfterImport()
    serveDeletion(redhat, A, '2026-08-21T12:00:00+00:00')
    redhat.serveFiles(vex(A, { at: '2026-08-21T11:00:00+00:00' }))
    await redhat.sync()
    expect(redhat.takeRequests()).toEqual(LISTS)
    expect(await redhat.stored()).toEqual([`${A} withdrawn`, `${B} A crafted request exhausts the memory of tallyd.`])
  })

  it('imports a deleted document that is published again', async () => {
    const redhat = await startAfterImport()
    serveDeletion(redhat, A, '2026-08-21T12:00:00+00:00')
    await redhat.sync()
    redhat.serveFiles(vex(A, { at: '2026-08-21T13:00:00+00:00', text: 'back' }))
    expect(await redhat.sync()).toMatchObject({ read: 1, written: 1 })
    expect(await redhat.stored()).toEqual([`${A} back`, `${B} A crafted request exhausts the memory of tallyd.`])
  })

  it('ignores deletions older than the archive', async () => {
    const redhat = await startRedHat(harness)
    serveDeletion(redhat, C, '2026-08-01T00:00:00+00:00')
    redhat.serveArchive('2026-08-20', vex(A, { at: OLD }))
    redhat.serveFiles(vex(A, { at: OLD }))
    await redhat.sync()
    expect(await redhat.stored()).toEqual([`${A} A crafted request exhausts the memory of tallyd.`])
  })
})
