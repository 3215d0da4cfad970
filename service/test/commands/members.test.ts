import { describe, expect, it } from 'vitest'
import { account } from '../support/builders.ts'
import { addMember, openMemberSession } from '../support/members.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { environment, given, json, rows, run } = await openOperatorHarness()
const databaseUrl = environment['DATABASE_URL'] ?? ''

async function createAccount(): Promise<string> {
  const made = account('pro')
  await given(made)
  return made.id
}

const readAudit = (memberId: string) =>
  rows('select action, details::text as details from accounts.audit where member_id = $1 order by id', [memberId])

describe('vis-server members', () => {
  it('prints an invitation link on stdout and stores only its digest', async () => {
    const accountId = await createAccount()

    const invitation = ['--account', accountId, '--email', 'Ada@Example.org', '--role', 'owner']
    const { code, stdout, stderr } = await run('members', 'invite', ...invitation)

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/\S+\/console\/enter#[\w-]{43}\n$/)])
    expect(stderr).toContain('within 72 hours')
    const [token] = await rows(
      "select encode(digest, 'hex') = encode(sha256(convert_to($1, 'UTF8')), 'hex') as is_digest from accounts.sign_in_token",
      [stdout.trim().split('#')[1]],
    )
    expect(token).toEqual({ is_digest: true })
    const [member] = await json('members', 'list', '--account', accountId)
    expect(member).toMatchObject({ email: 'ada@example.org', role: 'owner', state: 'invited' })
    expect(await readAudit(member.id)).toEqual([{ action: 'member.invite', details: '{"role": "owner"}' }])
  })

  it('changes the role, removes a member with all sessions, and erases the e-mail address but not the audit log', async () => {
    const accountId = await createAccount()
    const id = await addMember(databaseUrl, { accountId, email: 'grace@example.org', role: 'viewer' })
    await openMemberSession(databaseUrl, id)

    expect(await json('members', 'role', id, 'admin')).toMatchObject({ role: 'admin', state: 'active' })
    expect(await json('sessions', 'list', '--account', accountId)).toMatchObject([{ member_id: id, role: 'admin' }])
    expect(await json('members', 'remove', id)).toMatchObject({ state: 'removed', email: 'grace@example.org' })
    expect(await json('sessions', 'list', '--account', accountId)).toEqual([])
    expect(await json('members', 'erase', id)).toMatchObject({ state: 'removed', email: null })

    const audit = await readAudit(id)
    expect(audit.map((row) => row['action'])).toEqual(['member.role', 'member.remove', 'member.erase'])
    const [{ found } = { found: 0 }] = await rows<{ found: number }>(
      `select count(*)::integer as found from (
         select m::text as row from accounts.member m union all select a::text from accounts.audit a
         union all select t::text from accounts.sign_in_token t union all select q::text from accounts.mail q
       ) stored where row like '%grace@%'`,
    )
    expect(found).toBe(0)
  })

  it('ends the sessions of only one member', async () => {
    const accountId = await createAccount()
    const [first, second] = [
      await addMember(databaseUrl, { accountId, email: 'first@example.org', role: 'viewer' }),
      await addMember(databaseUrl, { accountId, email: 'second@example.org', role: 'viewer' }),
    ]
    for (const member of [first, first, second]) await openMemberSession(databaseUrl, member)

    const ended = await json('sessions', 'end', '--account', accountId, '--member', first)

    expect(ended).toEqual({ ended_sessions: 2 })
    expect(await json('sessions', 'list', '--account', accountId)).toMatchObject([{ member_id: second }])
  })

  it.each([
    [['members', 'invite', '--account', '1', '--email', 'no e-mail'], 'an e-mail address'],
    [['members', 'invite', '--account', '1', '--email', 'a@b.c', '--role', 'boss'], 'owner'],
    [['members', 'remove', '999999'], 'There is no member 999999'],
    [['members', 'list', '--account', '999999'], 'There is no account 999999'],
  ])('explains what is wrong with %j', async (args, words) => {
    const { code, stderr } = await run(...args)

    expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
  })
})
