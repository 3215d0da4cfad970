// What the database says about credits, summed up independently of the functions that keep it.
import { sql } from 'kysely'
import type { Database } from '../../src/database/postgres.ts'

export interface Book {
  readonly accountId: string
  readonly usedHalf: number
  readonly limitHalf: number
  readonly ledgerHalf: number
  readonly charges: number
  readonly refunds: number
}

/** One row per account and month that the meter or the ledger knows. */
export async function readBooks(db: Database): Promise<Book[]> {
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

/** Σ ledger = meter ≤ limit, for everybody (invariants I1 and I2). Returns what breaks it. */
export async function brokenBooks(db: Database): Promise<Book[]> {
  return (await readBooks(db)).filter((book) => book.ledgerHalf !== book.usedHalf || book.usedHalf > book.limitHalf)
}
