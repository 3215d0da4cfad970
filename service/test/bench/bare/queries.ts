// Process of the benchmark baselines P (SQL statements of reads) and M (charges). The process runs the service's SQL
// statements through the service's driver, without HTTP and with one query per caller at a time. It receives tasks over
// IPC and sends back the number of completed calls.
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { deserialize } from 'node:v8'
import { Pool } from 'pg'
import { chargeBatch } from '../../../src/accounts/charge-batch.ts'
import { createMeter } from '../../../src/accounts/meter.ts'
import { openStatementConnections } from '../../../src/database/statement-connections.ts'
import type { Statement } from '../search/capture-statement.ts'

export interface QueryData {
  readonly url: string
  readonly accountsUrl: string
  readonly statements: Readonly<Record<string, readonly Statement[]>>
  /** Accounts that the task `charge` charges, with their API key ids. */
  readonly accounts: readonly { readonly accountId: string; readonly keyId: string }[]
}

export interface QueryTask {
  /** Name of a list of SQL statements in `statements`, or 'charge' for the task that charges accounts. */
  readonly name: string
  readonly callers: number
  readonly ms: number
}

export interface QueryTaskResult {
  readonly calls: number
  readonly seconds: number
}

const [, , file = ''] = argv
const data: QueryData = deserialize(readFileSync(file))
/** The connection pool has 10 connections, as the service's pool for reads does. */
const pool = new Pool({ connectionString: data.url, max: 10 })
const TIMEOUTS = { statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const connections = openStatementConnections(data.accountsUrl, 'bench', { ...TIMEOUTS, connections: 3 }, () => {})
const meter = createMeter((charges) => chargeBatch(connections.run, charges), { add: async () => {} })

process.on('message', (task: QueryTask) => void runTask(task))
process.send?.('ready')

async function runTask({ name, callers, ms }: QueryTask): Promise<void> {
  const work = name === 'charge' ? charge : createQuery(data.statements[name] ?? [])
  process.send?.(await repeat(work, callers, ms))
}

function createQuery(statements: readonly Statement[]): (turn: number) => Promise<unknown> {
  return (turn) => {
    const { sql, parameters } = statements[turn % statements.length] ?? { sql: '', parameters: [] }
    return pool.query(sql, [...parameters])
  }
}

function charge(turn: number): Promise<unknown> {
  const { accounts } = data
  const payer = accounts[turn % accounts.length] ?? { accountId: '', keyId: '' }
  return meter.charge({ requestId: randomUUIDv7(), ...payer, endpoint: 'get-cve', costHalf: 10 })
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
