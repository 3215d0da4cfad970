// Members who became owners of an existing account. An owner can do everything in an account, so operators are told
// about every new one.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'

interface NewOwner {
  readonly id: string
  readonly accountId: string
  readonly memberId: string
  readonly login: string
}

interface NewOwners {
  readonly count: number
  readonly last: string
  /** Owners added since the last call; none on the first call. */
  readonly newest: readonly NewOwner[]
}

const MAX_ROWS = 100

export async function readNewOwners(accounts: Database, last: string | undefined): Promise<NewOwners> {
  const { rows } = await sql<{ count: number; last: string }>`
    select count, last from accounts.count_new_owners()
  `.execute(accounts)
  const [total = { count: 0, last: '0' }] = rows
  if (last === undefined || last === total.last) return { ...total, newest: [] }
  const { rows: newest } = await sql<NewOwner>`
    select id, account_id as "accountId", member_id as "memberId", login
      from accounts.list_new_owners(${last}, ${MAX_ROWS})
  `.execute(accounts)
  return { ...total, newest }
}
