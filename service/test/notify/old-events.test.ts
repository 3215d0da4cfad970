import { describe, expect, it } from 'vitest'
import { openPool } from '../../src/database/postgres.ts'
import { PLAN_NAMES, WATCH_LIMITS } from '../../src/domain/account/plan.ts'
import { deleteOldEvents } from '../../src/notify/old-events.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { readRows, runStatements } from '../support/run-statements.ts'

const LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 5000, acquireTimeoutMs: 5000 }
const { url } = await createTestDatabase()
const pool = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(() => pool.close())
const never = new AbortController().signal

/** Accounts 1 to 4, one of each plan, each with an event of every second day of the last 420 days. */
await runStatements(
  url,
  ...PLAN_NAMES.map((plan) => `insert into accounts.account (name, plan, limit_half) values ('a', '${plan}', 1)`),
  'insert into notify.inbox select id, 210 from accounts.account',
  `insert into notify.event (account_id, nr, watch_id, seq, subject_key, type, kinds, at)
   select account.id, 211 - n, account.id, 1000 - n, 7, 'matched', '{entered}', now() - n * interval '2 days' - interval '1 hour'
     from accounts.account, generate_series(1, 210) n`,
  `insert into notify.event (account_id, nr, watch_id, seq, type, kinds, at)
   select id, 0, id, 1, 'gap', '{}', now() - interval '401 days' from accounts.account`,
  `insert into notify.news (seq, subject_key, subject, at, types, diff)
   select 1000 - n, 7, 'CVE-2026-1', now(), '{updated}', '{}' from generate_series(1, 210) n`,
)

describe('Old events', () => {
  it('are deleted after the days of their plan, with the news that no event is about any more', async () => {
    const before = await readRows(url, 'select count(*)::int as events from notify.event')
    expect(before).toEqual([{ events: 844 }])
    expect(await deleteOldEvents(pool.db, never, 100)).toBe(844 - 14 - 44 - 199 - 199)
    const kept = await readRows(
      url,
      `select plan, count(*)::int as events, max(extract(day from now() - at))::int as oldest
         from notify.event join accounts.account on account.id = account_id group by plan order by min(account_id)`,
    )
    expect(kept).toEqual([
      { plan: 'free', events: 14, oldest: 28 },
      { plan: 'pro', events: 44, oldest: 88 },
      { plan: 'business', events: 199, oldest: 398 },
      { plan: 'enterprise', events: 199, oldest: 398 },
    ])
    expect(await readRows(url, 'select count(*)::int as news from notify.news')).toEqual([{ news: 199 }])
    expect(await deleteOldEvents(pool.db, never, 100)).toBe(0)
  })

  it('are kept for at least 30 days, whatever a caller asks for', async () => {
    const statement = `select notify.delete_old_events('{"free": 29, "pro": 90, "business": 400, "enterprise": 400}', 10)`
    await expect(runStatements(url, statement)).rejects.toThrow('events are kept for at least 30 days')
    expect(PLAN_NAMES.every((plan) => WATCH_LIMITS[plan].eventDays >= 30)).toBe(true)
  })
})
