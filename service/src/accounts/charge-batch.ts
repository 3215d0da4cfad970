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

export type Verdict = Settled | Exceeded

interface Settled {
  /** `refunded`: it was given up on before it arrived; nothing is taken. */
  readonly outcome: 'charged' | 'charged before' | 'refunded'
}

interface Exceeded {
  readonly outcome: 'exceeded'
  /** The account after the batch. */
  readonly usedHalf: number
  readonly limitHalf: number
  /** The first instant of the next month. */
  readonly resetAt: Date
  /** Until then, by the clock that decides. */
  readonly waitSeconds: number
}

type Row = { readonly verdict: Settled['outcome'] } | ExceededRow

interface ExceededRow {
  readonly verdict: Exceeded['outcome']
  readonly used_half: string
  readonly limit_half: string
  readonly reset_at: Date
  readonly wait_seconds: number
}

/** One verdict for each charge, in the same order. */
export async function chargeBatch(db: Database, charges: readonly Charge[]): Promise<Verdict[]> {
  // The figures only for those who are refused: for all the others they would be made and read for nothing.
  const { rows } = await sql<Row>`
    select verdict, used_half, limit_half,
           case verdict when 'exceeded' then (period + interval '1 month') at time zone 'utc' end as reset_at,
           case verdict when 'exceeded' then
             ceil(extract(epoch from (period + interval '1 month') at time zone 'utc' - now()))::integer
           end as wait_seconds
      from accounts.charge_batch(
             ${charges.map(({ requestId }) => requestId)}::uuid[],
             ${charges.map(({ accountId }) => accountId)}::bigint[],
             ${charges.map(({ keyId }) => keyId)}::bigint[],
             ${charges.map(({ endpoint }) => endpoint)}::text[],
             ${charges.map(({ costHalf }) => costHalf)}::integer[]
           )
     order by item
  `.execute(db)
  return rows.map((row) => (row.verdict === 'exceeded' ? exceeded(row) : { outcome: row.verdict }))
}

function exceeded(row: ExceededRow): Exceeded {
  return {
    outcome: row.verdict,
    usedHalf: Number(row.used_half),
    limitHalf: Number(row.limit_half),
    resetAt: row.reset_at,
    waitSeconds: row.wait_seconds,
  }
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
