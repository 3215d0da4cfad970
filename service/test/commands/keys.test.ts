import { describe, expect, it } from 'vitest'
import { readKey } from '../../src/accounts/api-key.ts'
import { account, aKey } from '../support/builders.ts'
import { visServer } from '../support/processes/command.ts'
import { openOffice } from './office.ts'

const { environment, given, json, rows, run } = await openOffice()

async function anAccountWithKey(): Promise<{ accountId: string; keyId: string }> {
  const made = account('pro').withKey(aKey())
  await given(made)
  const [key] = await rows<{ id: string }>('select id from accounts.api_key where account_id = $1', [made.id])
  return { accountId: made.id, keyId: key?.id ?? '' }
}

/** Whether the database lets it in, or why not. */
async function verdict(key: string): Promise<string> {
  const [caller] = await rows(
    `select coalesce(refusal, plan) as verdict from accounts.find_caller(decode($1, 'hex'))`,
    [readKey(key)],
  )
  return caller?.['verdict'] ?? 'unknown'
}

async function secondsLeft(keyId: string): Promise<number | null> {
  const [row] = await rows<{ left: number | null }>(
    'select extract(epoch from expires_at - now())::int as left from accounts.api_key where id = $1',
    [keyId],
  )
  return row?.left ?? null
}

describe('vis-server keys issue', () => {
  it('prints the key alone, once, and beside it a sentence', async () => {
    const { accountId } = await anAccountWithKey()
    const { code, stdout, stderr } = await run('keys', 'issue', '--account', accountId)

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^vis_test_\w{49}\n$/)])
    expect(stderr).toMatch(
      /^Key \d+ of account \d+, without expiry\. Keep the new key now: only its digest is stored\.\n$/,
    )
    expect(stderr).not.toContain(stdout.trim())
    expect(await verdict(stdout.trim())).toBe('pro')
  })

  it('prints JSON for scripts', async () => {
    const { accountId } = await anAccountWithKey()
    const issued = await json('keys', 'issue', '--account', accountId)

    expect(issued).toEqual({
      id: expect.stringMatching(/^\d+$/),
      account_id: accountId,
      key: expect.stringMatching(/^vis_test_\w{49}$/),
      prefix: 'vis_test_',
      last_four: issued.key.slice(-4),
      state: 'active',
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
    })
  })

  it('issues vis_live_ keys in production only', async () => {
    const { accountId } = await anAccountWithKey()
    const live = await visServer(['keys', 'issue', '--account', accountId], { ...environment, NODE_ENV: 'production' })
    expect(live.stdout).toMatch(/^vis_live_/)
  })

  it("ends a key after a time by the database's clock, or at a date", async () => {
    const { accountId } = await anAccountWithKey()
    const [later, dated] = [
      await json('keys', 'issue', '--account', accountId, '--expires', '90d'),
      await json('keys', 'issue', '--account', accountId, '--expires', '2100-01-01'),
    ]

    expect(await secondsLeft(later.id)).toBeCloseTo(90 * 86_400, -2)
    expect(dated.expires_at).toBe('2100-01-01T00:00:00Z')
  })

  it('says that a key of a suspended account has to wait', async () => {
    const made = account('pro').suspended()
    await given(made)
    const { code, stderr, stdout } = await run('keys', 'issue', '--account', made.id)
    expect([code, stderr]).toEqual([0, expect.stringContaining('The account is suspended')])
    expect(await verdict(stdout.trim())).toBe('suspended')
  })
})

describe('vis-server keys list', () => {
  it('shows keys by their ends only', async () => {
    const [good, gone] = [aKey(), aKey()]
    const made = account('pro').withKey(good).withKey(gone, { revoked: true })
    await given(made)

    const { stdout } = await run('keys', 'list', '--account', made.id)
    const list = await json('keys', 'list', '--account', made.id)

    expect(stdout).toMatch(/^ID +KEY +STATE +CREATED +EXPIRES +REVOKED\n/)
    expect(stdout).toContain(`vis_test_…${good.lastFour}  active `)
    expect(stdout).toContain(`vis_test_…${gone.lastFour}  revoked`)
    expect(list).toMatchObject([
      { account_id: made.id, last_four: good.lastFour, state: 'active', revoked_at: null },
      { account_id: made.id, last_four: gone.lastFour, state: 'revoked', revoked_at: expect.any(String) },
    ])
    for (const { key, digest } of [good, gone])
      for (const secret of [key, key.slice(9, 40), digest.toString('hex'), digest.toString('base64')])
        expect(stdout + JSON.stringify(list)).not.toContain(secret)
  })

  it('says how to make the first', async () => {
    const made = account('free')
    await given(made)
    expect(await run('keys', 'list', '--account', made.id)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Account ${made.id} has no keys. Make one: vis-server keys issue --account ${made.id}\n`,
    })
    expect(await json('keys', 'list', '--account', made.id)).toEqual([])
  })
})

describe('vis-server keys rotate', () => {
  it('makes a key for the same account and lets the old one go on for 24 hours', async () => {
    const { accountId } = await anAccountWithKey()
    const old = await json('keys', 'issue', '--account', accountId)

    const { code, stdout, stderr } = await run('keys', 'rotate', old.id)

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^vis_test_\w{49}\n$/)])
    expect(stderr).toMatch(/^Key \d+ of account \d+, without expiry; key \d+, which it replaces, ends at 2/)
    expect([await verdict(old.key), await verdict(stdout.trim())]).toEqual(['pro', 'pro'])
    expect(await secondsLeft(old.id)).toBeCloseTo(86_400, -2)
  })

  it.each([
    ['30m', 1800],
    ['7d', 604_800],
  ])('with --overlap %s, for %i seconds', async (overlap, seconds) => {
    const { accountId, keyId } = await anAccountWithKey()
    const rotated = await json('keys', 'rotate', keyId, '--overlap', overlap)

    expect(rotated).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      account_id: accountId,
      key: expect.stringMatching(/^vis_test_/),
      expires_at: null,
      replaces: { id: keyId, account_id: accountId, state: 'active' },
    })
    expect(await secondsLeft(keyId)).toBeCloseTo(seconds, -2)
  })

  it('with --overlap 0 ends the old key at once', async () => {
    const { accountId } = await anAccountWithKey()
    const old = await json('keys', 'issue', '--account', accountId)
    const rotated = await json('keys', 'rotate', old.id, '--overlap', '0')
    expect([await verdict(old.key), await verdict(rotated.key)]).toEqual(['expired', 'pro'])
  })

  it('never lets the old key live longer than it would have', async () => {
    const { accountId } = await anAccountWithKey()
    const short = await json('keys', 'issue', '--account', accountId, '--expires', '1h')
    await json('keys', 'rotate', short.id, '--overlap', '7d')
    expect(await secondsLeft(short.id)).toBeCloseTo(3600, -2)
    await json('keys', 'rotate', short.id, '--overlap', '5m')
    await json('keys', 'rotate', short.id)
    expect(await secondsLeft(short.id)).toBeLessThanOrEqual(300)
  })

  it('may give the new key an end of its own', async () => {
    const { keyId } = await anAccountWithKey()
    const { id } = await json('keys', 'rotate', keyId, '--expires', '90d')
    expect(await secondsLeft(id)).toBeCloseTo(90 * 86_400, -2)
  })

  it('refuses a revoked key, and makes none', async () => {
    const { accountId, keyId } = await anAccountWithKey()
    await run('keys', 'revoke', keyId)
    const { code, stdout, stderr } = await run('keys', 'rotate', keyId)

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(`^Key ${keyId} is revoked since 2.*Make a new one: vis-server keys issue --account ${accountId}\n$`),
    )
    expect(await json('keys', 'list', '--account', accountId)).toHaveLength(1)
  })
})

describe('vis-server keys revoke', () => {
  it('refuses the key from now on; a second time changes nothing', async () => {
    const { accountId } = await anAccountWithKey()
    const { id, key } = await json('keys', 'issue', '--account', accountId)

    const first = await json('keys', 'revoke', id)
    const { code, stdout } = await run('keys', 'revoke', id)

    expect(await verdict(key)).toBe('revoked')
    expect(first).toMatchObject({ id, account_id: accountId, state: 'revoked' })
    expect([code, stdout]).toEqual([0, `Key ${id} of account ${accountId} is revoked since ${first.revoked_at}.\n`])
  })
})

describe('A command that cannot be done', () => {
  it.each([
    [['keys', 'issue', '--account', 'Ada'], 'named by its number, not by "Ada"'],
    [['keys', 'rotate', '999999'], 'There is no key 999999: vis-server keys list --account …'],
    [['keys', 'rotate', 'x1Zw'], 'The key is named by its number, not by "x1Zw"'],
    [['keys', 'revoke', '999999'], 'There is no key 999999'],
  ])('%j: says what to do', async (args, sentence) => {
    await expect(json(...args)).rejects.toThrow(sentence)
  })

  it.each([
    [['keys', 'issue', '--account', '999999'], 'There is no account 999999: vis-server accounts list shows them all'],
    [['keys', 'rotate', '1', '--overlap', '8d'], '--overlap takes a time of at most 7d'],
  ])('%j: says what to do, and fails', async (args, sentence) => {
    const { code, stderr, stdout } = await run(...args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })

  it('makes no key that would never work', async () => {
    const { accountId, keyId } = await anAccountWithKey()
    for (const args of [
      ['issue', '--account', accountId],
      ['rotate', keyId],
    ]) {
      const { code, stdout, stderr } = await run('keys', ...args, '--expires', '2020-01-01')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('2020-01-01T00:00:00Z, which is past: the key would never work')
    }
    expect(await json('keys', 'list', '--account', accountId)).toMatchObject([{ id: keyId, expires_at: null }])
  })
})
