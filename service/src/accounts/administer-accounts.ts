// Changes that operators make to accounts. The functions need the owner's connection, because the API's role may not
// change accounts. Each function returns whether it changed anything; only changes are recorded in the audit log.
import { sql, type Transaction } from 'kysely'
import { type Plan, parsePlan } from '../domain/account/plan.ts'
import { type Operation, recordAction } from './audit.ts'
import { actFor } from './keys/credential.ts'
import { changeOrigins } from './own-account.ts'

/** Plan of an account and its monthly limit in half credits. Charges are refused above the limit. */
export interface AccountPlan {
  readonly plan: Plan
  readonly limitHalf: number
}

export async function createAccount(
  operation: Operation,
  name: string,
  { plan, limitHalf }: AccountPlan,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts.account (name, plan, limit_half)
    values (${name}, ${plan}, ${limitHalf})
    returning id
  `.execute(operation.tx)
  const [account] = rows
  if (!account) throw new Error('the new account has no id')
  await recordAction(operation, {
    action: 'account.create',
    accountId: account.id,
    details: { name, plan, quota: limitHalf / 2 },
  })
  return account.id
}

/** Changes the plan and the quota, or the quota alone if no plan is given. */
export async function updatePlan(operation: Operation, id: string, change: Partial<AccountPlan>): Promise<boolean> {
  await lockMeter(operation.tx, id)
  const before = await readPlan(operation.tx, id)
  const after = { ...before, ...change }
  if (after.plan === before.plan && after.limitHalf === before.limitHalf) return false
  await sql`
    update accounts.account
       set plan = ${after.plan}, limit_half = ${after.limitHalf}
     where id = ${id}
  `.execute(operation.tx)
  await recordAction(operation, {
    action: change.plan ? 'account.set-plan' : 'account.set-quota',
    accountId: id,
    details: {
      ...(change.plan ? { plan: after.plan, plan_before: before.plan } : {}),
      quota: after.limitHalf / 2,
      quota_before: before.limitHalf / 2,
    },
  })
  return true
}

export async function suspendAccount(operation: Operation, id: string, reason: string | undefined): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts.account
       set suspended_at = now()
     where id = ${id} and suspended_at is null
  `.execute(operation.tx)
  if (!numAffectedRows) return false
  await recordAction(operation, { action: 'account.suspend', accountId: id, details: reason ? { reason } : {} })
  return true
}

export async function resumeAccount(operation: Operation, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts.account
       set suspended_at = null
     where id = ${id} and suspended_at is not null
  `.execute(operation.tx)
  if (!numAffectedRows) return false
  await recordAction(operation, { action: 'account.resume', accountId: id })
  return true
}

export async function listOrigins(tx: Transaction<unknown>, id: string): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    select origin
      from accounts.account_origin
     where account_id = ${id}
     order by origin
  `.execute(tx)
  return rows.map(({ origin }) => origin)
}

export async function replaceOrigins(operation: Operation, id: string, origins: readonly string[]): Promise<void> {
  await changeOrigins(operation.tx, actFor(operation, id), origins, null)
}

/** Every batch of charges takes this lock before it reads the limit, so the limit never changes within a batch. */
async function lockMeter(tx: Transaction<unknown>, id: string): Promise<void> {
  await sql`
    insert into accounts.meter (account_id, period)
    values (${id}, accounts.current_period())
    on conflict do nothing
  `.execute(tx)
  await sql`
    select from accounts.meter
     where account_id = ${id} and period = accounts.current_period()
       for update
  `.execute(tx)
}

async function readPlan(tx: Transaction<unknown>, id: string): Promise<AccountPlan> {
  const { rows } = await sql<{ plan: string; limit_half: string }>`
    select plan, limit_half
      from accounts.account
     where id = ${id}
       for update
  `.execute(tx)
  const plan = parsePlan(rows[0]?.plan ?? '')
  if (!plan) throw new Error(`account ${id} does not exist or has a plan that this version does not know`)
  return { plan, limitHalf: Number(rows[0]?.limit_half) }
}
