// What operators do to accounts. Runs with the owner's connection: the API's role cannot.
// Each change says whether it changed anything; what does not leaves no audit row.
import { sql, type Transaction } from 'kysely'
import { type Plan, parsePlan } from '../domain/plan.ts'
import { type Operation, record } from './audit.ts'

/** What was agreed: the plan, and the one limit that charging reads. */
export interface Terms {
  readonly plan: Plan
  readonly limitHalf: number
}

export async function createAccount(operation: Operation, name: string, terms: Terms): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts.account (name, plan, limit_half)
    values (${name}, ${terms.plan}, ${terms.limitHalf})
    returning id
  `.execute(operation.tx)
  const [account] = rows
  if (!account) throw new Error('the new account has no id')
  await record(operation, {
    action: 'account.create',
    accountId: account.id,
    details: { name, plan: terms.plan, quota: terms.limitHalf / 2 },
  })
  return account.id
}

/** Without a plan, only the quota changes. Counts from the next call. */
export async function setTerms(operation: Operation, id: string, wanted: Partial<Terms>): Promise<boolean> {
  await lockMeter(operation.tx, id)
  const before = await readTerms(operation.tx, id)
  const after = { ...before, ...wanted }
  if (after.plan === before.plan && after.limitHalf === before.limitHalf) return false
  await sql`
    update accounts.account
       set plan = ${after.plan}, limit_half = ${after.limitHalf}
     where id = ${id}
  `.execute(operation.tx)
  await record(operation, {
    action: wanted.plan ? 'account.set-plan' : 'account.set-quota',
    accountId: id,
    details: {
      ...(wanted.plan ? { plan: after.plan, plan_before: before.plan } : {}),
      quota: after.limitHalf / 2,
      quota_before: before.limitHalf / 2,
    },
  })
  return true
}

export async function suspend(operation: Operation, id: string, reason: string | undefined): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts.account
       set suspended_at = now()
     where id = ${id} and suspended_at is null
  `.execute(operation.tx)
  if (!numAffectedRows) return false
  await record(operation, { action: 'account.suspend', accountId: id, details: reason ? { reason } : {} })
  return true
}

export async function resume(operation: Operation, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts.account
       set suspended_at = null
     where id = ${id} and suspended_at is not null
  `.execute(operation.tx)
  if (!numAffectedRows) return false
  await record(operation, { action: 'account.resume', accountId: id })
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

/** Touches only what differs, so that nodes are told only of that. */
export async function replaceOrigins(operation: Operation, id: string, wanted: readonly string[]): Promise<boolean> {
  const { tx } = operation
  await sql`select from accounts.account where id = ${id} for update`.execute(tx)
  const before = await listOrigins(tx, id)
  const [added, removed] = [
    wanted.filter((each) => !before.includes(each)),
    before.filter((each) => !wanted.includes(each)),
  ]
  if (added.length + removed.length === 0) return false
  await sql`
    delete from accounts.account_origin
     where account_id = ${id} and origin = any (${removed}::text[])
  `.execute(tx)
  await sql`
    insert into accounts.account_origin (account_id, origin)
    select ${id}, unnest(${added}::text[])
  `.execute(tx)
  await record(operation, { action: 'account.origins', accountId: id, details: { added, removed } })
  return true
}

/** Charging holds this lock while it reads the limit: whoever holds it changes the limit between two batches. */
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

async function readTerms(tx: Transaction<unknown>, id: string): Promise<Terms> {
  const { rows } = await sql<{ plan: string; limit_half: string }>`
    select plan, limit_half
      from accounts.account
     where id = ${id}
       for update
  `.execute(tx)
  const plan = parsePlan(rows[0]?.plan ?? '')
  if (!plan) throw new Error(`account ${id} has no plan that this version knows`)
  return { plan, limitHalf: Number(rows[0]?.limit_half) }
}
