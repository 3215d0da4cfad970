// Measures what the check of admissions adds to a charge: the function of the migrations, and the same function without the
// check, take turns in one database. It reads the processor time of the PostgreSQL process, which other programs on the
// machine hardly change; PostgreSQL must run on this machine.
// Run it with: npx vitest run --project long lab/bench/measurements/admission-cost.long.ts
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'

const ACCOUNTS = 100
const ROUNDS = 41
const BATCHES = 50
const BATCH_SIZES = [1, 15, 64]

/** The check stands before the first statement of the function without it. */
const CHECK = / {2}select stored\.secret into signing[\s\S]*?(?= {2}select array_agg\(each\.id\) into unmetered)/

async function openClient(): Promise<Client> {
  const client = new Client({ connectionString: (await createTestDatabase()).url })
  await client.connect()
  cleanUpAfterTests(() => client.end())
  await client.query(
    `insert into accounts.account (name, plan, limit_half)
     select 'Account ' || n, 'enterprise', 2000000000 from generate_series(1, ${ACCOUNTS}) n`,
  )
  const { rows } = await client.query(
    "select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'accounts'::regnamespace and proname = 'charge_batch'",
  )
  const text = String(rows[0]?.text)
  if (!CHECK.test(text)) throw new Error('accounts.charge_batch has no check of admissions')
  const unchecked = text
    .replace('FUNCTION accounts.charge_batch', 'FUNCTION accounts.charge_unchecked')
    .replace(CHECK, '')
  await client.query(unchecked)
  return client
}

async function readAccounts(client: Client): Promise<readonly { id: string; admission: string }[]> {
  const { rows } = await client.query(
    "select id, accounts.issue_admission(id, 1, now() + interval '1 day') as admission from accounts.account order by id",
  )
  return rows
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

describe('Checking admissions', async () => {
  const client = await openClient()
  const accounts = await readAccounts(client)

  it.each(BATCH_SIZES)('is measured in batches of %i', { timeout: 600_000 }, async (size) => {
    const times = { charge_batch: [] as number[], charge_unchecked: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      // Every other round begins with the other function.
      const names = Object.keys(times).sort(() => (round % 2 === 0 ? 1 : -1)) as (keyof typeof times)[]
      for (const name of names) times[name].push(await measure(client, accounts, name, size))
    }
    const [checked, unchecked] = [median(times.charge_batch), median(times.charge_unchecked)]
    process.stdout.write(
      `batches of ${size}: ${checked.toFixed(1)} µs a call with the check, ${unchecked.toFixed(1)} without, ratio ${(checked / unchecked).toFixed(3)}\n`,
    )
  })
})

/** Sends some batches. Returns the processor time of the server in microseconds a call. */
async function measure(
  client: Client,
  accounts: readonly { id: string; admission: string }[],
  name: string,
  size: number,
): Promise<number> {
  const { rows: own } = await client.query('select pg_backend_pid() as pid')
  const readCpuNs = () => Number(readFileSync(`/proc/${own[0]?.pid}/schedstat`, 'utf8').split(' ', 1)[0])
  const text = `select count(*) filter (where verdict = 'charged') as charged from accounts.${name}($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::integer[], $6::uuid[])`
  const startedNs = readCpuNs()
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const payers = Array.from({ length: size }, (_, index) => accounts[(batch * size + index) % ACCOUNTS])
    const values = [
      payers.map(() => randomUUIDv7()),
      payers.map((payer) => payer?.id),
      payers.map(() => 1),
      payers.map(() => 'get-cve'),
      payers.map(() => 10),
      payers.map((payer) => payer?.admission),
    ]
    const { rows } = await client.query({ name: `${name} ${size}`, text, values })
    expect(Number(rows[0]?.charged)).toBe(size)
  }
  return (readCpuNs() - startedNs) / 1000 / BATCHES / size
}
