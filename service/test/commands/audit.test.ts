import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { toKeyDigest } from '../../src/accounts/keys/api-key.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { json, rows, run } = await openOperatorHarness()

const readActions = async () =>
  (await rows('select action from accounts.audit order by id')).map((row) => row['action'])

describe('Audit log of operator commands', () => {
  const keys: string[] = []

  it('records one row for each command that changed an account or a key', async () => {
    const { id } = await json('accounts', 'create', '--name', 'Ada', '--plan', 'free')
    await json('accounts', 'set-plan', id, 'pro')
    await json('accounts', 'set-quota', id, '12.5')
    await json('accounts', 'suspend', id, '--reason', 'a test')
    await json('accounts', 'resume', id)
    await json('accounts', 'origins', id, 'https://a.example')
    await json('accounts', 'origins', id, '--clear')
    const issued = await json('keys', 'issue', '--account', id)
    const rotated = await json('keys', 'rotate', issued.id)
    await json('keys', 'revoke', issued.id)
    keys.push(issued.key, rotated.key)

    const [{ login } = { login: '' }] = await rows<{ login: string }>('select session_user as login')
    const actor = `${login} (${userInfo().username})`
    const row = (action: string, key_id: string | null, details: object) => ({
      actor,
      action,
      account_id: id,
      key_id,
      details,
    })
    expect(await rows('select actor, action, account_id, key_id, details from accounts.audit order by id')).toEqual([
      row('account.create', null, { name: 'Ada', plan: 'free', quota: 1000 }),
      row('account.set-plan', null, { plan: 'pro', plan_before: 'free', quota: 30_000, quota_before: 1000 }),
      row('account.set-quota', null, { quota: 12.5, quota_before: 30_000 }),
      row('account.suspend', null, { reason: 'a test' }),
      row('account.resume', null, {}),
      row('account.origins', null, { added: ['https://a.example'], removed: [] }),
      row('account.origins', null, { added: [], removed: ['https://a.example'] }),
      row('key.issue', issued.id, { scopes: ['read'] }),
      row('key.rotate', issued.id, { replaced_by: rotated.id, expires_at: rotated.replaces.expires_at }),
      row('key.revoke', issued.id, {}),
    ])
  })

  it('records no row for commands that read, change nothing or fail', async () => {
    const before = await readActions()
    for (const args of [
      ['accounts', 'list'],
      ['accounts', 'show', '1'],
      ['accounts', 'origins', '1'],
      ['keys', 'list', '--account', '1'],
      ['usage', '1'],
      ['usage', '1', '--by', 'day'],
      ['accounts', 'set-quota', '1', '12.5'],
      ['accounts', 'set-plan', '1', 'pro', '--quota', '12.5'],
      ['accounts', 'resume', '1'],
      ['accounts', 'origins', '1', '--clear'],
      ['keys', 'revoke', '1'],
    ])
      await json(...args)
    for (const args of [
      ['accounts', 'create', '--name', 'Bo', '--plan', 'enterprise'],
      ['accounts', 'suspend', '99'],
      ['keys', 'issue', '--account', '1', '--expires', '2020-01-01'],
      ['keys', 'rotate', '1'],
      ['keys', 'rotate', '2', '--expires', '2020-01-01'],
    ])
      expect((await run(...args)).code).toBe(1)

    expect(await readActions()).toEqual(before)
  })

  it('contains neither API keys nor digests of API keys', async () => {
    const [{ all } = { all: '' }] = await rows<{ all: string }>(
      "select string_agg(audit::text, ' ') as all from accounts.audit",
    )
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      const digest = Buffer.from(toKeyDigest(key) ?? '', 'hex')
      for (const secret of [key, key.slice(9, 40), digest.toString('hex'), digest.toString('base64')])
        expect(all).not.toContain(secret)
    }
  })

  it('rolls back the change to an account or key when the audit row cannot be written, and prints no key', async () => {
    const before = await json('accounts', 'show', '1')
    await rows('alter table accounts.audit add constraint full_disk check (false) not valid')
    for (const args of [
      ['accounts', 'create', '--name', 'Bo', '--plan', 'free'],
      ['accounts', 'set-quota', '1', '99'],
      ['accounts', 'suspend', '1'],
      ['accounts', 'origins', '1', 'https://b.example'],
      ['keys', 'issue', '--account', '1'],
      ['keys', 'rotate', '2'],
      ['keys', 'revoke', '2'],
    ])
      await expect(json(...args)).rejects.toThrow('full_disk')
    const issuing = await run('keys', 'issue', '--account', '1')
    expect([issuing.code, issuing.stdout]).toEqual([1, ''])
    await rows('alter table accounts.audit drop constraint full_disk')

    expect(await json('accounts', 'show', '1')).toEqual(before)
    expect(await json('accounts', 'list')).toHaveLength(1)
  })
})
