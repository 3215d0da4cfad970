import { describe, expect, it } from 'vitest'
import { toKeyDigest } from '../../src/accounts/keys/api-key.ts'
import { SCOPES } from '../../src/domain/account/scope.ts'
import { account, createTestKey } from '../support/builders.ts'
import { runCommand } from '../support/run-command.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { environment, given, json, rows, run } = await openOperatorHarness()

async function createAccountWithKey(): Promise<{ accountId: string; keyId: string }> {
  const made = account('pro').withKey(createTestKey())
  await given(made)
  const [key] = await rows<{ id: string }>('select id from accounts.api_key where account_id = $1', [made.id])
  return { accountId: made.id, keyId: key?.id ?? '' }
}

/** Looks up an API key. Returns the plan of its account, the reason why the key is refused, or 'unknown'. */
async function lookUpKey(key: string): Promise<string> {
  const [caller] = await rows(`select coalesce(refusal, plan) as result from accounts.find_caller(decode($1, 'hex'))`, [
    toKeyDigest(key),
  ])
  return caller?.['result'] ?? 'unknown'
}

async function readSecondsLeft(keyId: string): Promise<number | null> {
  const [row] = await rows<{ left: number | null }>(
    'select extract(epoch from expires_at - now())::int as left from accounts.api_key where id = $1',
    [keyId],
  )
  return row?.left ?? null
}

describe('vis-server keys issue', () => {
  it('prints the key on stdout, and prints a note without the key on stderr', async () => {
    const { accountId } = await createAccountWithKey()
    const { code, stdout, stderr } = await run('keys', 'issue', '--account', accountId)

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^vis_test_\w{49}\n$/)])
    expect(stderr).toMatch(
      /^Issued key \d+ of account \d+, without expiry\. Save the new key now: only its digest is stored\.\n$/,
    )
    expect(stderr).not.toContain(stdout.trim())
    expect(await lookUpKey(stdout.trim())).toBe('pro')
  })

  it('explains every scope in its help', async () => {
    const { stdout } = await run('keys', 'issue', '--help')
    for (const scope of SCOPES) expect(stdout).toContain(`${scope}:`)
  })

  it('prints the new key as JSON with --json', async () => {
    const { accountId } = await createAccountWithKey()
    const issued = await json('keys', 'issue', '--account', accountId)

    expect(issued).toEqual({
      id: expect.stringMatching(/^\d+$/),
      account_id: accountId,
      key: expect.stringMatching(/^vis_test_\w{49}$/),
      name: null,
      prefix: 'vis_test_',
      last_four: issued.key.slice(-4),
      scopes: ['read'],
      allowed_ips: [],
      state: 'active',
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      last_used_on: null,
      replaced_by: null,
    })
  })

  it('gives the key a name and scopes', async () => {
    const { accountId } = await createAccountWithKey()
    const issue = (...options: readonly string[]) => run('keys', 'issue', '--account', accountId, ...options)
    expect((await issue('--scopes', 'manage,read', '--name', 'console')).code).toBe(0)

    const { stdout } = await run('keys', 'list', '--account', accountId)
    expect(stdout).toMatch(/ console +read,manage +active /)
    for (const wrong of ['write', 'read,write', ''])
      expect((await issue('--scopes', wrong)).stderr).toContain(
        '--scopes takes a comma-separated list of read and manage',
      )
  })

  it('issues a vis_live_ key when NODE_ENV is production', async () => {
    const { accountId } = await createAccountWithKey()
    const live = await runCommand(['keys', 'issue', '--account', accountId], { ...environment, NODE_ENV: 'production' })
    expect(live.stdout).toMatch(/^vis_live_/)
  })

  it('sets the expiry to a time from now or to a date', async () => {
    const { accountId } = await createAccountWithKey()
    const [later, dated] = [
      await json('keys', 'issue', '--account', accountId, '--expires', '90d'),
      await json('keys', 'issue', '--account', accountId, '--expires', '2100-01-01'),
    ]

    expect(await readSecondsLeft(later.id)).toBeCloseTo(90 * 86_400, -2)
    expect(dated.expires_at).toBe('2100-01-01T00:00:00Z')
  })

  it('warns that the key of a suspended account does not work yet', async () => {
    const made = account('pro').suspended()
    await given(made)
    const { code, stderr, stdout } = await run('keys', 'issue', '--account', made.id)
    expect([code, stderr]).toEqual([0, expect.stringContaining('The account is suspended')])
    expect(await lookUpKey(stdout.trim())).toBe('suspended')
  })
})

describe('vis-server keys list', () => {
  it('shows only the prefix and the last four characters of each key', async () => {
    const [active, revoked] = [createTestKey(), createTestKey()]
    const made = account('pro').withKey(active).withKey(revoked, { revoked: true })
    await given(made)

    const { stdout } = await run('keys', 'list', '--account', made.id)
    const list = await json('keys', 'list', '--account', made.id)

    expect(stdout).toMatch(/^ID +KEY +NAME +SCOPES +STATE +CREATED +LAST USED +EXPIRES +REVOKED\n/)
    expect(stdout).toMatch(new RegExp(`vis_test_…${active.lastFour} +read +active `))
    expect(stdout).toMatch(new RegExp(`vis_test_…${revoked.lastFour} +read +revoked`))
    expect(list).toMatchObject([
      { account_id: made.id, last_four: active.lastFour, state: 'active', revoked_at: null },
      { account_id: made.id, last_four: revoked.lastFour, state: 'revoked', revoked_at: expect.any(String) },
    ])
    for (const { key, digest } of [active, revoked])
      for (const secret of [key, key.slice(9, 40), digest.toString('hex'), digest.toString('base64')])
        expect(stdout + JSON.stringify(list)).not.toContain(secret)
  })

  it('explains how to issue a key when the account has no key', async () => {
    const made = account('free')
    await given(made)
    expect(await run('keys', 'list', '--account', made.id)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Account ${made.id} has no keys. Issue one: vis-server keys issue --account ${made.id}\n`,
    })
    expect(await json('keys', 'list', '--account', made.id)).toEqual([])
  })
})

describe('vis-server keys rotate', () => {
  it('issues a key for the same account and lets the old key expire after 24 hours', async () => {
    const { accountId } = await createAccountWithKey()
    const old = await json('keys', 'issue', '--account', accountId)

    const { code, stdout, stderr } = await run('keys', 'rotate', old.id)

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^vis_test_\w{49}\n$/)])
    expect(stderr).toMatch(/^Issued key \d+ of account \d+, without expiry\. It replaces key \d+, which expires at 2/)
    expect([await lookUpKey(old.key), await lookUpKey(stdout.trim())]).toEqual(['pro', 'pro'])
    expect(await readSecondsLeft(old.id)).toBeCloseTo(86_400, -2)
  })

  it.each([
    ['30m', 1800],
    ['7d', 604_800],
  ])('lets the old key expire after --overlap %s (%i seconds)', async (overlap, seconds) => {
    const { accountId, keyId } = await createAccountWithKey()
    const rotated = await json('keys', 'rotate', keyId, '--overlap', overlap)

    expect(rotated).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      account_id: accountId,
      key: expect.stringMatching(/^vis_test_/),
      expires_at: null,
      replaces: { id: keyId, account_id: accountId, state: 'active' },
    })
    expect(await readSecondsLeft(keyId)).toBeCloseTo(seconds, -2)
  })

  it('lets the old key expire at once with --overlap 0', async () => {
    const { accountId } = await createAccountWithKey()
    const old = await json('keys', 'issue', '--account', accountId)
    const rotated = await json('keys', 'rotate', old.id, '--overlap', '0')
    expect([await lookUpKey(old.key), await lookUpKey(rotated.key)]).toEqual(['expired', 'pro'])
  })

  it('does not extend the expiry of the old key', async () => {
    const { accountId } = await createAccountWithKey()
    const short = await json('keys', 'issue', '--account', accountId, '--expires', '1h')
    await json('keys', 'rotate', short.id, '--overlap', '7d')
    expect(await readSecondsLeft(short.id)).toBeCloseTo(3600, -2)
  })

  it('keeps the name and scopes, and rejects a second rotation of the same key', async () => {
    const { accountId } = await createAccountWithKey()
    const old = await json('keys', 'issue', '--account', accountId, '--name', 'ci', '--scopes', 'read,manage')
    const next = await json('keys', 'rotate', old.id)

    expect(next).toMatchObject({ name: 'ci', scopes: ['read', 'manage'], replaces: { replaced_by: next.id } })
    expect((await run('keys', 'rotate', old.id)).stderr).toContain(
      `Key ${old.id} was already rotated: key ${next.id} replaces it.`,
    )
  })

  it('sets the expiry of the new key with --expires', async () => {
    const { keyId } = await createAccountWithKey()
    const { id } = await json('keys', 'rotate', keyId, '--expires', '90d')
    expect(await readSecondsLeft(id)).toBeCloseTo(90 * 86_400, -2)
  })

  it('rejects a revoked key and issues no new key', async () => {
    const { accountId, keyId } = await createAccountWithKey()
    await run('keys', 'revoke', keyId)
    const { code, stdout, stderr } = await run('keys', 'rotate', keyId)

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(`^Key ${keyId} is revoked since 2.*Issue a new key: vis-server keys issue --account ${accountId}\n$`),
    )
    expect(await json('keys', 'list', '--account', accountId)).toHaveLength(1)
  })
})

describe('vis-server keys grant', () => {
  it('replaces the scopes of a key, and records the change', async () => {
    const { accountId, keyId } = await createAccountWithKey()
    expect((await run('keys', 'grant', keyId, '--scopes', 'read,manage')).stdout).toBe(
      `Key ${keyId} of account ${accountId} has the scopes read, manage.\n`,
    )
    await run('keys', 'grant', keyId, '--scopes', 'manage,read')

    expect(
      await rows("select details from accounts.audit where action = 'key.grant' and key_id = $1", [keyId]),
    ).toEqual([{ details: { scopes: ['read', 'manage'], scopes_before: ['read'] } }])
  })
})

describe('vis-server keys revoke', () => {
  it('revokes a key, and changes nothing if the key is already revoked', async () => {
    const { accountId } = await createAccountWithKey()
    const { id, key } = await json('keys', 'issue', '--account', accountId)

    const first = await json('keys', 'revoke', id)
    const { code, stdout } = await run('keys', 'revoke', id)

    expect(await lookUpKey(key)).toBe('revoked')
    expect(first).toMatchObject({ id, account_id: accountId, state: 'revoked' })
    expect([code, stdout]).toEqual([0, `Key ${id} of account ${accountId} is revoked since ${first.revoked_at}.\n`])
  })
})

describe('vis-server keys: invalid arguments', () => {
  it.each([
    [['keys', 'issue', '--account', 'Ada'], '"Ada" is not an account id'],
    [
      ['keys', 'rotate', '999999'],
      'There is no key 999999. List the keys of an account: vis-server keys list --account …',
    ],
    [['keys', 'rotate', 'x1Zw'], '"x1Zw" is not a key id'],
    [['keys', 'revoke', '999999'], 'There is no key 999999'],
  ])('rejects the arguments %j with the message %j', async (args, sentence) => {
    await expect(json(...args)).rejects.toThrow(sentence)
  })

  it.each([
    [
      ['keys', 'issue', '--account', '999999'],
      'There is no account 999999. List all accounts: vis-server accounts list',
    ],
    [['keys', 'rotate', '1', '--overlap', '8d'], '--overlap takes a time of at most 7d'],
  ])(
    'exits with code 1 and without a stack trace for the arguments %j, with the message %j',
    async (args, sentence) => {
      const { code, stderr, stdout } = await run(...args)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(sentence)
      expect(stderr).not.toContain('    at ')
    },
  )

  it('issues no key whose expiry is in the past', async () => {
    const { accountId, keyId } = await createAccountWithKey()
    for (const args of [
      ['issue', '--account', accountId],
      ['rotate', keyId],
    ]) {
      const { code, stdout, stderr } = await run('keys', ...args, '--expires', '2020-01-01')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('2020-01-01T00:00:00Z, which is in the past: the key would never work')
    }
    expect(await json('keys', 'list', '--account', accountId)).toMatchObject([{ id: keyId, expires_at: null }])
  })
})
