// The world a test needs, said in sentences: await given(account('free').withKey(KEY), dataset('kev').holding(3)).
import { sql } from 'kysely'
import { createAccount, replaceOrigins, suspend } from '../../src/accounts/administer-accounts.ts'
import { revokeKey, storeKey } from '../../src/accounts/administer-keys.ts'
import { type IssuedKey, issueKey } from '../../src/accounts/api-key.ts'
import type { Operation } from '../../src/accounts/audit.ts'
import type { Database } from '../../src/database/postgres.ts'
import { halfCredits } from '../../src/domain/credits.ts'
import { PLANS, type Plan } from '../../src/domain/plan.ts'

/** Something that a test wants to be there. */
export interface Given {
  store(db: Database): Promise<void>
}

export interface AccountGiven extends Given {
  withKey(key: IssuedKey, state?: { expired?: boolean; revoked?: boolean }): AccountGiven
  withQuota(credits: number): AccountGiven
  /** All the rest of the quota is spent, and the ledger says on what. */
  withCreditsLeft(credits: number): AccountGiven
  withOrigins(...origins: readonly string[]): AccountGiven
  suspended(): AccountGiven
  /** Known once it is stored. */
  readonly id: string
}

interface KeyWanted {
  readonly key: IssuedKey
  readonly expired?: boolean
  readonly revoked?: boolean
}

interface AccountWanted {
  readonly keys: KeyWanted[]
  quota: number
  left: number | undefined
  origins: readonly string[]
  isSuspended: boolean
}

export const aKey = (): IssuedKey => issueKey('test')

export function account(plan: Plan): AccountGiven {
  const wanted: AccountWanted = {
    keys: [],
    quota: PLANS[plan].monthlyCredits ?? 1_000_000,
    left: undefined,
    origins: [],
    isSuspended: false,
  }
  let id: string | undefined
  const given: AccountGiven = {
    withKey: (key, state = {}) => also(() => wanted.keys.push({ key, ...state })),
    withQuota: (credits) => also(() => Object.assign(wanted, { quota: credits })),
    withCreditsLeft: (credits) => also(() => Object.assign(wanted, { left: credits })),
    withOrigins: (...origins) => also(() => Object.assign(wanted, { origins })),
    suspended: () => also(() => Object.assign(wanted, { isSuspended: true })),
    get id() {
      if (id === undefined) throw new Error('an account has its id once it is stored')
      return id
    },
    store: (db) =>
      db.transaction().execute(async (tx) => {
        const operation = { tx, operator: 'a test' }
        id = await createAccount(operation, `a ${plan} account`, { plan, limitHalf: halfCredits(wanted.quota) })
        const keyIds: string[] = []
        for (const each of wanted.keys) keyIds.push(await storeWantedKey(operation, id, each))
        await replaceOrigins(operation, id, wanted.origins)
        if (wanted.isSuspended) await suspend(operation, id, undefined)
        if (wanted.left !== undefined) await spend(tx, id, keyIds[0] ?? '0', wanted.quota - wanted.left)
      }),
  }
  const also = (change: () => unknown): AccountGiven => {
    change()
    return given
  }
  return given
}

async function storeWantedKey(operation: Operation, accountId: string, { key, expired, revoked }: KeyWanted) {
  const stored = await storeKey(operation, accountId, key, expired ? { seconds: -1 } : undefined)
  if (revoked) await revokeKey(operation, stored)
  return stored.id
}

/** As one charge, so that meter and ledger agree. */
async function spend(db: Database, accountId: string, keyId: string, credits: number): Promise<void> {
  await sql`
    with charge as (
      insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
      values (accounts.current_period(), gen_random_uuid(), 'charge', ${accountId}, ${keyId}, 'before', ${halfCredits(credits)})
      returning period, account_id, cost_half
    )
    insert into accounts.meter (account_id, period, used_half)
    select account_id, period, cost_half
      from charge
  `.execute(db)
}

export interface DatasetGiven extends Given {
  holding(count: number): DatasetGiven
  fetchedAt(instant: string): DatasetGiven
}

export function dataset(name: string): DatasetGiven {
  let [count, fetchedAt]: [number, string | null] = [0, null]
  const given: DatasetGiven = {
    holding: (rows) => {
      count = rows
      return given
    },
    fetchedAt: (instant) => {
      fetchedAt = instant
      return given
    },
    store: async (db) => {
      await sql`
        update catalog.dataset
           set table_count = ${count}, last_success_at = ${fetchedAt}
         where name = ${name}
      `.execute(db)
    },
  }
  return given
}
