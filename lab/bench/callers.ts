// Accounts with API keys that the benchmark calls the service with.
import { sql } from 'kysely'
import { openPool } from '../../service/src/database/postgres.ts'
import { toHalfCredits } from '../../service/src/domain/account/credits.ts'
import type { Plan } from '../../service/src/domain/account/plan.ts'
import { account, createTestKey } from '../../service/test/support/builders.ts'

export interface Caller {
  readonly key: string
  readonly accountId: string
  readonly keyId: string
  /** For charges without a lookup of the key, valid for a day. */
  readonly admission: string
}

const QUOTA_CREDITS = 100_000_000
const ADMISSION = sql`accounts.issue_admission(account_id, id, now() + interval '1 day') as admission`
const LIMITS = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }

/** Adds accounts with one API key each. */
export async function addCallers(url: string, count: number, plan: Plan = 'pro'): Promise<readonly Caller[]> {
  const pool = openPool(url, 'bench', LIMITS, () => {})
  try {
    const callers: Omit<Caller, 'keyId' | 'admission'>[] = []
    for (let each = 0; each < count; each += 1) {
      const [key, owner] = [createTestKey(), account(plan).withQuota(QUOTA_CREDITS)]
      await owner.withKey(key).store(pool.db)
      callers.push({ key: key.key, accountId: owner.id })
    }
    const { rows } = await sql<{ id: string; account_id: string; admission: string }>`
      select id, account_id, ${ADMISSION} from accounts.api_key where account_id = any (${callers.map(({ accountId }) => accountId)}::bigint[])
    `.execute(pool.db)
    const keys = new Map(rows.map(({ id, account_id, admission }) => [account_id, { keyId: id, admission }]))
    return callers.map((caller) => ({ ...caller, ...(keys.get(caller.accountId) ?? { keyId: '', admission: '' }) }))
  } finally {
    await pool.close()
  }
}

/**
 * Turns existing accounts into callers: each gets the pro plan, a large quota and one more API key. The accounts are
 * spread evenly over the table, as active accounts are in production.
 */
export async function activateCallers(url: string, count: number): Promise<readonly Caller[]> {
  const pool = openPool(url, 'bench', LIMITS, () => {})
  const keys = Array.from({ length: count }, createTestKey)
  try {
    const chosen = await sql<{ id: string }>`
      with numbered as (
        select id, row_number() over (order by id) as position, count(*) over () as total from accounts.account
      )
      update accounts.account
         set plan = 'pro', limit_half = ${toHalfCredits(QUOTA_CREDITS)}
        from numbered
       where numbered.id = account.id and position % (total / ${count}) = 0 and position <= total / ${count} * ${count}
      returning account.id
    `.execute(pool.db)
    const { rows } = await sql<{ keyId: string; accountId: string; digest: Buffer; admission: string }>`
      insert into accounts.api_key (account_id, digest, prefix, last_four)
      select owner.id, key.digest, 'vis_test_', right(key.text, 4)
        from unnest(${chosen.rows.map(({ id }) => id)}::bigint[]) with ordinality as owner (id, position)
             join unnest(${keys.map(({ digest }) => digest)}::bytea[], ${keys.map(({ key }) => key)}::text[])
                  with ordinality as key (digest, text, position) using (position)
      returning id as "keyId", account_id as "accountId", digest, ${ADMISSION}
    `.execute(pool.db)
    const keyByDigest = new Map(keys.map(({ key, digest }) => [digest.toString('hex'), key]))
    return rows.map(({ keyId, accountId, digest, admission }) => ({
      keyId,
      accountId,
      admission,
      key: keyByDigest.get(digest.toString('hex')) ?? '',
    }))
  } finally {
    await pool.close()
  }
}
