// Adds any number of accounts with one API key each, as `vis-server accounts create` and `keys issue` do, but without
// entries in the audit log.
import { Client } from 'pg'
import { toHalfCredits } from '../../../service/src/domain/account/credits.ts'
import { PLANS } from '../../../service/src/domain/account/plan.ts'
import { withoutIndexes } from '../../../service/test/support/generator/without-indexes.ts'

/** For each paid plan, the number n such that one in n accounts has the plan. All other accounts have the free plan. */
const ONE_IN = { business: 200, pro: 12 } as const

const [free, pro, business] = [PLANS.free, PLANS.pro, PLANS.business].map(({ monthlyCredits }) =>
  toHalfCredits(monthlyCredits),
)

/**
 * Stores random digests as the digests of the API keys, so that nobody can use the keys. Every second account has one
 * charge in the current month.
 */
export async function addAccounts(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query("set local maintenance_work_mem = '256MB'")
    await withoutIndexes(client, ['accounts.api_key', 'accounts.key_use', 'accounts.meter'], async () => {
      await client.query(INSERT, [count])
    })
    await client.query('commit')
    await client.query('vacuum (analyze) accounts.account, accounts.api_key, accounts.meter, accounts.ledger')
  } finally {
    await client.end()
  }
}

const INSERT = `
  with account as (
    insert into accounts.account (name, plan, limit_half)
    select 'Account ' || n,
           case when n % ${ONE_IN.business} = 0 then 'business' when n % ${ONE_IN.pro} = 0 then 'pro' else 'free' end,
           case when n % ${ONE_IN.business} = 0 then ${business} when n % ${ONE_IN.pro} = 0 then ${pro} else ${free} end
      from generate_series(1, $1::int) n
    returning id
  ), key as (
    insert into accounts.api_key (account_id, digest, prefix, last_four)
    select id, digest, 'vis_live_', right(encode(digest, 'hex'), 4)
      from (select id, sha256(gen_random_uuid()::text::bytea) as digest from account) made
    returning id, account_id
  ), spent as (
    select id as key_id, account_id, (select accounts.current_period()) as period, 2 as cost_half
      from key
     where account_id % 2 = 0
  ), charge as (
    insert into accounts.ledger (period, request_id, kind, account_id, key_id, endpoint, cost_half)
    select period, gen_random_uuid(), 'charge', account_id, key_id, 'get-cve', cost_half
      from spent
  )
  insert into accounts.meter (account_id, period, used_half)
  select account_id, period, cost_half
    from spent
`
