// The world a test needs, said in sentences: await given(account('free').withKey(KEY), dataset('kev').holding(3)).
import { sql } from 'kysely'
import { createAccount, storeKey } from '../../src/accounts/administer.ts'
import { type IssuedKey, issueKey } from '../../src/accounts/api-key.ts'
import type { Database } from '../../src/database/postgres.ts'
import type { Plan } from '../../src/domain/plan.ts'

/** Something that a test wants to be there. */
export interface Given {
  store(db: Database): Promise<void>
}

export interface AccountGiven extends Given {
  withKey(key: IssuedKey, state?: { expired?: boolean; revoked?: boolean }): AccountGiven
}

export const aKey = (): IssuedKey => issueKey('test')

export function account(plan: Plan): AccountGiven {
  const keys: { key: IssuedKey; expired?: boolean; revoked?: boolean }[] = []
  const given: AccountGiven = {
    withKey: (key, state = {}) => {
      keys.push({ key, ...state })
      return given
    },
    store: async (db) => {
      const accountId = await createAccount(db, `a ${plan} account`, plan)
      for (const { key, expired, revoked } of keys) {
        const id = await storeKey(db, accountId, key)
        if (expired)
          await sql`update accounts.api_key set expires_at = now() - interval '1 second' where id = ${id}`.execute(db)
        if (revoked) await sql`update accounts.api_key set revoked_at = now() where id = ${id}`.execute(db)
      }
    },
  }
  return given
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
