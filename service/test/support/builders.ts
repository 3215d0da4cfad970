// Fixtures for accounts and data sets: await given(account('free').withKey(KEY), dataset('kev').holding(3)).
import { sql } from 'kysely'
import { createAccount, replaceOrigins, suspendAccount } from '../../src/accounts/administer-accounts.ts'
import type { Operation } from '../../src/accounts/audit.ts'
import { createAccountKey, revokeAccountKey } from '../../src/accounts/keys/account-keys.ts'
import { type IssuedKey, issueKey } from '../../src/accounts/keys/api-key.ts'
import { actFor } from '../../src/accounts/keys/credential.ts'
import type { KeyCaller } from '../../src/accounts/keys/find-caller.ts'
import type { Database } from '../../src/database/postgres.ts'
import { toHalfCredits } from '../../src/domain/account/credits.ts'
import { PLANS, type Plan } from '../../src/domain/account/plan.ts'
import type { Scope } from '../../src/domain/account/scope.ts'

/** Test data that is stored before a test runs. */
export interface Fixture {
  store(db: Database): Promise<void>
}

export interface AccountFixture extends Fixture {
  withKey(key: IssuedKey, state?: Omit<KeyOptions, 'key'>): AccountFixture
  withQuota(credits: number): AccountFixture
  /** Spends all but the given credits of the account's quota with one charge, which is recorded in the ledger. */
  withCreditsLeft(credits: number): AccountFixture
  withOrigins(...origins: readonly string[]): AccountFixture
  suspended(): AccountFixture
  /** Id of the account. It exists only after the fixture is stored; reading it earlier throws an error. */
  readonly id: string
}

interface KeyOptions {
  readonly key: IssuedKey
  readonly expired?: boolean
  readonly revoked?: boolean
  readonly name?: string
  /** Scopes of the key; without them, it can only read. */
  readonly scopes?: readonly Scope[]
}

interface AccountOptions {
  readonly keys: KeyOptions[]
  quota: number
  left: number | undefined
  origins: readonly string[]
  isSuspended: boolean
}

/** A caller with a valid API key, for tests that need no database. */
export const createKeyCaller = (accountId: string): KeyCaller => ({
  accountId,
  keyId: '1',
  plan: 'pro',
  origins: [],
  credential: { kind: 'key', digest: '00' },
  admission: '',
  scopes: ['read'],
  allowsAddress: () => true,
})

export const createTestKey = (): IssuedKey => issueKey('test')

export function account(plan: Plan): AccountFixture {
  const options: AccountOptions = {
    keys: [],
    quota: PLANS[plan].monthlyCredits ?? 1_000_000,
    left: undefined,
    origins: [],
    isSuspended: false,
  }
  let id: string | undefined
  const fixture: AccountFixture = {
    withKey: (key, state = {}) => apply(() => options.keys.push({ key, ...state })),
    withQuota: (credits) => apply(() => Object.assign(options, { quota: credits })),
    withCreditsLeft: (credits) => apply(() => Object.assign(options, { left: credits })),
    withOrigins: (...origins) => apply(() => Object.assign(options, { origins })),
    suspended: () => apply(() => Object.assign(options, { isSuspended: true })),
    get id() {
      if (id === undefined) throw new Error('The account has no id yet: store the fixture first.')
      return id
    },
    store: (db) =>
      db.transaction().execute(async (tx) => {
        const operation = { tx, operator: 'a test' }
        id = await createAccount(operation, `a ${plan} account`, { plan, limitHalf: toHalfCredits(options.quota) })
        const keyIds: string[] = []
        for (const each of options.keys) keyIds.push(await storeAccountKey(operation, id, each))
        await replaceOrigins(operation, id, options.origins)
        if (options.isSuspended) await suspendAccount(operation, id, undefined)
        if (options.left !== undefined) await spend(tx, id, keyIds[0] ?? '0', options.quota - options.left)
      }),
  }
  const apply = (change: () => unknown): AccountFixture => {
    change()
    return fixture
  }
  return fixture
}

async function storeAccountKey(
  operation: Operation,
  accountId: string,
  { key, expired, revoked, name, scopes = ['read'] }: KeyOptions,
): Promise<string> {
  const [actor, expiry] = [actFor(operation, accountId), expired ? { seconds: -1 } : undefined]
  const { keys } = await createAccountKey(operation.tx, actor, key, { name, scopes, expiry })
  const id = keys[0]?.id ?? ''
  if (revoked) await revokeAccountKey(operation.tx, actor, id)
  return id
}

/** Records one charge in the ledger and in the meter (the monthly total), so that ledger and meter agree. */
async function spend(db: Database, accountId: string, keyId: string, credits: number): Promise<void> {
  await sql`
    with charge as (
      insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
      values (accounts.current_period(), gen_random_uuid(), 'charge', ${accountId}, ${keyId}, 'before', ${toHalfCredits(credits)})
      returning period, account_id, cost_half
    )
    insert into accounts.meter (account_id, period, used_half)
    select account_id, period, cost_half
      from charge
  `.execute(db)
}

export interface DatasetFixture extends Fixture {
  holding(count: number): DatasetFixture
  /** Holds all records of upstream's index, which has this many. */
  holdingAll(count: number): DatasetFixture
  fetchedAt(instant: string): DatasetFixture
  /** Sets the time of the newest upstream release that the data set contains. */
  releasedAt(instant: string): DatasetFixture
  /** Sets the time of the delivery, for a data set whose release states none. */
  deliveredAt(instant: string): DatasetFixture
  /** Sets the result of the last run, which ended at the given time. */
  withLastRun(instant: string, result: string, rejected?: number): DatasetFixture
}

export function dataset(name: string): DatasetFixture {
  let [count, fetchedAt, releasedAt]: [number, string | null, string | null] = [0, null, null]
  let indexCount: number | null = null
  let basis: 'released' | 'delivered' = 'released'
  let lastRun: { readonly at: string | null; readonly result: string | null; readonly rejected: number } = {
    at: null,
    result: null,
    rejected: 0,
  }
  const fixture: DatasetFixture = {
    holding: (rows) => {
      count = rows
      return fixture
    },
    holdingAll: (rows) => {
      count = rows
      indexCount = rows
      return fixture
    },
    fetchedAt: (instant) => {
      fetchedAt = instant
      return fixture
    },
    releasedAt: (instant) => {
      releasedAt = instant
      return fixture
    },
    deliveredAt: (instant) => {
      releasedAt = instant
      basis = 'delivered'
      return fixture
    },
    withLastRun: (at, result, rejected = 0) => {
      lastRun = { at, result, rejected }
      return fixture
    },
    store: async (db) => {
      await sql`
        update catalog.dataset
           set table_count = ${count}, index_count = ${indexCount}, last_success_at = ${fetchedAt},
               upstream_at = ${releasedAt}, as_of_basis = ${releasedAt === null ? null : basis},
               last_run_at = ${lastRun.at}, last_run_result = ${lastRun.result}, rejected_count = ${lastRun.rejected}
         where name = ${name}
      `.execute(db)
    },
  }
  return fixture
}
