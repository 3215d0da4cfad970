import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Charge, chargeBatch, refundBatch } from '../../../src/accounts/credits/charge-batch.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { createTestDatabase } from '../../support/database.ts'
import { readBalances } from '../../support/ledger-assertions.ts'
import { readRows } from '../../support/run-statements.ts'
import { issueAdmission } from '../admission.ts'
import { openTestStatements } from '../statements.ts'
import { createStore } from './store.ts'
import { createWorld, type World } from './world.ts'

const SEQUENCES = 25
const LIMITS_HALF = [15, 40]

const database = await createTestDatabase()
const { run } = openTestStatements(database.url, 1)

/** Sends charges and refunds for a few calls in random order, so that most calls are sent several times. */
async function compareSequence(world: World): Promise<void> {
  const accounts = await readRows(
    database.url,
    "insert into accounts.account (name, plan, limit_half) select 'simulated', 'enterprise', unnest($1::bigint[]) returning id",
    [LIMITS_HALF],
  )
  const ids: readonly string[] = accounts.map(({ id }) => id)
  const admissions = new Map<string, string>()
  for (const id of ids) admissions.set(id, await issueAdmission(database.url, id))
  const store = createStore(new Map(ids.map((id, n) => [id, LIMITS_HALF[n] ?? 0])), () => 0)
  const calls: readonly Charge[] = Array.from({ length: 12 }, () => {
    const [costHalf, accountId] = [world.between(1, 12), world.pick(ids)]
    const admission = admissions.get(accountId) ?? ''
    return { requestId: randomUUID(), accountId, keyId: '1', endpoint: 'test', costHalf, admission }
  })
  for (let n = 0; n < 12; n += 1) {
    const batch = calls.filter(() => world.random() < 0.35)
    if (batch.length === 0) continue
    if (world.random() < 0.3) {
      await refundBatch(run, batch)
      store.refund(batch)
      continue
    }
    const [stored, modelled] = [await chargeBatch(run, batch), store.charge(batch)]
    expect(stored.map(({ outcome }) => outcome)).toEqual(modelled.map(({ outcome }) => outcome))
  }
  await compareBalances(ids, (id) => [store.usedHalf(id, 0), store.ledgerHalf(id, 0)])
}

async function compareBalances(ids: readonly string[], readModel: (id: string) => readonly number[]): Promise<void> {
  const limits = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
  const pool = openPool(database.url, 'store', limits, () => {})
  try {
    const balances = (await readBalances(pool.db)).filter(({ accountId }) => ids.includes(accountId))
    for (const { accountId, usedHalf, ledgerHalf } of balances)
      expect([usedHalf, ledgerHalf]).toEqual(readModel(accountId))
  } finally {
    await pool.close()
  }
}

describe('Model of the database in the simulation', () => {
  it(`decides charges and refunds as PostgreSQL does in ${SEQUENCES} random sequences`, async () => {
    for (let seed = 1; seed <= SEQUENCES; seed += 1) await compareSequence(createWorld(seed))
  })
})
