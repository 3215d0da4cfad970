// The two statements that move credits. Each is one transaction in the database, and idempotent by request id.
import { sql } from 'kysely'
import { fixedStatement } from '../database/fixed-statement.ts'
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

interface Row {
  readonly decided: number
  /** Verdicts other than the usual one, which is not worth a word: `charged`. */
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

/** Of a charge, in the order of the function's parameters. */
const MEMBERS = ['requestId', 'accountId', 'keyId', 'endpoint', 'costHalf'] as const

const chargeStatement = fixedStatement(sql<Row>`
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

/** One verdict for each charge, in the same order. */
export async function chargeBatch(db: Database, charges: readonly Charge[]): Promise<Verdict[]> {
  const [row] = await chargeStatement(
    db,
    MEMBERS.map((member) => listOf(charges, member)),
  )
  if (row?.decided !== charges.length) throw new Error(`${charges.length} charges were sent, ${row?.decided} decided`)
  const others = new Map(row.others?.map((other) => [other.item, other]))
  return charges.map((_, index) => verdictOf(others.get(index + 1)))
}

/** As PostgreSQL reads an array: ids, numbers and names of ours, in which nothing needs to be escaped. */
function listOf(charges: readonly Charge[], member: keyof Charge): string {
  return `{${charges.map((charge) => charge[member]).join(',')}}`
}

const CHARGED: Settled = { outcome: 'charged' }

function verdictOf(other: Other | undefined): Verdict {
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
