import { beforeEach, describe, expect, it } from 'vitest'
import { behaviours } from '../../../support/network/upstream.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { changeId, historyPage, type PlayedChange, playedChange, startHistoryApi } from './history-upstream.ts'

const harness = await createFeedHarness()
beforeEach(harness.reset)

type Api = Awaited<ReturnType<typeof startHistoryApi>>

const run = (api: Api) =>
  harness.run(api.feed, { openDownload: () => api.download, clock: api.clock.now, holder: 'a worker' })

/** One change a week since 2025, so that no window is implausibly empty. */
function addWeeks(api: Api, count = 610): readonly PlayedChange[] {
  const newest = api.clock.now().getTime() - 86_400_000
  const weeks = Array.from({ length: count }, (_, week) =>
    playedChange(week, { created: new Date(newest - week * 7 * 86_400_000).toISOString().slice(0, -1) }),
  )
  api.changes.push(...weeks)
  return weeks
}

const listStored = () =>
  harness.selectRows<{ id: string; changes: readonly (readonly unknown[])[] }>(
    'select cve_id as id, changes::json as changes from source.nvd_history order by cve_id',
  )

async function listKeys(): Promise<readonly string[]> {
  return (await listStored())
    .flatMap(({ id, changes }) => changes.map((change) => `${id} ${String(change[0])}`))
    .toSorted()
}

const keyOf = ({ cveId, cveChangeId }: PlayedChange) =>
  `${cveId} ${Buffer.from(cveChangeId.replaceAll('-', ''), 'hex').subarray(0, 8).toString('base64url')}`

/** The feed does not read earlier changes. */
const listSince2015 = (changes: readonly PlayedChange[]) =>
  changes
    .filter(({ created }) => created > '2015')
    .map(keyOf)
    .toSorted()

async function readPeriod() {
  const [period] = await harness.selectRows<{ oldest: Date; newest: Date }>('select * from catalog.nvd_history_extent')
  return period && [period.oldest.toISOString(), period.newest.toISOString()]
}

const importFiles = (api: Api, files: Readonly<Record<string, string>>) => harness.importFiles(api.feed, files)

describe('Feed nvd-history: what is stored', () => {
  it('keeps, for each CVE, the changes that a record needs, oldest first', async () => {
    const api = await startHistoryApi()
    api.changes.push(
      playedChange(2, {
        cveId: 'CVE-2024-3400',
        created: '2026-08-20T10:00:00.500',
        eventName: 'Initial Analysis',
        details: [
          { action: 'Added', type: 'CVSS V3.1', newValue: 'NIST AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N' },
          { action: 'Added', type: 'CVSS V2 Metadata', newValue: 'Victim must voluntarily interact' },
          { action: 'Changed', type: 'Description', oldValue: 'First text.', newValue: 'Second text.' },
        ],
      }),
      playedChange(1, { cveId: 'CVE-2024-3400', created: '2026-08-19T10:00:00.000', details: [] }),
    )
    expect(await run(api)).toMatchObject({ outcome: 'succeeded', read: 2, written: 2 })
    const [first, second] = ['2026-08-19T10:00:00.000Z', '2026-08-20T10:00:00.500Z'].map((time) => Date.parse(time))
    expect(await listStored()).toEqual([
      {
        id: 'CVE-2024-3400',
        changes: [
          [expect.any(String), first, 'CVE Modified', 'nvd@nist.gov', []],
          [
            expect.any(String),
            second,
            'Initial Analysis',
            'nvd@nist.gov',
            [
              ['C31', 'A', null, 'NIST AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N'],
              ['D', 'C', 'First text.', 0],
            ],
          ],
        ],
      },
    ])
  })

  it('rejects a change without a readable id or time, and stores the others', async () => {
    const api = await startHistoryApi()
    const file = [
      ...Array.from({ length: 4 }, (_, index) => playedChange(index)),
      playedChange(5, { cveChangeId: 'five' }),
      playedChange(6, { created: 'soon' }),
    ]
    const name = 'nvdcvehistory-2.0-20260801T000000Z-20260811T000000Z-0.json'
    const report = await importFiles(api, { [name]: historyPage(file) })
    expect(report).toMatchObject({ outcome: 'succeeded', read: 6, rejected: 2 })
    expect((await harness.listRejections()).map(({ subject }) => subject)).toEqual(['five', changeId(6)])
  })
})

describe('Feed nvd-history: downloads', () => {
  it('stores the newest changes in its first run, and earlier ones, back to 2015, in the following', async () => {
    const api = await startHistoryApi({ pagesPerRun: 100 })
    const weeks = addWeeks(api)
    expect(await run(api)).toMatchObject({ outcome: 'succeeded', read: 2 })
    expect(await readPeriod()).toEqual(['2026-08-08T19:55:00.000Z', '2026-08-22T19:55:00.000Z'])
    for (let runs = 0; runs < 4; runs += 1) await run(api)
    expect((await readPeriod())?.[0]).toBe('2015-01-01T00:00:00.000Z')
    expect(await listKeys()).toEqual(listSince2015(weeks))
  })

  it('reads the last days again after six hours, and puts a change that arrives late in its place', async () => {
    const api = await startHistoryApi({ pagesPerRun: 4 })
    addWeeks(api, 30)
    const late = playedChange(1000, { cveId: 'CVE-2024-1000', created: '2026-08-18T00:00:00.000' })
    const newer = playedChange(1001, { cveId: 'CVE-2024-1000', created: '2026-08-22T21:00:00.000' })
    await run(api)
    api.clock.advance({ hours: 7 })
    api.changes.push(late, newer)
    await run(api)
    const [stored] = await listStored()
    const times = stored?.changes.map((change) => Number(change[1])) ?? []
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(await listKeys()).toEqual(expect.arrayContaining([late, newer].map(keyOf)))
  })

  it('stores each change once, also if NVD sends it twice, and continues after a failure', async () => {
    const api = await startHistoryApi({ pagesPerRun: 40, pageLimit: 1 })
    const weeks = addWeeks(api, 100)
    api.changes.push(...weeks.slice(0, 10))
    await run(api)
    api.onRequest((n) => (n > 20 ? behaviours.answers(404) : undefined))
    expect((await run(api)).outcome).toBe('failed')
    const stored = await listKeys()
    expect(stored.length).toBeGreaterThan(5)
    const before = api.requests.length
    api.onRequest((n) => (n % 17 === 0 ? behaviours.throttles(n % 2 ? 503 : 403) : undefined))
    expect((await run(api)).outcome).toBe('succeeded')
    expect(Date.parse(api.requests[before]?.until ?? '')).toBeLessThan(Date.parse(weeks[5]?.created ?? ''))
    const keys = await listKeys()
    expect(keys).toEqual(weeks.slice(0, keys.length).map(keyOf).toSorted())
    expect(keys.length).toBeGreaterThan(stored.length + 20)
  })

  it('splits a window with too many changes, in the order in which the stored period grows', async () => {
    const api = await startHistoryApi()
    addWeeks(api, 4)
    const newest = api.clock.now().getTime() - 3 * 86_400_000
    for (let index = 0; index < 41_000; index += 1)
      api.changes.push(
        playedChange(5000 + index, { created: new Date(newest - index * 1000).toISOString().slice(0, -1) }),
      )
    await run(api)
    const [oldest, until] = (await readPeriod()) ?? []
    expect([oldest, until]).toEqual(['2026-08-21T01:55:00.000Z', '2026-08-22T19:55:00.000Z'])
  })

  it('fails if NVD lists no changes of a whole week', async () => {
    const api = await startHistoryApi()
    expect(await run(api)).toMatchObject({ outcome: 'failed', error: expect.stringContaining('implausible') })
    expect(await readPeriod()).toBeUndefined()
  })
})

describe('Feed nvd-history: files', () => {
  const page = (from: string, until: string, index: number) =>
    `nvdcvehistory-2.0-${from}T000000Z-${until}T000000Z-${index}.json`

  it('reads the pages of each window from a directory, and says from when to when the history is complete', async () => {
    const api = await startHistoryApi()
    const first = [playedChange(1), playedChange(2)]
    const report = await importFiles(api, {
      [page('20260801', '20260811', 0)]: historyPage(first, 0, 3),
      [page('20260801', '20260811', 2)]: historyPage([playedChange(3)], 2, 3),
      [page('20260722', '20260801', 0)]: historyPage([playedChange(4)]),
      [page('20260601', '20260611', 0)]: historyPage([playedChange(5)]),
    })
    expect(report.notices).toEqual([expect.stringContaining('The files leave a gap')])
    expect(await readPeriod()).toEqual(['2026-07-22T00:00:00.000Z', '2026-08-11T00:00:00.000Z'])
    expect(await listKeys()).toHaveLength(5)
  })

  it.each([
    [
      'lacks a page',
      { 0: historyPage([playedChange(1)], 0, 3), 2: historyPage([playedChange(2)], 2, 3) },
      /does not continue/,
    ],
    ['lacks the last page', { 0: historyPage([playedChange(1)], 0, 2) }, /have 1 of 2 changes/],
    ['has a truncated page', { 0: historyPage([playedChange(1)]).slice(0, -20) }, /nvdcvehistory/],
  ])('refuses a window that %s', async (_what, pages, error) => {
    const api = await startHistoryApi()
    const files = Object.entries(pages).map(
      ([index, text]) => [page('20260801', '20260811', Number(index)), text] as const,
    )
    const report = await importFiles(api, Object.fromEntries(files))
    expect(report).toMatchObject({ outcome: 'failed', error: expect.stringMatching(error) })
    expect(await readPeriod()).toBeUndefined()
  })
})
