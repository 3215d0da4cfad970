import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const folder = realData('the benchmark of a rebuild of the whole catalog')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const TABLES = ['cve', 'cve_document', 'cve_detail', 'epss', 'kev', 'change'] as const

async function openClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanUpAfterTests(() => client.end())
  return client
}

async function run(url: string, args: readonly string[]) {
  const measured = await runMeasuredCommand(args, { DATABASE_URL: url, NODE_ENV: 'test' })
  process.stdout.write(
    `${args.slice(0, 2).join(' ')}: ${measured.seconds.toFixed(1)} s, peak ${measured.peakMegabytes.toFixed(0)} MB ${measured.stderr.trim().split('\n').at(-1)}\n`,
  )
  return measured
}

/**
 * Copies the published catalog rows into tables with identical columns and indexes, and returns the duration in
 * seconds.
 */
async function runBareCopy(client: Client): Promise<number> {
  await client.query('drop schema if exists bare cascade')
  await client.query('create schema bare')
  for (const table of TABLES) await client.query(`create table bare.${table} (like catalog.${table} including all)`)
  const startedAt = performance.now()
  for (const table of TABLES)
    await client.query(`insert into bare.${table} overriding system value select * from catalog.${table} order by 1`)
  return (performance.now() - startedAt) / 1000
}

describe.skipIf(folder === undefined)('Rebuild of the whole catalog', () => {
  const from = folder ?? ''

  it('takes at most 3 times as long as copying the published rows in SQL, and writes no row when repeated', async () => {
    const { url } = await createTestDatabase()
    const client = await openClient(url)
    await run(url, ['sync', '--no-publish', '--from', from, ...NOW])
    const rebuilt = await run(url, ['catalog', 'rebuild', '--json', ...NOW])
    const bare = [await runBareCopy(client), await runBareCopy(client)]
    const ratio = rebuilt.seconds / ((bare[0] ?? 0) / 2 + (bare[1] ?? 0) / 2)
    process.stdout.write(
      `rebuild ${rebuilt.seconds.toFixed(1)} s; bare copies ${bare.map((seconds) => seconds.toFixed(1)).join(' and ')} s; ratio ${ratio.toFixed(2)}; ${rebuilt.stdout}`,
    )
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ added: 263_675, changed: 0, removed: 0 })
    expect(rebuilt.peakMegabytes).toBeLessThanOrEqual(512)
    expect(ratio).toBeLessThanOrEqual(3)

    const again = await run(url, ['catalog', 'rebuild', '--json', ...NOW])
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, changed: 0, removed: 0 })
  }, 3_600_000)
})
