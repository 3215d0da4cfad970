import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chargeBatch, refundBatch } from '../../src/accounts/credits/charge-batch.ts'
import { openPool } from '../../src/database/postgres.ts'
import { account } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { readBalances } from '../support/ledger-assertions.ts'
import { issueAdmission } from './admission.ts'
import { openTestStatements, unprepared } from './statements.ts'

const { url } = await createTestDatabase()
const limits = { poolSize: 4, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'races', limits, () => {})
cleanUpAfterTests(() => pool.close())
const { db } = pool
const { run } = openTestStatements(url, 2)

async function createCharge() {
  const payer = account('enterprise').withQuota(100)
  await payer.store(db)
  const admission = await issueAdmission(url, payer.id)
  return { requestId: randomUUIDv7(), accountId: payer.id, keyId: '1', admission, endpoint: 'race', costHalf: 10 }
}

const readBook = async (accountId: string) => (await readBalances(db)).find((book) => book.accountId === accountId)

describe('accounts.refund_batch', () => {
  it('cancels a charge that arrives after the refund for the same call', async () => {
    const call = await createCharge()
    await refundBatch(run, [call])
    const [result] = await chargeBatch(run, [call])
    expect(result?.outcome).toBe('refunded')
    expect(await readBook(call.accountId)).toMatchObject({ usedHalf: 0, charges: 0 })
  })

  it('waits until a charge to the same account is committed, and then refunds it', async () => {
    const call = await createCharge()
    const transaction = openTestStatements(url, 1)
    await transaction.run(unprepared('begin'), [])
    await chargeBatch(transaction.run, [call])
    const refund = refundBatch(run, [call])
    // Leaves the charge uncommitted for 300 ms. A refund that does not wait for the commit would finish in this time.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await transaction.run(unprepared('commit'), [])
    await refund
    expect(await readBook(call.accountId)).toMatchObject({ usedHalf: 0, charges: 1, refunds: 1 })
  })

  it('refunds a call once when its refund is sent several times', async () => {
    const call = await createCharge()
    await chargeBatch(run, [call])
    await Promise.all([refundBatch(run, [call]), refundBatch(run, [call, call])])
    expect(await readBook(call.accountId)).toMatchObject({ usedHalf: 0, ledgerHalf: 0, refunds: 1 })
  })
})

describe('accounts.charge_batch', () => {
  it('charges a call once when its charge is sent twice', async () => {
    const call = await createCharge()
    const outcomes = [...(await chargeBatch(run, [call])), ...(await chargeBatch(run, [call]))].map(
      ({ outcome }) => outcome,
    )
    expect(outcomes).toEqual(['charged', 'charged before'])
    expect(await readBook(call.accountId)).toMatchObject({ usedHalf: 10, charges: 1 })
  })

  it('charges a small call after it has rejected a large call that exceeds the quota', async () => {
    const call = await createCharge()
    const batch = [195, 10, 5].map((costHalf) => ({ ...call, costHalf, requestId: randomUUIDv7() }))
    const results = await chargeBatch(run, batch)
    expect(results.map(({ outcome }) => outcome)).toEqual(['charged', 'exceeded', 'charged'])
    expect(results[1]).toMatchObject({ usedHalf: 200, limitHalf: 200 })
  })
})
