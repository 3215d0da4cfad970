// The two SQL statements that charge and refund credits. Each statement is one transaction. Sending a charge or refund
// again with the same request id has no further effect.
//
// Each statement also sets how its own commit waits for the disk and the replicas (CHARGE_COMMIT). A startup option of
// the connection would not work: a connection pooler in transaction mode ignores it, or gives the session to other
// clients. PostgreSQL reads the setting when it commits, so its position in the statement does not matter, and `true`
// limits it to the transaction. Reading the setting costs less than setting it to the same value.
import { defineStatement, type RunStatement } from '../../database/statement-connections.ts'
import { type ChargeCommit, DEFAULT_CHARGE_COMMIT } from '../../domain/account/charge-commit.ts'

export interface Call {
  /** Id of the API request: the UUID that the response shows as meta.correlationId. */
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  /** Issued by the lookup of the caller's key or session. Without it, the database neither charges nor refunds the account. */
  readonly admission: string
}

export interface Charge extends Call {
  readonly costHalf: number
}

export type ChargeResult = Settled | Exceeded

interface Settled {
  /**
   * Outcome of a charge. `refunded` means that a refund with the same request id arrived before the charge, so nothing
   * is charged. `not admitted`: the admission has expired or was not issued for this account and key.
   */
  readonly outcome: 'charged' | 'charged before' | 'refunded' | 'not admitted'
}

interface Exceeded {
  readonly outcome: 'exceeded'
  readonly usedHalf: number
  readonly limitHalf: number
  readonly resetAt: Date
  /** Seconds until `resetAt`, according to the database clock. */
  readonly waitSeconds: number
}

type Other = { readonly item: number } & ({ readonly verdict: Settled['outcome'] } | ExceededOther)

interface ExceededOther {
  readonly verdict: Exceeded['outcome']
  readonly used_half: number
  readonly limit_half: number
  readonly reset_at: number
  readonly wait_seconds: number
}

/** Returns how many charges were decided, and only the results that are not `charged`, to keep the row small. */
const CHARGE = defineStatement(`
  select count(*),
         json_agg(
           json_build_object(
             'item', item,
             'verdict', verdict,
             'used_half', used_half,
             'limit_half', limit_half,
             'reset_at', extract(epoch from (period + interval '1 month') at time zone 'utc'),
             'wait_seconds', ceil(extract(epoch from (period + interval '1 month') at time zone 'utc' - now()))
           )
         ) filter (where verdict <> 'charged'),
         case when current_setting('synchronous_commit') <> $7 then set_config('synchronous_commit', $7, true) end
    from accounts.charge_batch($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::integer[], $6::uuid[])
`)

const REFUND = defineStatement(`
  select accounts.refund_batch($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::uuid[]),
         case when current_setting('synchronous_commit') <> $6 then set_config('synchronous_commit', $6, true) end
`)

/** Returns one result for each charge, in the order of the charges. */
export async function chargeBatch(
  run: RunStatement,
  charges: readonly Charge[],
  commit: ChargeCommit = DEFAULT_CHARGE_COMMIT,
): Promise<ChargeResult[]> {
  const costs = toArrayLiteral(charges.map(({ costHalf }) => costHalf))
  const values = [...formatCalls(charges), costs, formatAdmissions(charges), commit]
  const [[decided, others] = []] = await run(CHARGE, values)
  if (Number(decided) !== charges.length) throw new Error(`${charges.length} charges were sent, ${decided} decided`)
  if (typeof others !== 'string') return charges.map(() => CHARGED)
  const parsed: readonly Other[] = JSON.parse(others)
  const byItem = new Map(parsed.map((other) => [other.item, other]))
  return charges.map((_, index) => toChargeResult(byItem.get(index + 1)))
}

function formatCalls(calls: readonly Call[]): string[] {
  return [
    toArrayLiteral(calls.map(({ requestId }) => requestId)),
    toArrayLiteral(calls.map(({ accountId }) => accountId)),
    toArrayLiteral(calls.map(({ keyId }) => keyId)),
    toArrayLiteral(calls.map(({ endpoint }) => endpoint)),
  ]
}

function formatAdmissions(calls: readonly Call[]): string {
  return toArrayLiteral(calls.map(({ admission }) => admission))
}

/** Formats a PostgreSQL array. The elements are ids, numbers and endpoint names, so nothing needs escaping. */
function toArrayLiteral(elements: readonly (string | number)[]): string {
  return `{${elements.join(',')}}`
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

export async function refundBatch(
  run: RunStatement,
  calls: readonly Call[],
  commit: ChargeCommit = DEFAULT_CHARGE_COMMIT,
): Promise<void> {
  await run(REFUND, [...formatCalls(calls), formatAdmissions(calls), commit])
}
