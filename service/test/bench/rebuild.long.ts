import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { testDatabase } from '../support/database.ts'
import { sharedData } from '../support/shared-data.ts'
import { measuredCommand } from './measured-command.ts'

const folder = sharedData('the rebuild of the whole catalog')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const TABLES = ['cve', 'cve_document', 'cve_detail', 'epss', 'kev', 'change'] as const
const EPSS_FILE = 'epss_scores-2026-08-15.csv.gz'

async function openClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  return client
}

async function run(url: string, args: readonly string[]) {
  const measured = await measuredCommand(args, { DATABASE_URL: url, NODE_ENV: 'test' })
  process.stdout.write(
    `${args.slice(0, 2).join(' ')}: ${measured.seconds.toFixed(1)} s, peak ${measured.peakMegabytes.toFixed(0)} MB ${measured.stderr.trim().split('\n').at(-1)}\n`,
  )
  return measured
}

/** The same finished rows into the same tables with the same indexes, and nothing else. */
async function bareCopy(client: Client): Promise<number> {
  await client.query('drop schema if exists bare cascade')
  await client.query('create schema bare')
  for (const table of TABLES) await client.query(`create table bare.${table} (like catalog.${table} including all)`)
  const startedAt = performance.now()
  for (const table of TABLES)
    await client.query(`insert into bare.${table} overriding system value select * from catalog.${table} order by 1`)
  return (performance.now() - startedAt) / 1000
}

/** The next day: every score a little higher. */
async function nextDay(from: string): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'vis-epss-'))
  atEnd(() => rm(target, { recursive: true, force: true }))
  const [head = '', names = '', ...rows] = gunzipSync(await readFile(join(from, EPSS_FILE)))
    .toString()
    .trim()
    .split('\n')
  const higher = rows.map((row) => {
    const [id = '', score = '', percentile = ''] = row.split(',')
    return [id, (Number(score) * 0.999 + 0.0005).toFixed(5), percentile].join(',')
  })
  const dated = head.replace(/score_date:[^,]*/, 'score_date:2026-08-16T12:00:00Z')
  await writeFile(join(target, 'epss_scores-2026-08-16.csv'), [dated, names, ...higher, ''].join('\n'))
  return target
}

/** How many scores are not of the day that is said to be published, at every look. */
async function watchDays(client: Client, isOver: () => boolean) {
  let [looks, mixed] = [0, 0]
  const days = new Set<string>()
  while (!isOver()) {
    const { rows } = await client.query<{ day: string; same: string; other: string }>(`
      select release.scored_at::date::text as day,
             count(*) filter (where epss.score is not distinct from day_one.score) as same,
             count(*) filter (where epss.score is distinct from day_one.score) as other
        from catalog.epss_release release, catalog.epss
        join day_one using (cve_key)
       group by 1
    `)
    const [seen] = rows
    if (seen) days.add(seen.day)
    // A few scores round to the same number on both days.
    if (seen && Number(seen.same) > 1000 && Number(seen.other) > 1000) mixed += 1
    looks += 1
    await sleep(5)
  }
  return { looks, mixed, days: [...days] }
}

describe.skipIf(folder === undefined)('The whole catalog', () => {
  const from = folder ?? ''

  it('is rebuilt within three times a bare copy of its rows, and a day of EPSS is published in one go', async () => {
    const { url } = await testDatabase()
    const client = await openClient(url)
    await run(url, ['sync', '--no-publish', '--from', from, ...NOW])
    const rebuilt = await run(url, ['catalog', 'rebuild', '--json', ...NOW])
    const bare = [await bareCopy(client), await bareCopy(client)]
    const ratio = rebuilt.seconds / ((bare[0] ?? 0) / 2 + (bare[1] ?? 0) / 2)
    process.stdout.write(
      `rebuild ${rebuilt.seconds.toFixed(1)} s; bare copies ${bare.map((each) => each.toFixed(1)).join(' and ')} s; ratio ${ratio.toFixed(2)}; ${rebuilt.stdout}`,
    )
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ added: 263_675, changed: 0, removed: 0 })
    expect(rebuilt.peakMegabytes).toBeLessThanOrEqual(512)
    expect(ratio).toBeLessThanOrEqual(3)

    const again = await run(url, ['catalog', 'rebuild', '--json', ...NOW])
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, changed: 0, removed: 0 })

    await client.query('create table day_one as select cve_key, score from catalog.epss')
    await run(url, ['sync', 'epss', '--no-publish', '--from', await nextDay(from), ...NOW])
    const documents = 'select sum(xmin::text::bigint) as written from catalog.cve_document'
    const before = (await client.query(documents)).rows
    // Those that cross 0.1 are concluded again, for their detail records; here only the scores are published.
    await client.query('delete from source.publication_queue')
    let isOver = false
    const watching = watchDays(await openClient(url), () => isOver)
    const published = await run(url, ['catalog', 'publish', '--json', ...NOW])
    isOver = true
    const { looks, mixed, days } = await watching
    process.stdout.write(
      `a day of EPSS: ${published.seconds.toFixed(1)} s with the start of the process; ${published.stdout.trim()}; a reader looked ${looks} times and saw ${days.join(', ')}; mixed ${mixed}\n`,
    )
    expect(published.seconds).toBeLessThan(10)
    expect(mixed).toBe(0)
    expect((await client.query(documents)).rows).toEqual(before)
  }, 3_600_000)
})
