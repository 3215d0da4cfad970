import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { account } from '../support/builders.ts'
import { runCommand } from '../support/run-command.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { database, environment, given, json, rows, run } = await openOperatorHarness()

async function readPlan(id: string) {
  return (await rows('select plan, limit_half::int from accounts.account where id = $1', [id]))[0]
}

describe('vis-server accounts set-plan and set-quota', () => {
  it('stores the plan and the limit that charging reads', async () => {
    const made = account('free')
    await given(made)
    const { id } = made

    expect((await run('accounts', 'set-plan', id, 'business')).stdout).toBe(
      `Account ${id}: a free account, business, 200,000 credits a month.\n`,
    )
    expect(await readPlan(id)).toEqual({ plan: 'business', limit_half: 400_000 })
    expect(await json('accounts', 'set-plan', id, 'enterprise', '--quota', '7')).toMatchObject({ id, quota: 7 })
    expect(await readPlan(id)).toEqual({ plan: 'enterprise', limit_half: 14 })
    expect(await json('accounts', 'set-quota', id, '0.5')).toMatchObject({ id, plan: 'enterprise', quota: 0.5 })
    expect(await readPlan(id)).toEqual({ plan: 'enterprise', limit_half: 1 })
  })

  it('keeps the credits used this month and prints them', async () => {
    const spent = account('pro').withCreditsLeft(29_000)
    await given(spent)
    expect((await run('accounts', 'set-plan', spent.id, 'free')).stdout).toContain(
      'free, 1,000 credits a month, 1,000 credits used this month.',
    )
  })

  it('applies a new quota to the next charge', async () => {
    const made = account('free').withCreditsLeft(0)
    await given(made)
    const charge = async () => {
      const [row] = await rows<{ verdict: string }>(
        `select verdict
           from accounts.charge_batch(array[gen_random_uuid()], array[$1::bigint], '{1}', '{cves}', '{2}',
                                      array[accounts.issue_admission($1::bigint, 1, now() + interval '1 minute')])`,
        [made.id],
      )
      return row?.verdict
    }

    expect(await charge()).toBe('exceeded')
    await run('accounts', 'set-quota', made.id, '1001')
    expect([await charge(), await charge()]).toEqual(['charged', 'exceeded'])
    await run('accounts', 'set-quota', made.id, '0')
    expect(await charge()).toBe('exceeded')
  })

  it.each([
    ['set-plan', 'pro'],
    ['set-quota', '5'],
  ])('waits in %s for the lock that a charge holds while it reads the limit', async (command, value) => {
    const made = account('free').withCreditsLeft(10)
    await given(made)
    const release = await lockMeter(made.id)

    const changed = runCommand(['accounts', command, made.id, value], {
      ...environment,
      DATABASE_LOCK_TIMEOUT_MS: '20000',
      DATABASE_STATEMENT_TIMEOUT_MS: '20000',
    })
    await waitForBlockedQuery()
    const meanwhile = await readPlan(made.id)
    await release()

    expect((await changed).code).toBe(0)
    expect(meanwhile).toEqual({ plan: 'free', limit_half: 2000 })
    expect(await readPlan(made.id)).not.toEqual(meanwhile)
  })

  it('changes nothing and fails when the account stays locked by a charge', async () => {
    const made = account('free').withCreditsLeft(10)
    await given(made)
    const release = await lockMeter(made.id)

    const { code, stderr } = await runCommand(['accounts', 'set-quota', made.id, '5'], {
      ...environment,
      DATABASE_LOCK_TIMEOUT_MS: '100',
    })
    await release()

    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('locked by another transaction and nothing was changed. Try again.'),
    ])
    expect(await readPlan(made.id)).toEqual({ plan: 'free', limit_half: 2000 })
  })

  /**
   * Takes the database lock that a charge of the account holds while it runs. Returns a function that releases the
   * lock.
   */
  async function lockMeter(id: string): Promise<() => Promise<void>> {
    const charging = await database.connect()
    await charging.query('begin')
    await charging.query('select from accounts.meter where account_id = $1 for update', [id])
    return async () => {
      await charging.query('rollback')
      charging.release()
    }
  }

  async function waitForBlockedQuery(): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      const waiting = await rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      if (waiting.length > 0) return
      await sleep(20)
    }
    throw new Error('no query waited for the lock')
  }
})
