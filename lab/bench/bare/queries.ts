// Process of the benchmark baselines P (SQL statements of reads) and M (charges). The process runs the service's SQL
// statements through the service's driver, without HTTP and with one query per caller at a time. Like the service, it
// prepares the statements that are marked for it and uses the session settings of the service's pool for reads. It
// receives tasks over IPC and sends back the number of completed calls.
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { deserialize } from 'node:v8'
import { Pool } from 'pg'
import { type Charge, chargeBatch } from '../../../service/src/accounts/credits/charge-batch.ts'
import { createMeter, type SendCharges } from '../../../service/src/accounts/credits/meter.ts'
import { formatSessionOptions } from '../../../service/src/database/postgres.ts'
import { createStatementSender } from '../../../service/src/database/prepare.ts'
import { openStatementConnections } from '../../../service/src/database/statement-connections.ts'
import type { ChargeCommit } from '../../../service/src/domain/account/charge-commit.ts'
import { READ_SESSION_SETTINGS } from '../../../service/src/runtime/connections.ts'
import type { Statement } from '../../../service/test/support/search/capture-statement.ts'

export interface QueryData {
  readonly url: string
  readonly accountsUrl: string
  readonly commit: ChargeCommit
  readonly statements: Readonly<Record<string, readonly Statement[]>>
  /** Accounts that the task `charge` charges, with their API key ids. */
  readonly accounts: readonly { readonly accountId: string; readonly keyId: string; readonly admission: string }[]
}

export interface QueryTask {
  /** Name of a list of SQL statements in `statements`, or 'charge' for the task that charges accounts. */
  readonly name: string
  readonly callers: number
  /** Number of accounts that the task 'charge' charges in turn; the first ones of `accounts`. */
  readonly activeAccounts?: number
  /** Number of charges that the task 'charge' sends in each statement; without it, the meter forms the batches. */
  readonly batchSize?: number
  readonly ms: number
}

export interface QueryTaskResult {
  readonly calls: number
  readonly seconds: number
}

const [, , file = ''] = argv
const data: QueryData = deserialize(readFileSync(file))
/** The connection pool has 10 connections, as the service's pool for reads does. */
const pool = new Pool({
  connectionString: data.url,
  max: 10,
  options: formatSessionOptions(READ_SESSION_SETTINGS),
})
const sendStatement = createStatementSender()
const TIMEOUTS = { statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const connections = openStatementConnections(data.accountsUrl, 'bench', { ...TIMEOUTS, connections: 3 }, () => {})
const sendCharges: SendCharges = (charges) => chargeBatch(connections.run, charges, data.commit)
const meter = createMeter(sendCharges, { add: async () => {} })

process.on('message', (task: QueryTask) => void runTask(task))
process.send?.('ready')

async function runTask({ name, callers, activeAccounts, batchSize, ms }: QueryTask): Promise<void> {
  const accounts = data.accounts.slice(0, activeAccounts)
  if (batchSize !== undefined) {
    const { calls, seconds } = await repeat(createBatch(accounts, batchSize), callers, ms)
    process.send?.({ calls: calls * batchSize, seconds })
    return
  }
  const work = name === 'charge' ? createCharge(accounts) : createQuery(data.statements[name] ?? [])
  process.send?.(await repeat(work, callers, ms))
}

function createQuery(statements: readonly Statement[]): (turn: number) => Promise<unknown> {
  return async (turn) => {
    const { sql, parameters } = statements[turn % statements.length] ?? { sql: '', parameters: [] }
    const client = await pool.connect()
    try {
      return await sendStatement(client, sql, [...parameters])
    } finally {
      client.release()
    }
  }
}

type Accounts = QueryData['accounts']

const createCharge = (accounts: Accounts) => (turn: number) => meter.charge(buildCharge(accounts, turn))

/** Sends batches directly. Each batch charges the accounts that follow those of the batch before. */
function createBatch(accounts: Accounts, size: number): (turn: number) => Promise<unknown> {
  return (turn) => sendCharges(Array.from({ length: size }, (_, index) => buildCharge(accounts, turn * size + index)))
}

function buildCharge(accounts: Accounts, turn: number): Charge {
  const payer = accounts[turn % accounts.length] ?? { accountId: '', keyId: '', admission: '' }
  return { requestId: randomUUIDv7(), ...payer, endpoint: 'get-cve', costHalf: 10 }
}

async function repeat(work: (turn: number) => Promise<unknown>, callers: number, ms: number): Promise<QueryTaskResult> {
  const startedAt = performance.now()
  let calls = 0
  const loop = async () => {
    while (performance.now() - startedAt < ms) {
      calls += 1
      await work(calls)
    }
  }
  await Promise.all(Array.from({ length: callers }, loop))
  return { calls, seconds: (performance.now() - startedAt) / 1000 }
}
