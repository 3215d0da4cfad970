// A model of the functions accounts.charge_batch and accounts.refund_batch, in memory. store.test.ts compares it with
// PostgreSQL.
import type { Call, Charge, ChargeResult } from '../../../src/accounts/credits/charge-batch.ts'

interface Entry {
  readonly accountId: string
  readonly period: number
  readonly costHalf: number
}

export interface Store {
  charge(charges: readonly Charge[]): readonly ChargeResult[]
  refund(calls: readonly Call[]): void
  /** Charges and refunds by request id. */
  readonly charges: ReadonlyMap<string, readonly Entry[]>
  readonly refunds: ReadonlyMap<string, readonly Entry[]>
  usedHalf(accountId: string, period: number): number
  /** Half credits of the charges minus those of the refunds in the ledger. */
  ledgerHalf(accountId: string, period: number): number
}

/** `readPeriod` returns the number of the month, according to the database clock. */
export function createStore(limitsHalf: ReadonlyMap<string, number>, readPeriod: () => number): Store {
  const [charges, refunds, used] = [new Map<string, Entry[]>(), new Map<string, Entry[]>(), new Map<string, number>()]
  const usedHalf = (accountId: string, period: number) => used.get(`${accountId} ${period}`) ?? 0
  const add = ({ accountId, period, costHalf }: Entry) =>
    void used.set(`${accountId} ${period}`, usedHalf(accountId, period) + costHalf)

  const chargeOne = ({ requestId, accountId, costHalf }: Charge): ChargeResult => {
    const [period, limitHalf] = [readPeriod(), limitsHalf.get(accountId) ?? 0]
    if (refunds.has(requestId)) return { outcome: 'refunded' }
    if (charges.has(requestId)) return { outcome: 'charged before' }
    const usedBefore = usedHalf(accountId, period)
    if (usedBefore + costHalf > limitHalf)
      return { outcome: 'exceeded', usedHalf: usedBefore, limitHalf, resetAt: new Date(0), waitSeconds: 1 }
    const entry = { accountId, period, costHalf }
    charges.set(requestId, [entry])
    add(entry)
    return { outcome: 'charged' }
  }

  const refundOne = ({ requestId, accountId }: Call) => {
    if (refunds.has(requestId)) return
    const charge = charges.get(requestId)?.[0]
    const entry = { accountId, period: charge?.period ?? readPeriod(), costHalf: charge?.costHalf ?? 0 }
    refunds.set(requestId, [...(refunds.get(requestId) ?? []), entry])
    add({ ...entry, costHalf: -entry.costHalf })
  }

  const sum = (entries: ReadonlyMap<string, readonly Entry[]>, accountId: string, period: number) =>
    [...entries.values()]
      .flat()
      .filter((entry) => entry.accountId === accountId && entry.period === period)
      .reduce((total, { costHalf }) => total + costHalf, 0)
  return {
    charge: (sent) => sent.map(chargeOne),
    refund: (sent) => sent.forEach(refundOne),
    charges,
    refunds,
    usedHalf,
    ledgerHalf: (accountId, period) => sum(charges, accountId, period) - sum(refunds, accountId, period),
  }
}
