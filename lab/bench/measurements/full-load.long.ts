import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { runBareLoad } from '../bare/load.ts'
import { createChangedCopy } from './changed-copy.ts'

const folder = realData('the benchmark of a full load')

interface FeedLine {
  readonly feed: string
  readonly outcome: string
  readonly read: number
  readonly written: number
  readonly rejected: number
}

async function sync(url: string, from: string) {
  const environment = { DATABASE_URL: url, NODE_ENV: 'test' }
  const run = await runMeasuredCommand(
    ['sync', '--no-publish', '--from', from, '--json', '--now', '2026-08-22T23:59:59Z'],
    environment,
  )
  process.stdout.write(run.stderr)
  const lines: FeedLine[] = JSON.parse(run.stdout || '[]')
  process.stdout.write(`${run.seconds.toFixed(1)} s, ${run.peakMegabytes.toFixed(0)} MB: ${JSON.stringify(lines)}\n`)
  const findFeed = (feed: string) => lines.find((line) => line.feed === feed)
  return { ...run, findFeed, written: lines.reduce((sum, { written }) => sum + written, 0) }
}

describe.skipIf(folder === undefined)('vis-server sync with the real data', () => {
  const from = folder ?? ''

  it('stores all records within 512 MB of memory and 3 times the duration of a plain COPY; later syncs write only changes', async () => {
    const { url } = await createTestDatabase()
    const bareBefore = await runBareLoad(url, from)
    const first = await sync(url, from)
    const bareAfter = await runBareLoad(url, from)
    const ratio = first.seconds / ((bareBefore + bareAfter) / 2)
    process.stdout.write(
      `full load: ${first.seconds.toFixed(1)} s; bare ${bareBefore.toFixed(1)} and ${bareAfter.toFixed(1)} s; ratio ${ratio.toFixed(2)}; peak ${first.peakMegabytes.toFixed(0)} MB\n`,
    )

    expect(first.findFeed('nvd')).toMatchObject({ outcome: 'succeeded', read: 221_687, written: 221_687, rejected: 0 })
    expect(first.findFeed('cve')).toMatchObject({ outcome: 'succeeded', read: 62_862, written: 62_862, rejected: 0 })
    expect(first.findFeed('kev')).toMatchObject({ outcome: 'succeeded', read: 1674, written: 1674, rejected: 0 })
    expect(first.findFeed('epss')).toMatchObject({ outcome: 'succeeded', read: 360_142, written: 360_142, rejected: 0 })
    expect(first.peakMegabytes).toBeLessThanOrEqual(512)
    expect(ratio).toBeLessThanOrEqual(3)

    expect((await sync(url, from)).written).toBe(0)

    const changed = await createChangedCopy(from)
    const third = await sync(url, changed.folder)
    for (const [feed, count] of Object.entries(changed.counts)) expect(third.findFeed(feed)?.written, feed).toBe(count)
  })
})
