import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, visctl } = await startVisctlSetup()
const manager = createTestKey()
await given(account('pro').withKey(manager, { name: 'manager', scopes: ['read', 'manage'] }))
const run = (...argv: readonly string[]) => visctl(argv, { VIS_API_KEY: manager.key })

describe('visctl keys', () => {
  it('prints a new key alone on standard output, and lists, rotates and revokes it', async () => {
    const created = await run('keys', 'create', '--name', 'ci', '--scopes', 'read', '--allowed-ips', '0.0.0.0/0')
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vis_test_\w{49}\n$/) })
    const [, id = ''] = /^Created key (\d+) \(ci, …\w{4}\)\. Save the new key now/.exec(created.stderr) ?? []
    expect((await visctl(['usage', '--by', 'day'], { VIS_API_KEY: created.stdout.trim() })).code).toBe(0)

    const rotated = await run('keys', 'rotate', id, '--overlap-hours', '0')
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vis_test_\w{49}\n$/) })
    expect(rotated.stderr).toContain(`Key ${id} expired at `)
    const list = await run('keys', 'list')
    expect(list.stdout).toMatch(/^ID +NAME +KEY +STATE +SCOPES +LAST USED +EXPIRES +ADDRESSES\n/)
    expect(list.stdout).toMatch(new RegExp(`${id} +ci +vis_test_…\\w{4} +expired → \\d+ +read `))
    const [, next = ''] = /^Created key (\d+)/.exec(rotated.stderr) ?? []
    expect(await run('keys', 'revoke', next)).toMatchObject({ code: 0, stdout: '' })
    expect((await run('keys', 'rotate', next)).stderr).toContain('is revoked and cannot be rotated')
  })

  it.each([
    [['keys', 'rotate'], 'visctl keys rotate needs the id of a key.'],
    [['keys', 'list', '7'], 'visctl keys list takes no id.'],
    [['keys', 'create'], 'visctl keys create needs --name.'],
    [['members', 'invite'], 'visctl members invite needs an e-mail.'],
    [['members', 'remove'], 'visctl members remove needs the id of a member.'],
    [['members', 'role', '3'], 'visctl members role needs --role.'],
    [['members', 'remove', '3', '--role', 'viewer'], 'visctl members remove takes no --role.'],
    [['members', 'list', '3'], 'visctl members list takes no argument.'],
    [['origins', 'add'], 'visctl origins add needs an origin.'],
  ])('explains what is wrong with %j', async (argv, message) => {
    const { code, stderr } = await run(...argv)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('explains which scope is missing if a key lacks the scope manage', async () => {
    const { code, stderr } = await visctl(['keys', 'list'])
    expect([code !== 0, stderr]).toEqual([
      true,
      expect.stringContaining('This needs an API key with the scope manage.'),
    ])
  })
})

describe('visctl members', () => {
  it('prints an invitation link alone on standard output, and lists, changes and removes the member', async () => {
    expect(await run('members', 'list')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('The account has no members.'),
    })

    const invited = await run('members', 'invite', 'Ada@example.org')
    expect(invited).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^https?:\S+\/console\/enter#[\w-]{43}\n$/),
    })
    const [, id = ''] =
      /^Invited (\d+) \(ada@example\.org\) as viewer\. This server sends no/.exec(invited.stderr) ?? []
    expect((await run('members', 'role', id, '--role', 'admin')).stderr).toContain('has the role admin')
    expect((await run('members', 'list')).stdout).toMatch(
      new RegExp(`^ID +E-MAIL +ROLE +STATE +LAST SIGN-IN\n *${id} +ada@example\\.org +admin +invited +never\n$`),
    )
    expect(await run('members', 'remove', id)).toMatchObject({ code: 0, stdout: '' })
    expect(JSON.parse((await run('members', 'list', '--json')).stdout)).toEqual([])
    expect((await run('members', 'remove', id)).stderr).toContain(`This account has no member ${id}`)
  })

  it('explains who may appoint an owner, and what an e-mail address looks like', async () => {
    expect((await run('members', 'invite', 'eve@example.org', '--role', 'owner')).stderr).toContain(
      'Only an owner of the account, signed in to the console, may invite',
    )
    const { code, stderr } = await run('members', 'invite', 'eve')
    expect([code !== 0, stderr]).toEqual([true, expect.stringContaining('email')])
  })
})

describe('visctl origins, audit and usage --by', () => {
  it('change the browser origins, and list the changes and the credits used', async () => {
    expect((await run('origins', 'add', 'https://app.example')).stdout).toMatch(
      /^ORIGIN +ADDED\nhttps:\/\/app\.example +2/,
    )
    expect((await run('origins', 'remove', 'https://app.example')).stderr).toContain('no browser origins')
    expect((await run('audit', '--limit', '1')).stdout).toMatch(
      /^TIME +ACTOR +ACTION +KEY +DETAILS\n\S+ +key:\d+ +account\.origins +added=\[\] removed=\["https:\/\/app\.example"\]\n$/,
    )
    await run('stats')
    const { stdout, stderr } = await run('usage', '--by', 'endpoint,key')
    expect(stdout).toMatch(/^ENDPOINT +KEY +CALLS +CREDITS\nget-stats +\d+ +1 +0\.5\ntotal +total +1 +0\.5\n$/)
    expect(stderr).toMatch(/^From \d{4}-\d\d-01 to \d{4}-\d\d-\d\d \(UTC\)/)
  })
})
