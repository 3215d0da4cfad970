// The two statements that move credits. Each is one transaction in the database, and idempotent by request id.
import { sql } from 'kysely'
import type { Database } from '../database/postgres.ts'

export interface Call {
  /** The UUID in meta.correlationId. */
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
}

export interface Charge extends Call {
  readonly costHalf: number
}

export interface Verdict {
  /** `refunded`: it was given up on before it arrived; nothing is taken. */
  readonly outcome: 'charged' | 'charged before' | 'exceeded' | 'refunded'
  /** The account after the batch. */
  readonly usedHalf: number
  readonly limitHalf: number
  /** The first instant of the next month. */
  readonly resetAt: Date
  /** Until then, by the clock that decides. */
  readonly waitSeconds: number
}

interface Row {
  readonly verdict: Verdict['outcome']
  readonly used_half: string
  readonly limit_half: string
  readonly reset_at: Date
  readonly wait_seconds: number
}

/** One verdict for each charge, in the same order. */
export async function chargeBatch(db: Database, charges: readonly Charge[]): Promise<Verdict[]> {
  const { rows } = await sql<Row>`
    select verdict, used_half, limit_half,
           (period + interval '1 month') at time zone 'utc' as reset_at,
           ceil(extract(epoch from (period + interval '1 month') at time zone 'utc' - now()))::integer as wait_seconds
      from accounts.charge_batch(
             ${charges.map(({ requestId }) => requestId)}::uuid[],
             ${charges.map(({ accountId }) => accountId)}::bigint[],
             ${charges.map(({ keyId }) => keyId)}::bigint[],
             ${charges.map(({ endpoint }) => endpoint)}::text[],
             ${charges.map(({ costHalf }) => costHalf)}::integer[]
           )
     order by item
  `.execute(db)
  return rows.map((row) => ({
    outcome: row.verdict,
    usedHalf: Number(row.used_half),
    limitHalf: Number(row.limit_half),
    resetAt: row.reset_at,
    waitSeconds: row.wait_seconds,
  }))
}

export async function refundBatch(db: Database, calls: readonly Call[]): Promise<void> {
  await sql`
    select accounts.refund_batch(
             ${calls.map(({ requestId }) => requestId)}::uuid[],
             ${calls.map(({ accountId }) => accountId)}::bigint[],
             ${calls.map(({ keyId }) => keyId)}::bigint[],
             ${calls.map(({ endpoint }) => endpoint)}::text[]
           )
  `.execute(db)
}
