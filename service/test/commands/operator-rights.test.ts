// Operators use the same database functions as accounts, but without the limits for accounts (ADR 0021).
import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../support/builders.ts'
import { addMember } from '../support/members.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { environment, given, json, rows, run } = await openOperatorHarness()

async function createAccount(): Promise<string> {
  const made = account('pro').withKey(createTestKey()).suspended()
  await given(made)
  return made.id
}

describe('For a suspended account, an operator can', () => {
  it('issue a key beyond the 20 allowed, even after 200 changes today', async () => {
    const accountId = await createAccount()
    await rows(
      `with stored as (
         insert into accounts.api_key (account_id, digest, prefix, last_four)
         select $1, sha256(int8send(number)), 'vis_test_', 'last' from generate_series(1, 30) number
       )
       insert into accounts.audit (actor, action, account_id)
       select 'key:1', 'account.origins', $1 from generate_series(1, 200)`,
      [accountId],
    )
    const { id } = await json('keys', 'issue', '--account', accountId, '--name', 'late', '--expires', '2100-01-01')

    expect(await rows('select actor, action, details from accounts.audit where key_id = $1', [id])).toEqual([
      {
        actor: `postgres (${userInfo().username})`,
        action: 'key.issue',
        details: { name: 'late', scopes: ['read'], expires_at: '2100-01-01T00:00:00Z' },
      },
    ])
  })

  it('rotate a key that has expired', async () => {
    const made = account('pro').withKey(createTestKey(), { expired: true }).suspended()
    await given(made)
    const [expired] = await json('keys', 'list', '--account', made.id)

    expect(await json('keys', 'rotate', expired.id)).toMatchObject({
      state: 'active',
      expires_at: null,
      replaces: { id: expired.id, state: 'expired', expires_at: expired.expires_at },
    })
  })

  it('revoke the last key with the scope manage', async () => {
    const made = account('pro').withKey(createTestKey(), { scopes: ['manage'] })
    await given(made)
    const [key] = await json('keys', 'list', '--account', made.id)

    expect(await json('keys', 'revoke', key.id)).toMatchObject({ state: 'revoked' })
  })

  it('remove the last owner, and invite another one beyond 100 members', async () => {
    const accountId = await createAccount()
    const member = { accountId, email: 'last@example.org', role: 'owner' } as const
    const id = await addMember(environment['DATABASE_URL'] ?? '', member)
    await rows(
      `insert into accounts.member (account_id, email, role)
       select $1, 'm' || number || '@example.org', 'viewer' from generate_series(1, 120) number`,
      [accountId],
    )

    expect(await json('members', 'role', id, 'viewer')).toMatchObject({ role: 'viewer' })
    expect(await json('members', 'remove', id)).toMatchObject({ state: 'removed' })
    expect(await json('members', 'remove', id)).toMatchObject({ state: 'removed' })
    const invitation = ['--account', accountId, '--email', 'next@example.org', '--role', 'owner']
    expect(await json('members', 'invite', ...invitation)).toMatchObject({ role: 'owner', state: 'invited' })
    expect((await run('members', 'role', id, 'owner')).stderr).toContain(`Member ${id} was removed.`)
  })

  it('list more than 20 browser origins', async () => {
    const accountId = await createAccount()
    const origins = Array.from({ length: 25 }, (_, number) => `https://a${number}.example`)

    expect((await json('accounts', 'origins', accountId, ...origins)).origins).toHaveLength(25)
  })
})
