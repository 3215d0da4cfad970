import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const folder = realData('the benchmark of one day of EPSS')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const EPSS_FILE = 'epss_scores-2026-08-15.csv.gz'

async function openClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanUpAfterTests(() => client.end())
  return client
}

/** Writes an EPSS file for the next day, in which every score is a little higher. */
async function writeNextDay(from: string): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'vis-epss-'))
  cleanUpAfterTests(() => rm(target, { recursive: true, force: true }))
  const [head = '', names = '', ...rows] = gunzipSync(await readFile(join(from, EPSS_FILE)))
    .toString()
    .trim()
    .split('\n')
  const raised = rows.map((row) => {
    const [id = '', score = '', percentile = ''] = row.split(',')
    return [id, (Number(score) * 0.999 + 0.0005).toFixed(5), percentile].join(',')
  })
  const dated = head.replace(/score_date:[^,]*/, 'score_date:2026-08-16T12:00:00Z')
  await writeFile(join(target, 'epss_scores-2026-08-16.csv'), [dated, names, ...raised, ''].join('\n'))
  return target
}

/**
 * Reads all EPSS scores repeatedly and counts the reads in which some scores are of the first day and some of the
 * second.
 */
async function watchDays(client: Client, isOver: () => boolean) {
  let [reads, mixed] = [0, 0]
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
    // A few EPSS scores are equal on both days after rounding, so a read counts as mixed only above 1,000 scores of
    // each day.
    if (seen && Number(seen.same) > 1000 && Number(seen.other) > 1000) mixed += 1
    reads += 1
    await sleep(5)
  }
  return { reads, mixed, days: [...days] }
}

describe.skipIf(folder === undefined)('Publication of new EPSS scores for the whole catalog', () => {
  it('replaces all scores atomically in less than 10 s, without rendering a CVE document again', async () => {
    const url = await openWholeCatalog(folder ?? '')
    const client = await openClient(url)
    const run = (args: readonly string[]) => runMeasuredCommand(args, { DATABASE_URL: url, NODE_ENV: 'test' })
    // Publishes all queued CVEs, so that the measured publication contains only EPSS scores.
    await run(['catalog', 'publish', ...NOW])
    await client.query('create table day_one as select cve_key, score from catalog.epss')
    await run(['sync', 'epss', '--no-publish', '--from', await writeNextDay(folder ?? ''), ...NOW])
    const documents = 'select sum(xmin::text::bigint) as written from catalog.cve_document'
    const before = (await client.query(documents)).rows
    // CVEs whose EPSS score crosses 0.1 are queued, so that their documents are rendered again. The queue is emptied,
    // so that the measured publication contains only scores.
    await client.query('delete from source.publication_queue')
    let isOver = false
    const watching = watchDays(await openClient(url), () => isOver)
    const published = await run(['catalog', 'publish', '--json', ...NOW])
    isOver = true
    const { reads, mixed, days } = await watching
    process.stdout.write(
      `EPSS scores of a day: ${published.seconds.toFixed(1)} s including the start of the process; ${published.stdout.trim()}; a reader read ${reads} times and saw ${days.join(', ')}; mixed ${mixed}\n`,
    )
    expect(published.seconds).toBeLessThan(10)
    expect(mixed).toBe(0)
    expect((await client.query(documents)).rows).toEqual(before)
    expect(days).toEqual(['2026-08-15', '2026-08-16'])
  }, 1_800_000)
})
