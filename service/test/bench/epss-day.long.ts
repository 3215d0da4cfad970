import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { wholeCatalog } from '../support/catalog/whole-catalog.ts'
import { atEnd } from '../support/cleanup.ts'
import { sharedData } from '../support/shared-data.ts'
import { measuredCommand } from './measured-command.ts'

const folder = sharedData('a day of EPSS')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const EPSS_FILE = 'epss_scores-2026-08-15.csv.gz'

async function openClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  return client
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
  for (let isLast = false; !isLast; ) {
    isLast = isOver()
    const { rows } = await client.query<{ day: string; same: string; other: string }>(`
      select release.scored_at::date::text as day,
             count(*) filter (where epss.score is not distinct from day_one.score) as same,
             count(*) filter (where epss.score is distinct from day_one.score) as other
        from catalog.epss_release release, catalog.epss
        join day_one using (cve_key)
       where day_one.score is not null
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

describe.skipIf(folder === undefined)('A day of EPSS on the whole catalog', () => {
  it('is published in one go, and no document is rendered again', async () => {
    const url = await wholeCatalog(folder ?? '')
    const client = await openClient(url)
    const run = (args: readonly string[]) => measuredCommand(args, { DATABASE_URL: url, NODE_ENV: 'test' })
    // Whatever waits, waits no more; then there is nothing but the scores.
    await run(['catalog', 'publish', ...NOW])
    await client.query('create table day_one as select cve_key, score from catalog.epss')
    await run(['sync', 'epss', '--no-publish', '--from', await nextDay(folder ?? ''), ...NOW])
    const documents = 'select sum(xmin::text::bigint) as written from catalog.cve_document'
    const before = (await client.query(documents)).rows
    // Those that cross 0.1 are concluded again, for their detail records; here only the scores are published.
    await client.query('delete from source.publication_queue')
    let isOver = false
    const watching = watchDays(await openClient(url), () => isOver)
    const published = await run(['catalog', 'publish', '--json', ...NOW])
    isOver = true
    const { looks, mixed, days } = await watching
    process.stdout.write(
      `a day of EPSS: ${published.seconds.toFixed(1)} s with the start of the process; ${published.stdout.trim()}; a reader looked ${looks} times and saw ${days.join(', ')}; mixed ${mixed}\n`,
    )
    expect(published.seconds).toBeLessThan(10)
    expect(mixed).toBe(0)
    expect((await client.query(documents)).rows).toEqual(before)
    expect(days).toEqual(['2026-08-15', '2026-08-16'])
  }, 1_800_000)
})
