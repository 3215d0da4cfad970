import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../support/builders.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { runCommand } from '../support/run-command.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { given, json, rows, run } = await openOperatorHarness()

async function readAccount(id: string) {
  const [row] = await rows('select name, plan, limit_half::int, suspended_at from accounts.account where id = $1', [id])
  return row
}

async function createFreeAccount(): Promise<string> {
  const made = account('free')
  await given(made)
  return made.id
}

describe('vis-server accounts create', () => {
  it('prints the new id on stdout and the next step on stderr', async () => {
    const { code, stdout, stderr } = await run('accounts', 'create', '--name', 'Ada', '--plan', 'free')

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)])
    const id = stdout.trim()
    expect(stderr).toBe(
      `Created account ${id}: Ada, free, 1,000 credits a month. Issue a key: vis-server keys issue --account ${id}\n`,
    )
    expect(await readAccount(id)).toEqual({ name: 'Ada', plan: 'free', limit_half: 2000, suspended_at: null })
  })

  it('stores a quota in steps of half a credit and prints the account as JSON', async () => {
    const made = await json('accounts', 'create', '--name', 'Bo', '--plan', 'enterprise', '--quota', '1000000.5')

    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Bo',
      plan: 'enterprise',
      quota: 1_000_000.5,
      used: 0,
      state: 'active',
      suspended_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      active_keys: 0,
    })
    expect(await readAccount(made.id)).toMatchObject({ plan: 'enterprise', limit_half: 2_000_001 })
  })
})

describe('vis-server accounts list', () => {
  it('prints all accounts as a table, or as JSON with --json', async () => {
    const spent = account('pro')
      .withKey(createTestKey())
      .withKey(createTestKey(), { revoked: true })
      .withCreditsLeft(29_987.5)
    const idle = account('free').suspended()
    await given(spent, idle)

    const [text, list] = [(await run('accounts', 'list')).stdout, await json('accounts', 'list')]

    const lines = text.split('\n').map((line) => line.split(/\s{2,}/))
    expect(lines[0]).toEqual(['ID', 'NAME', 'PLAN', 'QUOTA', 'USED THIS MONTH', 'STATE', 'KEYS'])
    expect(lines).toContainEqual([spent.id, 'a pro account', 'pro', '30,000', '12.5', 'active', '1'])
    expect(lines).toContainEqual([idle.id, 'a free account', 'free', '1,000', '0', 'suspended', '0'])
    expect(list).toContainEqual(expect.objectContaining({ id: spent.id, quota: 30_000, used: 12.5, active_keys: 1 }))
  })

  it('explains how to create an account when no account exists', async () => {
    const none = await openOperatorHarness()
    expect(await none.run('accounts', 'list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There are no accounts. Create one: vis-server accounts create --name … --plan free\n',
    })
    expect(await none.json('accounts', 'list')).toEqual([])
  })
})

describe('vis-server accounts show', () => {
  it('shows plan, usage, origins, the last four characters of each key, and the last changes', async () => {
    const [key, old] = [createTestKey(), createTestKey()]
    const shown = account('pro')
      .withQuota(100)
      .withCreditsLeft(87.5)
      .withOrigins('https://a.example', 'http://localhost:8080')
      .withKey(key)
      .withKey(old, { expired: true })
    await given(shown)
    await run('accounts', 'suspend', shown.id, '--reason', 'invoice 4711 is open')

    const [{ stdout }, all] = [await run('accounts', 'show', shown.id), await json('accounts', 'show', shown.id)]

    expect(stdout).toMatch(/^Account \d+: a pro account\nplan {5}pro\nstate {4}suspended since 2/)
    expect(stdout).toContain('used     12.5 of 100 credits (12.5 %)\nleft     87.5 credits\n')
    expect(stdout).toContain('origins  http://localhost:8080\n         https://a.example\n')
    expect(stdout).toMatch(new RegExp(`vis_test_…${key.lastFour} +read +active`))
    expect(stdout).toMatch(new RegExp(`vis_test_…${old.lastFour} +read +expired`))
    expect(stdout).toMatch(/account\.suspend +reason=invoice 4711 is open\n/)
    expect(all).toMatchObject({
      id: shown.id,
      state: 'suspended',
      usage: { plan: 'pro', credits_limit: 100, credits_used: 13, credits_remaining: 87, percentage_used: 12.5 },
      origins: ['http://localhost:8080', 'https://a.example'],
      keys: [
        { prefix: 'vis_test_', last_four: key.lastFour, state: 'active', expires_at: null },
        { prefix: 'vis_test_', last_four: old.lastFour, state: 'expired' },
      ],
      last_actions: expect.arrayContaining([
        expect.objectContaining({ action: 'account.suspend', details: { reason: 'invoice 4711 is open' } }),
      ]),
    })
    for (const secret of [key.key, old.key, key.digest.toString('hex'), key.digest.toString('base64')])
      expect(stdout + JSON.stringify(all)).not.toContain(secret)
  })
})

describe('vis-server accounts suspend and resume', () => {
  it('refuses all keys of a suspended account and accepts them again after resume', async () => {
    const key = createTestKey()
    const made = account('pro').withKey(key)
    await given(made)
    const refusal = async () => {
      const [caller] = await rows('select refusal from accounts.find_caller($1)', [key.digest])
      return caller?.['refusal']
    }

    expect((await run('accounts', 'suspend', made.id)).stdout).toMatch(
      /^Account \d+: a pro account is suspended since 2/,
    )
    expect(await refusal()).toBe('suspended')
    const again = await run('accounts', 'suspend', made.id)
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(', as before: nothing was changed.')])
    expect(await json('accounts', 'resume', made.id)).toMatchObject({
      id: made.id,
      state: 'active',
      suspended_at: null,
    })
    expect(await refusal()).toBeNull()
    expect((await run('accounts', 'resume', made.id)).stdout).toContain('is active, as before: nothing was changed.')
  })
})

describe('vis-server accounts origins', () => {
  it("shows, replaces and clears an account's list of browser origins", async () => {
    const id = await createFreeAccount()

    expect(await run('accounts', 'origins', id)).toMatchObject({ code: 0, stdout: '' })
    const set = await run('accounts', 'origins', id, 'https://b.example', 'http://localhost:8080', 'https://b.example')
    expect(set.stdout).toBe('http://localhost:8080\nhttps://b.example\n')
    expect(await json('accounts', 'origins', id, 'https://b.example', 'https://c.example')).toEqual({
      id,
      origins: ['https://b.example', 'https://c.example'],
    })
    expect((await run('accounts', 'origins', id)).stdout).toBe('https://b.example\nhttps://c.example\n')
    expect(await json('accounts', 'origins', id, '--clear')).toEqual({ id, origins: [] })
  })

  it('changes nothing when one of several origins is invalid', async () => {
    const id = await createFreeAccount()
    const { code, stdout, stderr } = await run('accounts', 'origins', id, 'https://a.example', 'https://B.example/')

    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      '"https://B.example/" is not the form in which browsers send an origin. Did you mean https://b.example ?\n',
    )
    expect(await json('accounts', 'origins', id)).toEqual({ id, origins: [] })
  })
})

describe('vis-server accounts: invalid arguments', () => {
  it.each([
    [['accounts', 'create', '--name', 'Ada', '--plan', 'enterprise'], 'The enterprise plan has no default quota'],
    [
      ['accounts', 'show', 'Ada'],
      '"Ada" is not an account id. Ids are numbers; look them up: vis-server accounts list',
    ],
    [['accounts', 'set-plan', '999999', 'pro'], 'There is no account 999999'],
    [['accounts', 'set-quota', '999999', '5'], 'There is no account 999999'],
    [['accounts', 'set-quota', '1', '-5'], 'in steps of 0.5, such as 5000 or 12.5; not "-5"'],
    [['accounts', 'suspend', '999999'], 'There is no account 999999'],
    [['accounts', 'origins', '999999'], 'There is no account 999999'],
    [
      ['accounts', 'origins', '1', 'https://a.example', '--clear'],
      '--clear removes all origins and cannot be combined with new origins',
    ],
  ])('rejects the arguments %j with the message %j', async (args, sentence) => {
    await expect(json(...args)).rejects.toThrow(sentence)
  })

  it.each([
    [['accounts', 'create', '--name', 'Ada', '--plan', 'gold'], 'Allowed choices are free, pro, business, enterprise'],
    [['accounts', 'create', '--plan', 'free'], "required option '--name <name>' not specified"],
    [['accounts', 'show', '999999'], 'There is no account 999999. List all accounts: vis-server accounts list'],
    [['accounts', 'set-plan', '1', 'gold'], 'Allowed choices are free, pro, business, enterprise'],
    [['accounts', 'lst'], 'Did you mean list?'],
  ])(
    'exits with code 1 and without a stack trace for the arguments %j, with the message %j',
    async (args, sentence) => {
      const { code, stderr, stdout } = await run(...args)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(sentence)
      expect(stderr).not.toContain('    at ')
    },
  )

  it('asks the operator to migrate an empty database', async () => {
    const { url } = await createEmptyDatabase()
    const { code, stderr } = await runCommand(['accounts', 'list'], { DATABASE_URL: url })
    expect([code, stderr]).toEqual([1, expect.stringContaining('Run: vis-server migrate')])
    expect(stderr).not.toContain('    at ')
  })
})
