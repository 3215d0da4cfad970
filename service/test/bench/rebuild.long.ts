import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../support/cleanup.ts'
import { testDatabase } from '../support/database.ts'
import { sharedData } from '../support/shared-data.ts'
import { measuredCommand } from './measured-command.ts'

const folder = sharedData('the rebuild of the whole catalog')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const TABLES = ['cve', 'cve_document', 'cve_detail', 'epss', 'kev', 'change'] as const

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

describe.skipIf(folder === undefined)('The whole catalog', () => {
  const from = folder ?? ''

  it('is rebuilt within three times a bare copy of its rows, and writes nothing when it is rebuilt again', async () => {
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
  }, 3_600_000)
})
