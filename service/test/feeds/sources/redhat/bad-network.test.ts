import { describe, expect, it } from 'vitest'
import { type Content, type Handler, manners } from '../../../support/network/upstream.ts'
import { testMachine } from '../../feed-harness.ts'
import { archiveOf, listOf, manyVex, pathOf, redhatSite, vex } from './fixtures.ts'

const machine = await testMachine()
const [A, B] = ['CVE-2024-0001', 'CVE-2024-0002']
const OLD = '2026-08-10T10:00:00+00:00'
const NEW = '2026-08-21T10:00:00+00:00'
const LISTS = ['changes.csv', 'deletions.csv']

/** It has read the archive, and A has changed since. */
async function siteWithNews() {
  const site = await redhatSite(machine)
  site.serveArchive('2026-08-20', vex(A, { at: OLD, text: 'old' }), vex(B, { at: OLD, text: 'old' }))
  site.serveFiles(vex(A, { at: OLD }))
  await site.sync()
  site.asked()
  site.serveFiles(vex(A, { at: NEW, text: 'new' }))
  return site
}
const UNTOUCHED = [`${A} old`, `${B} old`]

describe('A list that cannot be used is a fault, and nothing is asked for or lost', () => {
  it.each<[string, Content | Handler, RegExp]>([
    ['a page', manners.sendsHtml(), /changes\.csv could not be downloaded: .*HTML page/],
    ['a page that calls itself a list', manners.sendsHtml('text/csv'), /HTML page/],
    ['gone', manners.answers(404), /404 Not Found/],
    ['empty', manners.answers(200, ''), /empty answer/],
    [
      'something else',
      'id;date\nA;today\n',
      /changes\.csv cannot be used: 2 of its 2 records cannot be used, such as "id;date"/,
    ],
    ['all of it elsewhere', listOf(['../../../etc/passwd.json', NEW]), /cannot be used: 1 of its 1/],
    ['a redirect', manners.redirects('http://169.254.169.254/latest'), /redirects to 169\.254\.169\.254/],
    ['cut off', manners.claimsLength(5000, listOf([pathOf(A), NEW])), /cut off/],
    ['without end', manners.sendsWithoutEnd(Buffer.alloc(1_000_000, '\n')), /more than the 67108864 bytes/],
  ])('%s', async (_, how, fault) => {
    const site = await siteWithNews()
    site.upstream.serve('/vex/changes.csv', how)
    expect(await site.sync()).toMatchObject({ outcome: 'failed', read: 0, fault: expect.stringMatching(fault) })
    expect(await site.stored()).toEqual(UNTOUCHED)
    expect(site.asked().filter((path) => path.endsWith('.json'))).toEqual([])
  })

  it('that of deletions does not hold back what changed, but the run is no success', async () => {
    const site = await siteWithNews()
    site.upstream.serve('/vex/deletions.csv', manners.answers(404))
    expect(await site.sync()).toMatchObject({
      outcome: 'failed',
      written: 1,
      fault: expect.stringContaining('deletions.csv'),
    })
    expect(await site.stored()).toEqual([`${A} new`, `${B} old`])
  })
})

it.each([
  ['above the folder', '../../../etc/passwd'],
  ['above the folder by its year', '2024/../../cve-2024-0009.json'],
  ['from the root', '/2024/cve-2024-0009.json'],
  ['on another host', 'http://169.254.169.254/2024/cve-2024-0009.json'],
  ['on another host, without a protocol', '//evil.example/cve-2024-0009.json'],
  ['with an escape', '2024/%2e%2e/cve-2024-0009.json'],
  ['of another kind', '2024/rhsa-2024_6163.json'],
  ['with a query', '2024/cve-2024-0009.json?x=1'],
])('A file that is listed %s is never asked for; the others are', async (_, path) => {
  const site = await siteWithNews()
  site.upstream.serve('/vex/changes.csv', listOf([path, NEW], [pathOf(A), NEW], [pathOf(B), OLD]))
  const report = await site.sync()
  expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
  expect(report.notices).toEqual([
    `changes.csv has 1 lines that name no file of ours, such as ""${path}","${NEW}""; they were left alone.`,
  ])
  expect(site.asked()).toEqual([pathOf(A), ...LISTS])
})

describe('A file that is listed and cannot be had', () => {
  const isGone = (site: Awaited<ReturnType<typeof siteWithNews>>) => {
    site.serveFiles(vex(A, { at: NEW, text: 'new' }), vex(B, { at: NEW, text: 'new' }))
    site.upstream.serve(`/vex/${pathOf(A)}`, manners.answers(404))
  }

  it('does not hold back the others, and is asked for again', async () => {
    const site = await siteWithNews()
    isGone(site)
    const report = await site.sync()
    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(report.notices).toEqual([`${pathOf(A)} is listed and could not be had. It will be asked for again.`])
    expect(await site.stored()).toEqual([`${A} old`, `${B} new`])

    site.upstream.serve(`/vex/${pathOf(A)}`, vex(A, { at: NEW, text: 'new' }))
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 1, written: 1 })
    expect(await site.stored()).toEqual([`${A} new`, `${B} new`])
    expect(await site.cursor()).toMatchObject({ missing: {} })
  })

  it('is given up after five tries, until it changes again', async () => {
    const site = await siteWithNews()
    isGone(site)
    let notices: readonly string[] = []
    for (let hour = 11; hour < 16; hour += 1) {
      site.upstream.serve('/vex/changes.csv', listOf([pathOf(A), NEW], [pathOf(B), `2026-08-21T${hour}:00:00+00:00`]))
      notices = (await site.sync()).notices
    }
    expect(notices).toEqual([`${pathOf(A)} is given up after 5 tries, until it changes again.`])
    site.asked()
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 0, notices: [] })
    expect(site.asked()).toEqual(LISTS)

    site.serveFiles(vex(A, { at: '2026-08-21T20:00:00+00:00', text: 'newer' }))
    await site.sync()
    expect(await site.stored()).toEqual([`${A} newer`, `${B} new`])
  })

  it('is a failure when it is the only one', async () => {
    const site = await siteWithNews()
    site.upstream.serve(`/vex/${pathOf(A)}`, manners.answers(404))
    const before = await site.cursor()
    expect(await site.sync()).toMatchObject({ outcome: 'failed', fault: expect.stringMatching(/0001\.json .*404/) })
    expect(await site.cursor()).toEqual(before)
  })

  it.each<[string, Content | Handler]>([
    ['a page', manners.sendsHtml()],
    ['a redirect to another host', manners.redirects('http://127.0.0.9/cve-2024-0001.json')],
    ['an answer that breaks off', manners.breaksOff('{"document":')],
  ])('may be %s', async (_, how) => {
    const site = await siteWithNews()
    isGone(site)
    site.upstream.serve(`/vex/${pathOf(A)}`, how)
    expect(await site.sync()).toMatchObject({
      outcome: 'succeeded',
      written: 1,
      notices: [expect.stringContaining(pathOf(A))],
    })
    expect(await site.stored()).toEqual([`${A} old`, `${B} new`])
  })

  it('is waited for as long as the server asks', async () => {
    const site = await siteWithNews()
    const good = vex(A, { at: NEW, text: 'new' })
    site.upstream.serve(`/vex/${pathOf(A)}`, manners.inTurn(manners.throttles(503, '37'), good))
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(site.pauses).toEqual([37_000])
  })

  it('ends the run when there are too many of them; what was had is stored, and no more is asked for', async () => {
    const site = await siteWithNews()
    const many = manyVex(40, { at: NEW })
    site.serveFiles(...many)
    for (const each of many.slice(4))
      site.upstream.serve(`/vex/${pathOf(each.document.tracking.id)}`, manners.answers(500))
    const report = await site.sync()
    expect(report).toMatchObject({
      outcome: 'failed',
      written: 4,
      fault: expect.stringMatching(/500 Internal Server Error/),
    })
    expect(new Set(site.asked()).size).toBeLessThan(20)

    site.serveFiles(...many)
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 36, written: 36 })
  })
})

describe('A document that is not what its name says', () => {
  it.each<[string, Content]>([
    ['another CVE', vex('CVE-2024-0009', { at: NEW })],
    ['no JSON', '{"document": '],
    ['another form', { document: {} }],
  ])('is rejected: %s', async (_, content) => {
    const site = await siteWithNews()
    const others = manyVex(5, { at: NEW })
    site.serveFiles(vex(A, { at: NEW }), ...others)
    site.upstream.serve(`/vex/${pathOf(A)}`, content)
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', read: 6, written: 5, rejected: 1 })
    expect((await site.stored()).slice(0, 2)).toEqual(UNTOUCHED)
  })

  it('is a reason to refuse when all are so, and the next run asks again', async () => {
    const site = await siteWithNews()
    site.upstream.serve(`/vex/${pathOf(A)}`, { document: {} })
    expect(await site.sync()).toMatchObject({ outcome: 'refused', written: 0 })
    site.serveFiles(vex(A, { at: NEW, text: 'new' }))
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', written: 1 })
  })
})

describe('An archive that cannot be used is a fault, and the next run begins anew', () => {
  const good = archiveOf(vex(A, { at: OLD, text: 'old' }), vex(B, { at: OLD, text: 'old' }))

  it.each<[string, string, Content | Handler, RegExp]>([
    [
      'another name',
      'archive_latest.txt',
      '../../../etc/passwd',
      /archive_latest\.txt should name an archive .* and says "\.\.\/\.\.\/\.\.\/etc\/passwd"/,
    ],
    ['another host', 'archive_latest.txt', 'http://evil.example/csaf_vex_2026-08-20.tar.zst', /should name an archive/],
    ['a day that is none', 'archive_latest.txt', 'csaf_vex_2026-02-30.tar.zst', /should name an archive/],
    ['the future', 'archive_latest.txt', 'csaf_vex_2027-08-20.tar.zst', /dated in the future/],
    ['a page instead of a name', 'archive_latest.txt', manners.sendsHtml(), /HTML page/],
    ['a page', 'csaf_vex_2026-08-20.tar.zst', manners.sendsHtml(), /HTML page/],
    ['gone', 'csaf_vex_2026-08-20.tar.zst', manners.answers(404), /404 Not Found/],
    [
      'cut off on its way',
      'csaf_vex_2026-08-20.tar.zst',
      manners.claimsLength(good.length, good.subarray(0, -50)),
      /cut off/,
    ],
    [
      'cut off before',
      'csaf_vex_2026-08-20.tar.zst',
      good.subarray(0, -50),
      /csaf_vex_2026-08-20\.tar\.zst is cut off/,
    ],
  ])('%s', async (_, name, how, fault) => {
    const site = await redhatSite(machine)
    site.serveArchive('2026-08-20')
    site.serveFiles(vex(A, { at: OLD }))
    site.upstream.serve('/vex/csaf_vex_2026-08-20.tar.zst', good)
    site.upstream.serve(`/vex/${name}`, how)
    expect(await site.sync()).toMatchObject({ outcome: 'failed', written: 0, fault: expect.stringMatching(fault) })

    site.upstream.serve('/vex/archive_latest.txt', 'csaf_vex_2026-08-20.tar.zst')
    site.upstream.serve('/vex/csaf_vex_2026-08-20.tar.zst', good)
    expect(await site.sync()).toMatchObject({ outcome: 'succeeded', written: 2 })
    expect(await site.stored()).toEqual(UNTOUCHED)
  })
})
