// Reads the meter (credits used per month) and the ledger (one row per charge or refund) with a query of its own,
// independent of the SQL functions that write them.
import { sql } from 'kysely'
import type { Database } from '../../src/database/postgres.ts'

/** Credits of one account in one month. Amounts are in half credits. */
export interface AccountBalance {
  readonly accountId: string
  readonly usedHalf: number
  readonly limitHalf: number
  /** Sum of the charges minus the refunds of the account and month in the ledger. */
  readonly ledgerHalf: number
  readonly charges: number
  readonly refunds: number
}

/** Returns one balance per account and month that has a row in the meter or in the ledger. */
export async function readBalances(db: Database): Promise<AccountBalance[]> {
  const { rows } = await sql<{
    account_id: string
    used: string
    limit: string
    ledger: string
    charges: string
    refunds: string
  }>`
    select account_id, coalesce(meter.used_half, 0) as used, account.limit_half as "limit",
           coalesce(entries.half, 0) as ledger, coalesce(entries.charges, 0) as charges, coalesce(entries.refunds, 0) as refunds
      from accounts.meter meter
      full join (
             select account_id, period,
                    sum(case kind when 'charge' then cost_half else -cost_half end) as half,
                    count(*) filter (where kind = 'charge') as charges,
                    count(*) filter (where kind = 'refund' and cost_half > 0) as refunds
               from accounts.ledger
              group by account_id, period
           ) entries using (account_id, period)
      join accounts.account account on account.id = account_id
     order by account_id
  `.execute(db)
  return rows.map((row) => ({
    accountId: row.account_id,
    usedHalf: Number(row.used),
    limitHalf: Number(row.limit),
    ledgerHalf: Number(row.ledger),
    charges: Number(row.charges),
    refunds: Number(row.refunds),
  }))
}

/** Returns the balances that violate invariant I1 (sum of the ledger = meter) or I2 (meter ≤ limit). */
export async function findBrokenBalances(db: Database): Promise<AccountBalance[]> {
  const balances = await readBalances(db)
  return balances.filter(({ usedHalf, limitHalf, ledgerHalf }) => ledgerHalf !== usedHalf || usedHalf > limitHalf)
}
