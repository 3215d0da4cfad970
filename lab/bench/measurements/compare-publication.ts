// Compares the duration of publications by two checkouts of this repository, each on its own copy of one database:
//
//   node lab/bench/measurements/compare-publication.ts --other DIR --server URL --template NAME [--pairs 10]
//
// DIR: the other checkout, with its packages installed. URL: the server's database `postgres`, with a superuser login.
// NAME: a database with the whole catalog, migrated no further than the older checkout; no client may be connected.
// In each turn both publish the same 20,000 changed records of NVD, one after the other, and the order alternates.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openDatabaseCpu, readOwnCpuSeconds } from '../../../service/test/support/load/cpu.ts'
import { median } from '../../../service/test/support/load/percentile.ts'
import { WORKER_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { buildDatabaseUrl, runStatements } from '../../../service/test/support/run-statements.ts'
import { CHANGED, changeRecords } from './changed-records.ts'

const OWN_CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
/** Each call of changeRecords changes CHANGED records. */
const CHANGES_PER_TURN = 2
/** After a first load the log has one row, which plans depend on. */
const FILL_LOG = `
  insert into catalog.change (cve_key, kind, types)
  select cve_key, 'changed', '{updated}' from catalog.cve order by cve_key desc limit 50000`
const NOW = ['--now', '2026-08-22T23:59:59Z']

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    server: { type: 'string' },
    template: { type: 'string' },
    pairs: { type: 'string', default: '10' },
  },
})
const { other, server, template } = values
if (!other || !server || !template) throw new Error('--other, --server and --template are needed; see the first lines')

interface Side {
  readonly name: string
  readonly checkout: string
  readonly url: string
}

interface Publication {
  readonly seconds: number
  /** Processor time. */
  readonly node: number
  readonly postgres: number
}

async function runCommand({ checkout, url }: Side, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(checkout, 'service/bin/vis-server.js'), ...args], {
    cwd: checkout,
    env: {
      NODE_ENV: 'test',
      NODE_OPTIONS: WORKER_ARGUMENTS.join(' '),
      DATABASE_URL: url,
      DATABASE_OWNER_URL: url,
      ACCOUNTS_DATABASE_URL: url,
      ACCOUNTS_DATABASE_OWNER_URL: url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`vis-server ${args.join(' ')} failed: ${output}`)
  return output
}

async function openSide(name: string, checkout: string): Promise<Side> {
  const database = `vis_compare_${name}`
  await runStatements(
    server ?? '',
    `drop database if exists ${database} with (force)`,
    `create database ${database} template ${template}`,
  )
  const side = { name, checkout, url: buildDatabaseUrl(server ?? '', database) }
  await runCommand(side, ['migrate'])
  // Publishes what new rules queue, and what is left in the queue.
  await runCommand(side, ['catalog', 'publish', ...NOW])
  await runStatements(side.url, FILL_LOG, 'vacuum (analyze)')
  return side
}

async function publish(side: Side, turn: number): Promise<Publication> {
  const client = new Client({ connectionString: side.url })
  await client.connect()
  for (let part = 0; part < CHANGES_PER_TURN; part += 1)
    await client.query(changeRecords(CHANGES_PER_TURN * turn + part))
  await client.query('checkpoint')
  await client.end()
  const cpu = await openDatabaseCpu(side.url)
  cpu.add(new URL(side.url).pathname.slice(1))
  const [postgresBefore, nodeBefore, startedAt] = [await cpu.read(), readOwnCpuSeconds(), performance.now()]
  const { changed } = JSON.parse(await runCommand(side, ['catalog', 'publish', '--json', ...NOW]))
  const seconds = (performance.now() - startedAt) / 1000
  const measured = { seconds, node: readOwnCpuSeconds() - nodeBefore, postgres: (await cpu.read()) - postgresBefore }
  await cpu.close()
  if (changed < CHANGED) throw new Error(`${side.name} published only ${changed} CVEs`)
  return measured
}

const sides = [await openSide('other', other), await openSide('own', OWN_CHECKOUT)] as const
const pairs: (readonly [other: Publication, own: Publication])[] = []
for (let turn = 0; turn < Number(values.pairs); turn += 1) {
  const first = turn % 2
  const [one, two] = [await publish(sides[first ? 1 : 0], turn), await publish(sides[first ? 0 : 1], turn)]
  const pair = first ? ([two, one] as const) : ([one, two] as const)
  pairs.push(pair)
  const [before, after] = pair
  console.log(
    `pair ${turn + 1}: ${before.seconds.toFixed(1)} s, ${after.seconds.toFixed(1)} s; PostgreSQL ` +
      `${before.postgres.toFixed(1)} s, ${after.postgres.toFixed(1)} s of processor time`,
  )
}
for (const member of ['seconds', 'node', 'postgres'] as const) {
  const ratios = pairs.map(([before, after]) => after[member] / before[member])
  console.log(
    `${member}: median ratio ${median(ratios).toFixed(3)} (${ratios.map((each) => each.toFixed(2)).join(', ')})`,
  )
}
for (const { url } of sides) await runStatements(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`)
