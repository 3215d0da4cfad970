// The history of EPSS scores with the real scores of weekly crawls, imported by the feed epss-history from files of single
// days. Prints a table of lab/docs/epss-history.md.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compactMonths } from '../../../service/src/catalog/epss-history/compact-months.ts'
import { storePastDays } from '../../../service/src/catalog/epss-history/store-past-days.ts'
import { withPublishLock } from '../../../service/src/catalog/publish-lock.ts'
import { toCveId } from '../../../service/src/domain/cve-id.ts'
import { decodeMonth } from '../../../service/src/domain/epss-series/codec.ts'
import { addDays, toMonth } from '../../../service/src/domain/epss-series/days.ts'
import { epssHistoryFeed } from '../../../service/src/feeds/sources/epss/history/feed.ts'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { createFeedHarness } from '../../../service/test/feeds/feed-harness.ts'
import { insertBareCves } from '../../../service/test/support/catalog/bare-cves.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { readWeeks, writeDailyFiles } from './weekly-epss.ts'

const data = realData('the history of the real EPSS scores of 45 weeks', 'data-more')
const folder = join(data ?? '', 'epss')

const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Scores and percentiles of all weeks by CVE, in units of 0.00001: -1 for none. */
interface Expected {
  readonly days: readonly string[]
  readonly scores: ReadonlyMap<string, Int32Array>
  readonly percentiles: ReadonlyMap<string, Int32Array>
}

async function readExpected(days: readonly string[]): Promise<Expected> {
  const [scores, percentiles] = [new Map<string, Int32Array>(), new Map<string, Int32Array>()]
  for await (const { day, changed } of readWeeks(folder)) {
    const week = days.indexOf(day)
    for (const list of scores.values()) list[week] = list[week - 1] ?? -1
    for (const { id, score, percentile } of changed) {
      if (!scores.has(id)) {
        scores.set(id, new Int32Array(days.length).fill(-1))
        percentiles.set(id, new Int32Array(days.length).fill(-1))
      }
      scores.get(id)?.fill(score, week, week + 1)
      percentiles.get(id)?.fill(percentile, week, week + 1)
    }
  }
  return { days, scores, percentiles }
}

async function open() {
  const target = await mkdtemp(join(tmpdir(), 'vis-epss-weeks-'))
  cleanUpAfterTests(() => rm(target, { recursive: true, force: true }))
  const feeds = await createFeedHarness()
  const catalog = await createCatalogHarness(feeds.url)
  return { target, feeds, catalog, expected: await readExpected(await writeDailyFiles(folder, target)) }
}

type Setup = Awaited<ReturnType<typeof open>>

async function importAll({ target, feeds, catalog, expected }: Setup): Promise<void> {
  const times = [performance.now()]
  const feed = epssHistoryFeed({ baseUrl: 'https://epss.example/', daysPerRun: 31, pauseMs: 0 })
  expect(await feeds.run(feed, { from: target })).toMatchObject({ outcome: 'succeeded', rejected: 0 })
  times.push(performance.now())
  await insertBareCves(catalog.context.session.db, [...expected.scores.keys()])
  times.push(performance.now())
  let count: number
  do count = await withPublishLock(catalog.context, (tx) => storePastDays(catalog.context.session, tx))
  while (count > 0)
  times.push(performance.now())
  await withPublishLock(catalog.context, compactMonths)
  times.push(performance.now())
  const [reading, , adding, compacting] = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 1000)
  print(
    `${expected.days.length} days: read in ${reading?.toFixed(1)} s, added in ${adding?.toFixed(1)} s, compacted in ${compacting?.toFixed(1)} s`,
  )
}

/** Compares the stored scores of a CVE in a month with the expected ones, and returns the number of its days. */
function compareMonth({ days, scores, percentiles }: Expected, row: StoredRow): number {
  const id = toCveId(row.key)
  const values = decodeMonth(row).flatMap((value, at) => (value ? [{ day: addDays(row.month, at), ...value }] : []))
  for (const { day, score, percentile } of values) {
    const week = days.indexOf(day)
    if (score !== scores.get(id)?.[week] || (percentile ?? -1) !== percentiles.get(id)?.[week])
      expect.fail(`${id} has ${score} and ${percentile} on ${day}`)
  }
  return values.length
}

interface StoredRow {
  readonly key: string
  readonly month: string
  readonly scores: Buffer
  readonly percentiles: Buffer
}

/** Returns the moves between two days as the publisher keeps them: the 5,000 largest in each direction. */
function findMoves({ days, scores }: Expected, from: string, to: string) {
  const [first, last] = [days.indexOf(from), days.indexOf(to)]
  const moves = [...scores].flatMap(([id, list]) => {
    const [before = -1, after = -1] = [list[first], list[last]]
    return before < 0 || after < 0 || before === after ? [] : [{ id, before, after }]
  })
  const largest = (direction: number) =>
    moves
      .filter(({ before, after }) => Math.sign(after - before) === direction)
      .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || compareIds(b, a))
      .slice(0, 5000)
  return [...largest(1), ...largest(-1)].toSorted(compareIds)
}

function compareIds(one: { readonly id: string }, other: { readonly id: string }): number {
  const [, year, number] = one.id.split('-')
  const [, otherYear, otherNumber] = other.id.split('-')
  return Number(year) - Number(otherYear) || Number(number) - Number(otherNumber)
}

interface MonthSize {
  readonly name: string
  readonly rows: number
  readonly scores: number
  readonly percentiles: number
  readonly heap: number
  readonly total: number
}

const SELECT_SIZES = `
  select tableoid::regclass::text as name, count(*)::int as rows, sum(octet_length(scores))::int as scores,
         sum(octet_length(percentiles))::int as percentiles, pg_relation_size(tableoid)::int as heap,
         pg_total_relation_size(tableoid)::int as total
    from catalog.epss_series group by tableoid order by 1`

function formatSize({ name, rows, scores, percentiles, heap, total }: MonthSize, days: readonly string[]): string {
  const month = name.slice(-'YYYY_MM'.length).replace('_', '-')
  const count = days.filter((day) => day.startsWith(month)).length
  const perRow = [scores, percentiles].map((bytes) => (bytes / rows).toFixed(1))
  const sizes = [heap, total].map((bytes) => (bytes / 1_000_000).toFixed(1))
  return `| ${[month, count, rows.toLocaleString('en'), ...perRow, ...sizes].join(' | ')} |`
}

describe.skipIf(data === undefined)('History of the real EPSS scores', async () => {
  if (data === undefined) return
  const setup = await open()
  const { catalog, expected } = setup
  const { days, scores } = expected

  it('has every score and percentile of every CVE and day, and nothing else', async () => {
    await importAll(setup)
    const stored = await catalog.selectRows('select day::text, model_version as model from catalog.epss_day order by 1')
    expect(stored).toEqual(days.map((day) => ({ day, model: null })))
    let count = 0
    for (const month of new Set(days.map(toMonth))) {
      const rows = await catalog.selectRows<StoredRow>(
        `select cve_key::text as key, month::text, scores, percentiles from catalog.epss_series where month = '${month}'`,
      )
      for (const row of rows) count += compareMonth(expected, row)
    }
    expect(count).toBe([...scores.values()].reduce((sum, list) => sum + list.filter((score) => score >= 0).length, 0))
  })

  it('has the same movers as a comparison of all scores on both days', async () => {
    const windows = await catalog.selectRows<{ days: number; from: string; to: string }>(
      'select days, from_day::text as from, to_day::text as to from catalog.epss_mover_window order by 1',
    )
    expect(windows.map(({ days: length }) => length)).toEqual([1, 7, 30])
    for (const { days: length, from, to } of windows) {
      expect([from, to]).toEqual([days.findLast((day) => day <= addDays(to, -length)), days.at(-1)])
      const stored = await catalog.selectRows<{ id: string; before: number; after: number }>(`
        select catalog.cve_id(cve_key) as id, old_score as before, new_score as after
          from catalog.epss_mover where days = ${length}
      `)
      expect(stored.toSorted(compareIds)).toEqual(findMoves(expected, from, to))
      print(`movers of ${length} days, ${from} to ${to}: ${stored.length} rows`)
    }
  })

  it('shows the size of each month', async () => {
    const sizes = await catalog.selectRows<MonthSize>(SELECT_SIZES)
    print('| Month | Days | Rows | Bytes of scores | Bytes of percentiles | Table, MB | With index, MB |')
    print(['|---|---|---|---|---|---|---|', ...sizes.map((size) => formatSize(size, days))].join('\n'))
    expect(sizes).toHaveLength(new Set(days.map(toMonth)).size)
  })
})
