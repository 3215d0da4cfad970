import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { maintainLedger } from '../../src/accounts/credits/ledger-maintenance.ts'
import { openPool } from '../../src/database/postgres.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { readRows, runStatements } from '../support/run-statements.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'ledger-maintenance', limits, () => {})
cleanUpAfterTests(() => pool.close())

describe('Ledger maintenance', () => {
  it('creates the partitions of the next days', async () => {
    await runStatements(url, `drop table accounts.ledger_${tomorrow()}`)

    await maintainLedger(pool.db, new AbortController().signal)

    const [row] = await readRows(url, `select to_regclass('accounts.ledger_${tomorrow()}') is not null as exists`)
    expect(row).toEqual({ exists: true })
  })

  it('fails while a transaction may still add charges to a past day, so that its job is tried again', async () => {
    await runStatements(url, 'update accounts.usage_rolled_up set before_day = before_day - 1')
    const writer = new Client({ connectionString: url })
    await writer.connect()
    await writer.query('begin')
    await writer.query('lock table accounts.ledger in row exclusive mode')
    const maintain = () => maintainLedger(pool.db, new AbortController().signal)

    await expect(maintain()).rejects.toThrow('may still add charges to a past day')
    await writer.end()
    await maintain()
  })

  it('creates only a limited number of partitions, whatever its caller asks for', async () => {
    const [row] = await readRows(url, 'select accounts.prepare_ledger(1000) as made')
    expect(row.made).toBeLessThanOrEqual(61)
  })
})

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '_')
}
