// Measures what an idle process costs PostgreSQL per hour, for example with the owner's login:
//
//   node lab/chaos/jobs/idle-cost.ts postgres://127.0.0.1/vis 10 vis-server jobs
//
// The command gets the environment of this program. Nothing else may use the server meanwhile, because PostgreSQL counts
// its write-ahead log for all databases together. This program itself adds two statements. It imports nothing from the
// service, so that it can measure earlier versions too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** The start of the process is not measured. */
const WARM_UP_MS = 20_000
const HOUR_MS = 3_600_000

const DATABASE = `
  select xact_commit, xact_rollback, tup_returned, tup_fetched, tup_inserted, tup_updated, tup_deleted,
         wal_records, wal_fpi, wal_bytes
    from pg_stat_database, pg_stat_wal
   where datname = current_database()
`
const STATEMENTS = `
  select sum(calls) as calls, sum(total_exec_time) as exec_ms
    from pg_stat_statements
   where dbid = (select oid from pg_database where datname = current_database())
`

type Counters = ReadonlyMap<string, number>

async function readCounters(client: Client, hasStatements: boolean): Promise<Counters> {
  const counters = new Map<string, number>()
  for (const query of hasStatements ? [DATABASE, STATEMENTS] : [DATABASE]) {
    const { rows } = await client.query<Record<string, unknown>>(query)
    for (const [name, value] of Object.entries(rows[0] ?? {})) counters.set(name, Number(value))
  }
  return counters
}

async function measure(client: Client, ms: number): Promise<Counters> {
  const extension = await client.query("select from pg_extension where extname = 'pg_stat_statements'")
  const hasStatements = extension.rowCount === 1
  const before = await readCounters(client, hasStatements)
  const startedAt = performance.now()
  await sleep(ms)
  const after = await readCounters(client, hasStatements)
  const hours = (performance.now() - startedAt) / HOUR_MS
  return new Map([...after].map(([name, value]) => [name, (value - (before.get(name) ?? 0)) / hours]))
}

async function run(url: string, minutes: number, command: string, args: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // Its log would hide the result.
  const worker = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`the process ended with exit code ${code} during the measurement`)
  })
  try {
    await Promise.race([sleep(WARM_UP_MS), ended])
    const perHour = await Promise.race([measure(client, minutes * 60_000), ended])
    console.log(`per hour, measured for ${minutes} minutes: ${command} ${args.join(' ')}`)
    for (const [name, value] of perHour) console.log(`${name.padEnd(16)} ${Math.round(value)}`)
  } finally {
    ended.catch(() => {})
    worker.kill()
    await client.end()
  }
}

const [url, minutes, command, ...args] = process.argv.slice(2)
if (url === undefined || command === undefined || !(Number(minutes) > 0)) {
  console.error('Usage: node lab/chaos/jobs/idle-cost.ts DATABASE_URL MINUTES COMMAND [ARGUMENT...]')
  process.exitCode = 2
} else {
  await run(url, Number(minutes), command, args)
}
