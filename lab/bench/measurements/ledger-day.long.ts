// Measures the ledger at 40 million calls a day: the roll-up of a day, the size of a call, and the charge with few and
// with all partitions. PostgreSQL must run on this machine, because its memory is read from /proc.
import { randomUUIDv7 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { chargeBatch } from '../../../service/src/accounts/credits/charge-batch.ts'
import { openStatementConnections } from '../../../service/src/database/statement-connections.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { readRows } from '../../../service/test/support/run-statements.ts'

const CALLS = 40_000_000
const ACTIVE_ACCOUNTS = 10_000
const MAX_PORTION_MS = 60_000
const MAX_MEMORY_MB = 200
const TURNS = 7
const BATCHES = 300
const BATCH_SIZE = 32

async function openClient(): Promise<{ url: string; client: Client }> {
  const { url } = await createTestDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanUpAfterTests(() => client.end())
  await client.query(
    `insert into accounts.account (name, plan, limit_half)
     select 'Account ' || n, 'enterprise', 2000000000 from generate_series(1, ${ACTIVE_ACCOUNTS}) n`,
  )
  return { url, client }
}

/** Stores the calls of yesterday, evenly spread, every twentieth of them refunded 40 ms later. */
async function storeYesterday(client: Client): Promise<string> {
  await client.query(`
    insert into accounts.ledger (at, account_id, key_id, request_id, period, day, cost_half, kind, endpoint)
    select at, 1, 1, gen_random_uuid(), date_trunc('month', at)::date, at, 2, 'charge', 'get-cve'
      from (select (now() at time zone 'utc')::date - 1 as at) yesterday`)
  await client.query('select accounts.prepare_ledger()')
  const { rows } = await client.query(
    "select name, to_char(day, 'YYYY-MM-DD') as day from accounts.ledger_days() order by day limit 1",
  )
  const { name, day } = rows[0]
  await client.query(`
    insert into accounts.${name} (at, account_id, key_id, request_id, period, day, cost_half, kind, endpoint)
    select at + delay, account, account * 2 + n % 2,
           (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0')
             || '7' || substr(code, 1, 3) || '8' || substr(code, 4, 15))::uuid,
           date_trunc('month', date '${day}'), '${day}', (array[2, 10, 2, 4, 70])[n % 5 + 1], kind,
           (array['list-cves', 'get-cve', 'get-kev', 'get-recent', 'batch'])[n % 5 + 1]
      from (
             select n, timestamptz '${day} 00:00:00+00' + n * (interval '1 day' / ${CALLS}) as at,
                    n::bigint * 7919 % ${ACTIVE_ACCOUNTS} + 1 as account, md5(n::text) as code
               from generate_series(0, ${CALLS - 1}) n
             offset 0
           ) call
     cross join lateral (
             select 'charge'::accounts.ledger_kind as kind, interval '0' as delay
              union all
             select 'refund', '40 ms' where n % 20 = 7
           ) entry`)
  await client.query(`update accounts.usage_rolled_up set before_day = '${day}'`)
  await client.query(`vacuum (analyze) accounts.${name}`)
  return name
}

/** Runs the roll-up to its end and returns the time and the largest memory of each portion. */
async function measureRollUp(client: Client) {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  let memoryKb = 0
  const timer = setInterval(() => {
    const [, kb] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8')) ?? []
    memoryKb = Math.max(memoryKb, Number(kb))
  }, 50)
  const portionsMs: number[] = []
  for (;;) {
    const started = performance.now()
    const { rows: results } = await client.query('select accounts.roll_up_portion() as result')
    if (results[0].result === 'done') break
    portionsMs.push(Math.round(performance.now() - started))
  }
  clearInterval(timer)
  return { portionsMs, totalMs: portionsMs.reduce((sum, ms) => sum + ms, 0), memoryMb: Math.round(memoryKb / 1024) }
}

async function measureCharges(url: string): Promise<number> {
  const limits = { connections: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 }
  const statements = openStatementConnections(url, 'charges', limits, () => {})
  const payers: readonly { accountId: string; admission: string }[] = await readRows(
    url,
    `select id as "accountId", accounts.issue_admission(id, 1, now() + interval '1 day') as admission from accounts.account`,
  )
  const choosePayer = () => payers[Math.floor(Math.random() * payers.length)] ?? { accountId: '', admission: '' }
  const chargeOnce = () =>
    chargeBatch(
      statements.run,
      Array.from({ length: BATCH_SIZE }, () => ({
        requestId: randomUUIDv7(),
        ...choosePayer(),
        keyId: '1',
        endpoint: 'get-cve',
        costHalf: 10,
      })),
    )
  for (let batch = 0; batch < 20; batch += 1) await chargeOnce()
  const started = performance.now()
  for (let batch = 0; batch < BATCHES; batch += 1) await chargeOnce()
  const ms = (performance.now() - started) / BATCHES
  await statements.close()
  return ms
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

describe('Ledger with 40 million calls a day', () => {
  it('is rolled up in portions of less than a minute each', { timeout: 3_600_000 }, async () => {
    const { client } = await openClient()
    const name = await storeYesterday(client)
    const { rows } = await client.query(
      `select pg_total_relation_size('accounts.${name}') / count(*)::float8 as bytes from accounts.${name}`,
    )

    const report = await measureRollUp(client)

    process.stdout.write(`ledger day: ${JSON.stringify({ bytesPerRow: rows[0].bytes, ...report })}\n`)
    const { rows: sums } = await client.query('select sum(calls)::integer as calls from accounts.usage_daily')
    expect(sums[0].calls).toBe(CALLS * 0.95 + 1)
    expect(Math.max(...report.portionsMs)).toBeLessThan(MAX_PORTION_MS)
    expect(report.memoryMb).toBeLessThan(MAX_MEMORY_MB)
  })
})

describe('Charge with 40 attached partitions', () => {
  it('takes at most 1.15 times as long as with 5 partitions', { timeout: 600_000 }, async () => {
    const [few, all] = [await openClient(), await openClient()]
    await all.client.query('select accounts.prepare_ledger(38)')
    const times: { few: number[]; all: number[] } = { few: [], all: [] }
    for (let turn = 0; turn < TURNS; turn += 1) {
      times.few.push(await measureCharges(few.url))
      times.all.push(await measureCharges(all.url))
    }
    const ratio = median(times.all) / median(times.few)
    process.stdout.write(`charge with 40 partitions: ${JSON.stringify({ ...times, ratio })}\n`)
    expect(ratio).toBeLessThan(1.15)
  })
})
