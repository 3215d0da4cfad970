// P and M: statements of the service through the driver that the service uses, with nothing around them, as many at once
// as there are callers. Told over IPC what to do and for how long; answers how often it did it.
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { deserialize } from 'node:v8'
import { Pool } from 'pg'
import { chargeBatch } from '../../../src/accounts/charge-batch.ts'
import { createMeter } from '../../../src/accounts/meter.ts'
import { openPool } from '../../../src/database/postgres.ts'
import type { Statement } from '../statement.ts'

export interface Materials {
  readonly url: string
  readonly accountsUrl: string
  readonly statements: Readonly<Record<string, readonly Statement[]>>
  /** Who is charged. */
  readonly accounts: readonly { readonly accountId: string; readonly keyId: string }[]
}

/** `what`: a name of `statements`, or 'charge'. */
export interface Order {
  readonly what: string
  readonly callers: number
  readonly ms: number
}

export interface Done {
  readonly calls: number
  readonly seconds: number
}

const [, , file = ''] = argv
const materials: Materials = deserialize(readFileSync(file))
/** As many connections as the service has for reading. */
const pool = new Pool({ connectionString: materials.url, max: 10 })
const PATIENT = { statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const meterPool = openPool(
  materials.accountsUrl,
  'bench',
  { ...PATIENT, poolSize: 3, preparesStatements: true },
  () => {},
)
const meter = createMeter((charges) => chargeBatch(meterPool.db, charges), { add: async () => {} })

process.on('message', (order: Order) => void obey(order))
process.send?.('ready')

async function obey({ what, callers, ms }: Order): Promise<void> {
  const work = what === 'charge' ? charge : query(materials.statements[what] ?? [])
  process.send?.(await repeat(work, callers, ms))
}

function query(statements: readonly Statement[]): (turn: number) => Promise<unknown> {
  return (turn) => {
    const { sql, parameters } = statements[turn % statements.length] ?? { sql: '', parameters: [] }
    return pool.query(sql, [...parameters])
  }
}

function charge(turn: number): Promise<unknown> {
  const { accounts } = materials
  const whom = accounts[turn % accounts.length] ?? { accountId: '', keyId: '' }
  return meter.charge({ requestId: randomUUIDv7(), ...whom, endpoint: 'get-cve', costHalf: 10 })
}

async function repeat(work: (turn: number) => Promise<unknown>, callers: number, ms: number): Promise<Done> {
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
