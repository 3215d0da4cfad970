// Benchmark sections accounts and processes: compare get-cve with 1,000,000 accounts against 1,000 accounts, and with
// two processes against one.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { readCpuSeconds } from '../../../service/test/support/load/cpu.ts'
import { activateCallers, addCallers } from '../callers.ts'
import { addAccounts } from '../data/many-accounts.ts'
import { computeRatio, sumCost } from '../load/measure-in-turns.ts'
import { FEW_ACCOUNTS, MANY_ACCOUNTS, measureSides, type Section, summariseSides } from '../section.ts'
import type { BenchSetup } from '../setup.ts'
import { buildRequests } from './get-cve.ts'

const SMALL = 'all of 1,000 accounts active'

/**
 * Both sides of the comparison of account numbers have their own accounts database, share the catalog, and have 1,000
 * active accounts.
 */
export const accounts: Section = async (bench) => {
  const { setup, ids, isQuick } = bench
  const count = isQuick ? 20_000 : 1_000_000
  const large = `1,000 of ${count.toLocaleString('en')} accounts active`
  const few = await setup.createDatabase('few_accounts')
  const fewCallers = await addCallers(few, MANY_ACCOUNTS)
  const many = await setup.createDatabase('many_accounts')
  await addAccounts(many, count)
  const manyCallers = await activateCallers(many, MANY_ACCOUNTS)
  const [small, grown] = [
    await setup.serve({ ACCOUNTS_DATABASE_URL: few }),
    await setup.serve({ ACCOUNTS_DATABASE_URL: many }),
  ]
  const turns = await measureSides(bench, [
    { name: SMALL, servers: [small], requests: buildRequests({ ids, callers: fewCallers }) },
    { name: large, servers: [grown], requests: buildRequests({ ids, callers: manyCallers }) },
  ])
  await Promise.all([small.stop(), grown.stop()])
  return {
    measured: [
      { figure: 'manyAccounts', ratio: computeRatio(turns, (turn) => turn(large).perSecond / turn(SMALL).perSecond) },
    ],
    sides: summariseSides('accounts', turns),
    notes: [await measureAccountSize(many)],
  }
}

async function measureAccountSize(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(`
    select (pg_total_relation_size('accounts.account') + pg_total_relation_size('accounts.api_key')
            + pg_total_relation_size('accounts.meter')) / (select count(*) from accounts.account) as bytes
  `)
  await client.end()
  return `An account with its API key and, for every second account, a meter took ${rows[0]?.bytes} bytes with all indexes`
}

/** Each process has 64 callers of its own. */
export const processes: Section = async (bench) => {
  const { setup, ids } = bench
  const requests = buildRequests({ ids, callers: setup.callers.slice(0, FEW_ACCOUNTS) })
  const [first, second] = [await setup.serve(), await setup.serve()]
  const idlePrice = await measureIdlePrice(setup, [first.pid, second.pid])
  const turns = await measureSides(bench, [
    { name: 'one process', servers: [first], requests },
    { name: 'two processes', servers: [first, second], requests },
  ])
  await Promise.all([first.stop(), second.stop()])
  return {
    measured: [
      {
        figure: 'twoProcesses',
        ratio: computeRatio(turns, (turn) => sumCost(turn('one process')) / sumCost(turn('two processes'))),
      },
    ],
    sides: summariseSides('processes', turns),
    notes: [idlePrice],
  }
}

const IDLE_SECONDS = 10

/** Measures the processor time of processes without calls: the polling of the change log and of changed accounts. */
async function measureIdlePrice({ sharedCpu }: BenchSetup, pids: readonly number[]): Promise<string> {
  const readBoth = async () =>
    [pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0), await sharedCpu.postgres()] as const
  // The start of a process takes longer than the log line "serving" says: V8 still compiles.
  await sleep(IDLE_SECONDS * 500)
  const [ownBefore, postgresBefore] = await readBoth()
  await sleep(IDLE_SECONDS * 1000)
  const [own, postgres] = await readBoth()
  const [ownMs, postgresMs] = [own - ownBefore, postgres - postgresBefore].map((seconds) =>
    ((seconds * 1000) / IDLE_SECONDS / pids.length).toFixed(1),
  )
  return `An API process without calls cost ${ownMs} ms of processor time per second, and ${postgresMs} ms in PostgreSQL`
}
