import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chargeBatch, refundBatch } from '../../src/accounts/charge-batch.ts'
import { openPool } from '../../src/database/postgres.ts'
import { account } from '../support/builders.ts'
import { atEnd } from '../support/cleanup.ts'
import { testDatabase } from '../support/database.ts'
import { readBooks } from '../support/ledger-assertions.ts'

const { url } = await testDatabase()
const limits = { poolSize: 4, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
const pool = openPool(url, 'races', limits, () => {})
atEnd(() => pool.close())
const { db } = pool

async function aCall() {
  const payer = account('enterprise').withQuota(100)
  await payer.store(db)
  return { requestId: randomUUIDv7(), accountId: payer.id, keyId: '1', endpoint: 'race', costHalf: 10 }
}

const bookOf = async (accountId: string) => (await readBooks(db)).find((book) => book.accountId === accountId)

describe('A refund', () => {
  it('that overtakes its charge keeps it from counting', async () => {
    const call = await aCall()
    await refundBatch(db, [call])
    const [verdict] = await chargeBatch(db, [call])
    expect(verdict?.outcome).toBe('refunded')
    expect(await bookOf(call.accountId)).toMatchObject({ usedHalf: 0, charges: 0 })
  })

  it("waits for an account's first charge that is still under way, and undoes it", async () => {
    const call = await aCall()
    let refund: Promise<void> | undefined
    await db.transaction().execute(async (tx) => {
      await chargeBatch(tx, [call])
      refund = refundBatch(db, [call])
      // Long enough for a refund that does not wait to be over.
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    await refund
    expect(await bookOf(call.accountId)).toMatchObject({ usedHalf: 0, charges: 1, refunds: 1 })
  })

  it('sent twice, or beside its twin, gives back once', async () => {
    const call = await aCall()
    await chargeBatch(db, [call])
    await Promise.all([refundBatch(db, [call]), refundBatch(db, [call, call])])
    expect(await bookOf(call.accountId)).toMatchObject({ usedHalf: 0, ledgerHalf: 0, refunds: 1 })
  })
})

describe('A charge', () => {
  it('sent twice takes once, and says so', async () => {
    const call = await aCall()
    const outcomes = [...(await chargeBatch(db, [call])), ...(await chargeBatch(db, [call]))].map(
      ({ outcome }) => outcome,
    )
    expect(outcomes).toEqual(['charged', 'charged before'])
    expect(await bookOf(call.accountId)).toMatchObject({ usedHalf: 10, charges: 1 })
  })

  it('that is too large does not block a smaller one behind it', async () => {
    const call = await aCall()
    const batch = [195, 10, 5].map((costHalf) => ({ ...call, costHalf, requestId: randomUUIDv7() }))
    const verdicts = await chargeBatch(db, batch)
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['charged', 'exceeded', 'charged'])
    expect(verdicts[1]).toMatchObject({ usedHalf: 200, limitHalf: 200 })
  })
})
