// What the columns in memory cost a publication (ADR 0032): 10,000 changed CVEs are published with and without the
// triggers that write catalog.column_change, in turns.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { openDatabaseCpu } from '../../../service/test/support/load/cpu.ts'
import { median } from '../../../service/test/support/load/percentile.ts'
import { WORKER_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { runMeasuredCommand } from '../../../service/test/support/processes/measured-command.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { CHANGED, changeRecords } from './changed-records.ts'

const folder = realData('the cost of the columns in memory for publications')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const PAIRS = 5
const MAX_RATIO = 1.1
/**
 * It takes 1 to 2 ms. A statement whose plan computed the staged columns of all CVEs of a chunk for each of them took 74 ms,
 * on a catalog whose change log had one row, as after a first load.
 */
const MAX_DATABASE_MS_PER_CVE = 10

const TRIGGERED_TABLES = `
  select distinct tgrelid::regclass::text as name from pg_trigger where tgfoid = 'catalog.note_column_change'::regproc
`

interface Publication {
  readonly seconds: number
  readonly databaseSeconds: number
}

describe.skipIf(folder === undefined)('The triggers for the columns in memory', () => {
  it(`slow a publication of ${CHANGED} changed CVEs by at most a tenth`, { timeout: 1_800_000 }, async () => {
    const url = await openWholeCatalog(folder ?? '')
    const client = new Client({ connectionString: url })
    await client.connect()
    cleanUpAfterTests(() => client.end())
    const cpu = await openDatabaseCpu(url)
    cleanUpAfterTests(() => cpu.close())
    cpu.add(new URL(url).pathname.slice(1))
    const { rows: tables } = await client.query<{ name: string }>(TRIGGERED_TABLES)
    expect(tables).toHaveLength(4)

    const publish = async (turn: number, triggers: 'enable' | 'disable'): Promise<Publication> => {
      for (const { name } of tables) await client.query(`alter table ${name} ${triggers} trigger user`)
      await client.query(changeRecords(turn))
      await client.query('checkpoint')
      const cpuBefore = await cpu.read()
      const run = await runMeasuredCommand(['catalog', 'publish', '--json', ...NOW], {
        DATABASE_URL: url,
        NODE_ENV: 'test',
        NODE_OPTIONS: WORKER_ARGUMENTS.join(' '),
      })
      const databaseSeconds = (await cpu.read()) - cpuBefore
      expect(JSON.parse(run.stdout)).toMatchObject({ changed: CHANGED })
      process.stdout.write(
        `triggers ${triggers}d: ${run.seconds.toFixed(1)} s, PostgreSQL ${databaseSeconds.toFixed(1)} s of processor time\n`,
      )
      expect((1000 * databaseSeconds) / CHANGED).toBeLessThan(MAX_DATABASE_MS_PER_CVE)
      return { seconds: run.seconds, databaseSeconds }
    }

    const pairs: (readonly [Publication, Publication])[] = []
    for (let pair = 0; pair < PAIRS; pair += 1)
      pairs.push([await publish(2 * pair, 'disable'), await publish(2 * pair + 1, 'enable')])
    const compare = (title: string, member: keyof Publication) => {
      const ratios = pairs.map(([plain, triggered]) => triggered[member] / plain[member])
      process.stdout.write(`${title}, with against without: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}\n`)
      return median(ratios)
    }
    expect(compare('duration', 'seconds')).toBeLessThanOrEqual(MAX_RATIO)
    expect(compare('processor time of PostgreSQL', 'databaseSeconds')).toBeLessThanOrEqual(MAX_RATIO)
  })
})
