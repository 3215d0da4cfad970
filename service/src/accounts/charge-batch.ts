// The two SQL statements that charge and refund credits. Each statement is one transaction. Sending a charge or refund
// again with the same request id has no further effect.
import { sql } from 'kysely'
import { createFixedStatement } from '../database/fixed-statement.ts'
import type { Database } from '../database/postgres.ts'

export interface Call {
  /** Id of the API request: the UUID that the response shows as meta.correlationId. */
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
}

export interface Charge extends Call {
  readonly costHalf: number
}

export type ChargeResult = Settled | Exceeded

interface Settled {
  /**
   * Outcome of a charge. `refunded` means that a refund with the same request id arrived before the charge, so nothing
   * is charged.
   */
  readonly outcome: 'charged' | 'charged before' | 'refunded'
}

interface Exceeded {
  readonly outcome: 'exceeded'
  /** Half credits that the account has used in this month, including this batch of charges. */
  readonly usedHalf: number
  readonly limitHalf: number
  /** First instant of the next month, when the used credits are reset. */
  readonly resetAt: Date
  /** Seconds until `resetAt`, according to the database clock. */
  readonly waitSeconds: number
}

interface Row {
  /** Number of charges in the batch for which the database returned a result. */
  readonly decided: number
  /**
   * Results of all charges whose outcome is not `charged`. Nearly all charges have the outcome `charged` and are left
   * out to keep the row small.
   */
  readonly others: readonly Other[] | null
}

type Other = { readonly item: number } & ({ readonly verdict: Settled['outcome'] } | ExceededOther)

interface ExceededOther {
  readonly verdict: Exceeded['outcome']
  readonly used_half: number
  readonly limit_half: number
  readonly reset_at: number
  readonly wait_seconds: number
}

/** Fields of a charge, in the order of the parameters of the SQL function accounts.charge_batch. */
const FIELDS = ['requestId', 'accountId', 'keyId', 'endpoint', 'costHalf'] as const

const chargeStatement = createFixedStatement(sql<Row>`
  select count(*)::integer as decided,
         json_agg(
           json_build_object(
             'item', item,
             'verdict', verdict,
             'used_half', used_half,
             'limit_half', limit_half,
             'reset_at', extract(epoch from (period + interval '1 month') at time zone 'utc'),
             'wait_seconds', ceil(extract(epoch from (period + interval '1 month') at time zone 'utc' - now()))
           )
         ) filter (where verdict <> 'charged') as others
    from accounts.charge_batch(
           ${'request ids'}::uuid[],
           ${'accounts'}::bigint[],
           ${'keys'}::bigint[],
           ${'endpoints'}::text[],
           ${'costs'}::integer[]
         )
`)

/** Returns one result for each charge, in the order of the charges. */
export async function chargeBatch(db: Database, charges: readonly Charge[]): Promise<ChargeResult[]> {
  const [row] = await chargeStatement(
    db,
    FIELDS.map((field) => toArrayLiteral(charges, field)),
  )
  if (row?.decided !== charges.length) throw new Error(`${charges.length} charges were sent, ${row?.decided} decided`)
  const others = new Map(row.others?.map((other) => [other.item, other]))
  return charges.map((_, index) => toChargeResult(others.get(index + 1)))
}

/**
 * Formats one field of all charges as a PostgreSQL array. The fields are ids, numbers and endpoint names, so nothing
 * needs escaping.
 */
function toArrayLiteral(charges: readonly Charge[], field: keyof Charge): string {
  return `{${charges.map((charge) => charge[field]).join(',')}}`
}

const CHARGED: Settled = { outcome: 'charged' }

function toChargeResult(other: Other | undefined): ChargeResult {
  if (!other) return CHARGED
  if (other.verdict !== 'exceeded') return { outcome: other.verdict }
  return {
    outcome: other.verdict,
    usedHalf: other.used_half,
    limitHalf: other.limit_half,
    resetAt: new Date(other.reset_at * 1000),
    waitSeconds: other.wait_seconds,
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
