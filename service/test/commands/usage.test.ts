import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../support/builders.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { given, json, rows, run } = await openOperatorHarness()

interface Call {
  readonly key: string
  readonly endpoint: string
  readonly half: number
  readonly isRefunded?: boolean
}

/** Charges calls with the SQL functions that API nodes use. */
async function makeCalls(accountId: string, calls: readonly Call[]): Promise<void> {
  for (const { key, endpoint, half, isRefunded } of calls) {
    const [{ id } = { id: '' }] = await rows<{ id: string }>('select gen_random_uuid() as id')
    await rows(
      `select accounts.charge_batch(array[$1::uuid], array[$2::bigint], array[$3::bigint], array[$4], array[$5::int],
                                    array[accounts.issue_admission($2::bigint, $3::bigint, now() + interval '1 minute')])`,
      [id, accountId, key, endpoint, half],
    )
    if (isRefunded)
      await rows(
        `select accounts.refund_batch(array[$1::uuid], array[$2::bigint], array[$3::bigint], array[$4],
                                      array[accounts.issue_admission($2::bigint, $3::bigint, now())])`,
        [id, accountId, key, endpoint],
      )
  }
}

const [one, other] = [createTestKey(), createTestKey()]
const made = account('free').withKey(one).withKey(other)
await given(made)
const [keyOne = '', keyOther = ''] = (
  await rows<{ id: string }>('select id from accounts.api_key where account_id = $1 order by id', [made.id])
).map(({ id }) => id)
await makeCalls(made.id, [
  { key: keyOne, endpoint: 'list-cves', half: 2 },
  { key: keyOne, endpoint: 'get-cve', half: 10 },
  { key: keyOne, endpoint: 'get-cve', half: 10, isRefunded: true },
  { key: keyOther, endpoint: 'get-stats', half: 1 },
])

describe('vis-server usage', () => {
  it("shows the current month's credits, exact to half a credit", async () => {
    const { code, stdout } = await run('usage', made.id)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Account \d+: a free account, free\nused {4}6.5 of 1,000 credits \(0.65 %\)\nleft {4}993.5 credits\nresets {2}\d{4}-\d\d-01T00:00:00Z\n$/,
      ),
    ])
  })

  it('with --json, prints the same fields as the endpoint /usage', async () => {
    expect(await json('usage', made.id)).toEqual({
      id: made.id,
      plan: 'free',
      credits_limit: 1000,
      credits_used: 7,
      credits_remaining: 993,
      reset_at: expect.stringMatching(/-01T00:00:00Z$/),
      percentage_used: 0.65,
    })
  })

  it('breaks the usage down by day, endpoint or key with --by, without refunded calls', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const total = { calls: 3, credits: 6.5 }

    expect((await run('usage', made.id, '--by', 'endpoint')).stdout).toBe(
      [
        'ENDPOINT   CALLS  CREDITS',
        'get-cve        1        5',
        'get-stats      1      0.5',
        'list-cves      1        1',
        'total          3      6.5\n',
      ].join('\n'),
    )
    expect((await run('usage', made.id, '--by', 'key')).stdout).toContain(
      `${keyOther}  vis_test_…${other.lastFour}      1      0.5\n`,
    )
    expect(await json('usage', made.id, '--by', 'key')).toEqual({
      id: made.id,
      by: 'key',
      lines: [
        { key: keyOne, calls: 2, credits: 6 },
        { key: keyOther, calls: 1, credits: 0.5 },
      ],
      total,
    })
    expect(await json('usage', made.id, '--by', 'day')).toEqual({
      id: made.id,
      by: 'day',
      lines: [{ day, ...total }],
      total,
    })
  })

  it('prints a note when the account has made no charged calls', async () => {
    const idle = account('free')
    await given(idle)
    expect(await run('usage', idle.id, '--by', 'day')).toEqual({
      code: 0,
      stdout: '',
      stderr: `Account ${idle.id} has made no charged calls this month.\n`,
    })
    expect(await json('usage', idle.id, '--by', 'day')).toMatchObject({ lines: [], total: { calls: 0, credits: 0 } })
  })

  it.each([[['usage', 'Ada'], '"Ada" is not an account id']])(
    'rejects the arguments %j with the message %j',
    async (args, sentence) => {
      await expect(json(...args)).rejects.toThrow(sentence)
    },
  )

  it.each([
    [['usage', '999999'], 'There is no account 999999'],
    [['usage', '1', '--by', 'week'], 'Allowed choices are day, endpoint, key'],
    [['usage'], "missing required argument 'account'"],
  ])(
    'exits with code 1 and without a stack trace for the arguments %j, with the message %j',
    async (args, sentence) => {
      const { code, stderr, stdout } = await run(...args)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(sentence)
      expect(stderr).not.toContain('    at ')
    },
  )
})

describe('Test builder withCreditsLeft', () => {
  it("writes ledger rows that add up to the account's meter", async () => {
    const nearly = account('pro').withQuota(50).withCreditsLeft(9.5)
    await given(nearly)
    const [row] = await rows(
      `select used_half::int, (select sum(cost_half)::int from accounts.ledger where account_id = meter.account_id) as ledger
         from accounts.meter meter where account_id = $1`,
      [nearly.id],
    )
    expect(row).toEqual({ used_half: 81, ledger: 81 })
    expect(await json('usage', nearly.id, '--by', 'endpoint')).toMatchObject({ total: { credits: 40.5 } })
  })
})
