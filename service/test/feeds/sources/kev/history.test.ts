import { beforeEach, describe, expect, it } from 'vitest'
import { kevHistoryFeed } from '../../../../src/feeds/sources/kev/history/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { buildEntry } from './fixtures.ts'
import { deltaLine, fullLine, importHistory } from './history-fixtures.ts'

const harness = await createFeedHarness()
beforeEach(harness.reset)

const [ONE, TWO] = ['CVE-2024-0001', 'CVE-2024-0002']
const [one, two] = [buildEntry(ONE), buildEntry(TWO)]
const changed = { ...two, dueDate: '2026-09-09' }

const listStored = () =>
  harness.selectRows(`
    select cve_id as id, released_at::date::text as day, is_removed as removed, due_date::text as due
      from source.kev_past_entry order by released_at, cve_id
  `)

const AS_DIFFERENCES = [
  fullLine('2026-05-01', [one]),
  deltaLine('2026-05-02', 2, { added: [two] }),
  deltaLine('2026-05-03', 1, { changed: [{ cveID: TWO, now: { dueDate: '2026-09-09' } }], removed: [ONE] }),
]
const AS_CATALOGS = [
  fullLine('2026-05-01', [one]),
  fullLine('2026-05-02', [one, two]),
  fullLine('2026-05-03', [changed]),
]

describe('Feed kev-history', () => {
  it.each([
    ['differences', AS_DIFFERENCES],
    ['whole catalogs', AS_CATALOGS],
  ])('stores the state of an entry after each release that changed it, from lines with %s', async (_what, lines) => {
    expect(await importHistory(harness, lines)).toMatchObject({ outcome: 'succeeded', read: 4, rejected: 0 })
    const expected = [
      { id: ONE, day: '2026-05-01', removed: false, due: '2026-09-02' },
      { id: TWO, day: '2026-05-02', removed: false, due: '2026-09-02' },
      { id: ONE, day: '2026-05-03', removed: true, due: '2026-09-02' },
      { id: TWO, day: '2026-05-03', removed: false, due: '2026-09-09' },
    ]
    expect(await listStored()).toEqual(expected)
    expect(await importHistory(harness, lines)).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      removed: 0,
      unchanged: 4,
    })
    expect(await listStored()).toEqual(expected)
    expect(await importHistory(harness, lines.slice(0, 2))).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('is older than the stored one'),
    })
  })

  it.each([
    ['an incomplete first line', AS_DIFFERENCES.slice(1), 'the first line has no member "vulnerabilities"'],
    [
      'releases in the wrong order',
      AS_CATALOGS.toReversed(),
      'release 2026.05.02 is not newer than the line before it',
    ],
    [
      'a missing line',
      [AS_DIFFERENCES[0] ?? {}, AS_DIFFERENCES[2] ?? {}],
      `removes ${TWO}, which no line before it has`,
    ],
    ['a wrong count', [{ ...AS_CATALOGS[0], count: 2 }], 'has 2 entries by its count, but 1 by the lines so far'],
  ])('rejects a file with %s, and stores nothing', async (_what, lines, sentence) => {
    expect(await importHistory(harness, lines)).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining(sentence),
    })
    expect(await listStored()).toEqual([])
  })

  it('downloads nothing, and says how to import the file', async () => {
    expect(await harness.run(kevHistoryFeed())).toMatchObject({
      outcome: 'succeeded',
      read: 0,
      notices: [expect.stringContaining('vis-server sync kev-history --from DIR')],
    })
  })
})
