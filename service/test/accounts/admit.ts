// Test program that charges calls as fast as it can and reports the results. admissions.ts starts four copies of it.
import { randomUUIDv7 } from 'node:crypto'
import { type Charge, type ChargeResult, chargeBatch, refundBatch } from '../../src/accounts/credits/charge-batch.ts'
import { createMeter, MeterUnavailableError, type SendCharges } from '../../src/accounts/credits/meter.ts'
import { createRefunds } from '../../src/accounts/credits/refunds.ts'
import { openStatementConnections, type RunStatement } from '../../src/database/statement-connections.ts'
import { issueAdmission } from './admission.ts'

export interface AdmitOrder {
  readonly databaseUrl: string
  readonly admissions: number
  readonly accountIds: readonly string[]
  /** Share of charge batches whose reply is discarded after the database has committed the batch. */
  readonly cutReplies: number
}

export interface AdmitReport {
  readonly chargedHalf: Readonly<Record<string, number>>
  readonly charged: number
  readonly exceeded: number
  readonly unavailable: number
  readonly batches: number
  readonly cut: number
}

const COSTS = [1, 2, 4, 10, 70]
const IN_FLIGHT = 400

process.once('message', (order: AdmitOrder) => {
  void admit(order).then((report) => process.send?.(report, () => process.exit(0)))
})

async function admit(order: AdmitOrder): Promise<AdmitReport> {
  const limits = { connections: 3, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000, acquireTimeoutMs: 10_000 }
  const connections = openStatementConnections(order.databaseUrl, 'admit', limits, () => {})
  const seen = {
    charged: 0,
    exceeded: 0,
    unavailable: 0,
    batches: 0,
    cut: 0,
    chargedHalf: {} as Record<string, number>,
  }
  const refunds = createRefunds(
    (calls) => refundBatch(connections.run, calls),
    () => {},
  )
  const meter = createMeter(sendCuttingReplies(connections.run, order.cutReplies, seen), refunds)
  const payers = await readPayers(order)
  let left = order.admissions
  const callRepeatedly = async () => {
    while (left > 0) {
      left -= 1
      const charge = createRandomCharge(payers)
      const outcome = await settleCharge(meter.charge(charge))
      seen[outcome] += 1
      if (outcome === 'charged')
        seen.chargedHalf[charge.accountId] = (seen.chargedHalf[charge.accountId] ?? 0) + charge.costHalf
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, callRepeatedly))
  await refunds.drain(60_000)
  await connections.close()
  return seen
}

function sendCuttingReplies(
  run: RunStatement,
  cutReplies: number,
  seen: { batches: number; cut: number },
): SendCharges {
  const wasCut = new WeakSet<readonly Charge[]>()
  return async (charges) => {
    const results = await chargeBatch(run, charges)
    seen.batches += 1
    // The reply to a batch is discarded at most once; the reply to the retried batch is returned.
    if (Math.random() >= cutReplies || wasCut.has(charges)) return results
    wasCut.add(charges)
    seen.cut += 1
    throw new Error('Connection terminated unexpectedly')
  }
}

interface Payer {
  readonly accountId: string
  readonly admission: string
}

function readPayers({ databaseUrl, accountIds }: AdmitOrder): Promise<readonly Payer[]> {
  return Promise.all(
    accountIds.map(async (accountId) => ({ accountId, admission: await issueAdmission(databaseUrl, accountId) })),
  )
}

function createRandomCharge(payers: readonly Payer[]): Charge {
  const payer = payers[Math.floor(Math.random() * payers.length)] ?? { accountId: '', admission: '' }
  const costHalf = COSTS[Math.floor(Math.random() * COSTS.length)] ?? 1
  return { requestId: randomUUIDv7(), ...payer, keyId: '1', endpoint: 'engine', costHalf }
}

async function settleCharge(result: Promise<ChargeResult>): Promise<'charged' | 'exceeded' | 'unavailable'> {
  try {
    const { outcome } = await result
    return outcome === 'exceeded' ? 'exceeded' : 'charged'
  } catch (error) {
    if (error instanceof MeterUnavailableError) return 'unavailable'
    throw error
  }
}
