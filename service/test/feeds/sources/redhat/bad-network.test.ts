import { describe, expect, it } from 'vitest'
import { behaviours, type Content, type Handler } from '../../../support/network/upstream.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { buildArchive, buildList, manyVex, startRedHat, toPath, vex } from './fixtures.ts'

const harness = await createFeedHarness()
const [A, B] = ['CVE-2024-0001', 'CVE-2024-0002']
const OLD = '2026-08-10T10:00:00+00:00'
const NEW = '2026-08-21T10:00:00+00:00'
const LISTS = ['changes.csv', 'deletions.csv']

/**
 * Starts a test server, imports its archive of VEX documents, and then publishes a change of document A, which is not
 * imported yet.
 */
async function startWithChange() {
  const redhat = await startRedHat(harness)
  redhat.serveArchive('2026-08-20', vex(A, { at: OLD, text: 'old' }), vex(B, { at: OLD, text: 'old' }))
  redhat.serveFiles(vex(A, { at: OLD }))
  await redhat.sync()
  redhat.takeRequests()
  redhat.serveFiles(vex(A, { at: NEW, text: 'new' }))
  return redhat
}
const UNCHANGED = [`${A} old`, `${B} old`]

describe('Red Hat feed: unusable lists of changes', () => {
  it.each<[string, Content | Handler, RegExp]>([
    ['a 404 response', behaviours.answers(404), /404 Not Found/],
    [
      'a file in another format',
      'id;date\nA;today\n',
      /changes\.csv cannot be used: 2 of the 2 records were rejected, for example "id;date"/,
    ],
    ['a list of invalid paths', buildList(['../../../etc/passwd.json', NEW]), /cannot be used: 1 of the 1 records/],
    ['endless', behaviours.sendsWithoutEnd(Buffer.alloc(1_000_000, '\n')), /more than 67108864 bytes/],
  ])('fails without downloading documents when changes.csv is %s', async (_, how, error) => {
    const redhat = await startWithChange()
    redhat.upstream.serve('/vex/changes.csv', how)
    expect(await redhat.sync()).toMatchObject({ outcome: 'failed', read: 0, error: expect.stringMatching(error) })
    expect(await redhat.stored()).toEqual(UNCHANGED)
    expect(redhat.takeRequests().filter((path) => path.endsWith('.json'))).toEqual([])
  })

  it('imports the changes but fails the run when deletions.csv cannot be downloaded', async () => {
    const redhat = await startWithChange()
    redhat.upstream.serve('/vex/deletions.csv', behaviours.answers(404))
    expect(await redhat.sync()).toMatchObject({
      outcome: 'failed',
      written: 1,
      error: expect.stringContaining('deletions.csv'),
    })
    expect(await redhat.stored()).toEqual([`${A} new`, `${B} old`])
  })
})

it('Red Hat feed ignores a path in changes.csv that is not a document and downloads the other documents', async () => {
  const path = '../../../etc/passwd'
  const redhat = await startWithChange()
  redhat.upstream.serve('/vex/changes.csv', buildList([path, NEW], [toPath(A), NEW], [toPath(B), OLD]))
  const report = await redhat.sync()
  expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
  expect(report.notices).toEqual([
    `Ignored 1 lines of changes.csv that do not name a VEX document, for example ""${path}","${NEW}"".`,
  ])
  expect(redhat.takeRequests()).toEqual([toPath(A), ...LISTS])
})

describe('Red Hat feed: documents that cannot be downloaded', () => {
  const serveMissingFile = (redhat: Awaited<ReturnType<typeof startWithChange>>) => {
    redhat.serveFiles(vex(A, { at: NEW, text: 'new' }), vex(B, { at: NEW, text: 'new' }))
    redhat.upstream.serve(`/vex/${toPath(A)}`, behaviours.answers(404))
  }

  it('imports the other documents and retries the missing document in the next run', async () => {
    const redhat = await startWithChange()
    serveMissingFile(redhat)
    const report = await redhat.sync()
    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(report.notices).toEqual([`${toPath(A)} is listed but could not be downloaded. The next run tries again.`])
    expect(await redhat.stored()).toEqual([`${A} old`, `${B} new`])

    redhat.upstream.serve(`/vex/${toPath(A)}`, vex(A, { at: NEW, text: 'new' }))
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(await redhat.stored()).toEqual([`${A} new`, `${B} new`])
    expect(await redhat.cursor()).toMatchObject({ missing: {} })
  })

  it('skips a document after five failed download attempts until it changes again', async () => {
    const redhat = await startWithChange()
    serveMissingFile(redhat)
    let notices: readonly string[] = []
    for (let hour = 11; hour < 16; hour += 1) {
      redhat.upstream.serve(
        '/vex/changes.csv',
        buildList([toPath(A), NEW], [toPath(B), `2026-08-21T${hour}:00:00+00:00`]),
      )
      notices = (await redhat.sync()).notices
    }
    expect(notices).toEqual([
      `${toPath(A)} could not be downloaded in 5 attempts. It is skipped until it changes again.`,
    ])
    redhat.takeRequests()
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 0, notices: [] })
    expect(redhat.takeRequests()).toEqual(LISTS)

    redhat.serveFiles(vex(A, { at: '2026-08-21T20:00:00+00:00', text: 'newer' }))
    await redhat.sync()
    expect(await redhat.stored()).toEqual([`${A} newer`, `${B} new`])
  })

  it('fails when the only changed document is missing', async () => {
    const redhat = await startWithChange()
    redhat.upstream.serve(`/vex/${toPath(A)}`, behaviours.answers(404))
    const before = await redhat.cursor()
    expect(await redhat.sync()).toMatchObject({ outcome: 'failed', error: expect.stringMatching(/0001\.json .*404/) })
    expect(await redhat.cursor()).toEqual(before)
  })

  it.each<[string, Content | Handler]>([['an interrupted response', behaviours.breaksOff('{"document":')]])(
    'imports the other documents when the response for one document is %s',
    async (_, how) => {
      const redhat = await startWithChange()
      serveMissingFile(redhat)
      redhat.upstream.serve(`/vex/${toPath(A)}`, how)
      expect(await redhat.sync()).toMatchObject({
        outcome: 'succeeded',
        written: 1,
        notices: [expect.stringContaining(toPath(A))],
      })
      expect(await redhat.stored()).toEqual([`${A} old`, `${B} new`])
    },
  )

  it('stores the downloaded documents and ends the run after five failed downloads', async () => {
    const redhat = await startWithChange()
    const many = manyVex(40, { at: NEW })
    redhat.serveFiles(...many)
    for (const each of many.slice(4))
      redhat.upstream.serve(`/vex/${toPath(each.document.tracking.id)}`, behaviours.answers(500))
    const report = await redhat.sync()
    expect(report).toMatchObject({
      outcome: 'failed',
      written: 4,
      error: expect.stringMatching(/500 Internal Server Error/),
    })
    expect(new Set(redhat.takeRequests()).size).toBeLessThan(20)

    redhat.serveFiles(...many)
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 36, written: 36 })
  })
})

describe('Red Hat feed: invalid documents from the network', () => {
  it.each<[string, Content]>([
    ['a CVE id that differs from its file name', vex('CVE-2024-0009', { at: NEW })],
    ['truncated JSON', '{"document": '],
    ['missing required members', { document: {} }],
  ])('rejects a document with %s and stores the other documents', async (_, content) => {
    const redhat = await startWithChange()
    const others = manyVex(5, { at: NEW })
    redhat.serveFiles(vex(A, { at: NEW }), ...others)
    redhat.upstream.serve(`/vex/${toPath(A)}`, content)
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', read: 6, written: 5, rejected: 1 })
    expect((await redhat.stored()).slice(0, 2)).toEqual(UNCHANGED)
  })

  it('refuses a delivery of only invalid documents and downloads them again in the next run', async () => {
    const redhat = await startWithChange()
    redhat.upstream.serve(`/vex/${toPath(A)}`, { document: {} })
    expect(await redhat.sync()).toMatchObject({ outcome: 'refused', written: 0 })
    redhat.serveFiles(vex(A, { at: NEW, text: 'new' }))
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
  })
})

describe('Red Hat feed: unusable archives', () => {
  const good = buildArchive(vex(A, { at: OLD, text: 'old' }), vex(B, { at: OLD, text: 'old' }))

  it.each<[string, string, Content | Handler, RegExp]>([
    [
      'an archive name that is another path',
      'archive_latest.txt',
      '../../../etc/passwd',
      /archive_latest\.txt must contain an archive name .* not "\.\.\/\.\.\/\.\.\/etc\/passwd"/,
    ],
    [
      'an archive name that is a URL on another host',
      'archive_latest.txt',
      'http://evil.example/csaf_vex_2026-08-20.tar.zst',
      /must contain an archive name/,
    ],
    [
      'an archive name with a day that does not exist',
      'archive_latest.txt',
      'csaf_vex_2026-02-30.tar.zst',
      /must contain an archive name/,
    ],
    [
      'an archive name with a date in the future',
      'archive_latest.txt',
      'csaf_vex_2027-08-20.tar.zst',
      /dated in the future/,
    ],
    ['a 404 response for the archive', 'csaf_vex_2026-08-20.tar.zst', behaviours.answers(404), /404 Not Found/],
    [
      'a truncated archive',
      'csaf_vex_2026-08-20.tar.zst',
      good.subarray(0, -50),
      /csaf_vex_2026-08-20\.tar\.zst is truncated/,
    ],
  ])('fails because of %s and succeeds in the next run with a valid archive', async (_, name, how, error) => {
    const redhat = await startRedHat(harness)
    redhat.serveArchive('2026-08-20')
    redhat.serveFiles(vex(A, { at: OLD }))
    redhat.upstream.serve('/vex/csaf_vex_2026-08-20.tar.zst', good)
    redhat.upstream.serve(`/vex/${name}`, how)
    expect(await redhat.sync()).toMatchObject({ outcome: 'failed', written: 0, error: expect.stringMatching(error) })

    redhat.upstream.serve('/vex/archive_latest.txt', 'csaf_vex_2026-08-20.tar.zst')
    redhat.upstream.serve('/vex/csaf_vex_2026-08-20.tar.zst', good)
    expect(await redhat.sync()).toMatchObject({ outcome: 'succeeded', written: 2 })
    expect(await redhat.stored()).toEqual(UNCHANGED)
  })
})
