import { expect, it } from 'vitest'
import { startLedgerMaintenance } from '../../src/accounts/credits/ledger-maintenance.ts'
import { openPool } from '../../src/database/postgres.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { runStatements } from '../support/run-statements.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'ledger-maintenance', limits, () => {})
cleanUpAfterTests(() => pool.close())

it('Ledger maintenance finishes, and reports the error, if old sessions cannot be deleted', async () => {
  await runStatements(
    url,
    `create or replace function accounts.delete_old_sessions() returns integer language plpgsql as
     $$ begin raise exception 'sessions cannot be deleted'; end $$`,
  )
  const errors: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    const maintenance = startLedgerMaintenance(pool.db, { onDone: resolve, onError: (error) => errors.push(error) })
    cleanUpAfterTests(() => maintenance.stop())
    setTimeout(reject, 10_000, new Error('the maintenance is not finished')).unref()
  })

  expect(errors.map(String)).toEqual([expect.stringContaining('sessions cannot be deleted')])
})
