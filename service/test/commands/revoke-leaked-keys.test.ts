// Revokes the keys found in a text. The texts are excerpts from invented secret-scanner reports.
import { describe, expect, it } from 'vitest'
import { issueKey } from '../../src/accounts/keys/api-key.ts'
import { account, createTestKey } from '../support/builders.ts'
import { runCommand } from '../support/run-command.ts'
import { openOperatorHarness } from './operator-harness.ts'

const { environment, given, rows } = await openOperatorHarness()

const revoke = (input: Iterable<Buffer | string>, ...options: readonly string[]) =>
  runCommand(['keys', 'revoke', '--leaked', ...options], environment, input)

async function createKeys(count: number) {
  const [owner, keys] = [account('pro'), Array.from({ length: count }, createTestKey)]
  for (const key of keys) owner.withKey(key)
  await given(owner)
  return { accountId: owner.id, keys: keys.map(({ key }) => key) }
}

const readStates = async (accountId: string) =>
  rows<{ is_revoked: boolean }>(
    'select revoked_at is not null as is_revoked from accounts.api_key where account_id = $1 order by id',
    [accountId],
  ).then((all) => all.map(({ is_revoked }) => is_revoked))

describe('vis-server keys revoke --leaked', () => {
  it('revokes the keys in a text, reports counts, and prints no key', async () => {
    const { accountId, keys } = await createKeys(3)
    const [first = '', second = ''] = keys
    const unknown = createTestKey().key
    const wrong = `${first.slice(0, -1)}${first.endsWith('A') ? 'B' : 'A'}`
    const report = `{"file": "a.env", "secret": "${first}"}\ncurl -H 'X-API-Key: ${second}'\n${first},${unknown};${wrong}\n`
    const { code, stdout, stderr } = await revoke([report])

    expect(code).toBe(0)
    expect(await readStates(accountId)).toEqual([true, true, false])
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^ID +ACCOUNT +KEY +REVOKED +LAST USED$/),
      expect.stringMatching(new RegExp(`^\\d+ +${accountId} +vis_test_…${first.slice(-4)} +\\d{4}-.* never$`)),
      expect.stringMatching(new RegExp(`^\\d+ +${accountId} +vis_test_…${second.slice(-4)} +\\d{4}-.* never$`)),
      '',
    ])
    expect(stderr).toBe('2 revoked, 0 revoked before, 1 unknown, 1 with a wrong checksum (not a key, or mistyped).\n')
    for (const key of [...keys, unknown, wrong]) expect(stdout + stderr).not.toContain(key.slice(9, 30))
  })

  it('writes one audit row with the reason for each revoked key, and none for a key that was already revoked', async () => {
    const { accountId, keys } = await createKeys(1)
    await revoke(keys)
    const { stderr } = await revoke(keys)

    expect(stderr).toMatch(/^0 revoked, 1 revoked before, 0 unknown/)
    expect(
      await rows("select action, details from accounts.audit where account_id = $1 and action = 'key.revoke'", [
        accountId,
      ]),
    ).toEqual([{ action: 'key.revoke', details: { reason: 'leaked' } }])
  })

  it('prints JSON with --json', async () => {
    const { accountId, keys } = await createKeys(1)
    const { stdout } = await revoke([...keys, ' ', issueKey('live').key], '--json')

    expect(JSON.parse(stdout)).toEqual({
      revoked: [expect.objectContaining({ account_id: accountId, state: 'revoked' })],
      revoked_before: [],
      unknown: 1,
      wrong_checksum: 0,
    })
  })

  it('finds a key wherever the input is split into chunks', async () => {
    const { accountId, keys } = await createKeys(1)
    const [key = ''] = keys
    const text = `vis_ vis_live_x ${key} vis_test_`
    for (let cut = 1; cut < text.length; cut += 1) {
      const { stderr } = await revoke([text.slice(0, cut), text.slice(cut)])
      expect(stderr, `cut at ${cut}`).toMatch(/ 0 unknown, 0 with a wrong checksum/)
    }
    expect(await readStates(accountId)).toEqual([true])
    expect((await revoke([...text])).stderr).toMatch(/^0 revoked, 1 revoked before, 0 unknown/)
  })

  it.each(['utf8', 'utf16le'] as const)(
    'finds keys in text with the encoding %s and in binary data',
    async (encoding) => {
      const { accountId, keys } = await createKeys(2)
      const text = Buffer.from(`— ${keys[0]} ü ${keys[1]} 💣`, encoding)
      await revoke([Buffer.from([0xff, 0x00, 0x80]), text])

      expect(await readStates(accountId)).toEqual([true, true])
    },
  )

  it('succeeds if the text contains no key', async () => {
    const { code, stdout, stderr } = await revoke(['nothing here'])

    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^0 revoked, 0 revoked before, 0 unknown, 0 with a wrong checksum/)
  })

  it('fails if the input breaks off, and reports the keys it has already revoked', async () => {
    const { accountId, keys } = await createKeys(1)
    const breakOff = function* () {
      yield `${keys[0]}\n`
      throw new Error('the disk is gone')
    }
    const { code, stdout, stderr } = await revoke(breakOff())

    expect([code, await readStates(accountId)]).toEqual([1, [true]])
    expect(stdout).toContain(keys[0]?.slice(-4))
    expect(stderr).toContain('the disk is gone')
  })

  it.each([[['keys', 'revoke']], [['keys', 'revoke', '1', '--leaked']]])(
    'rejects %j, which names no key or both types of input',
    async (args) => {
      const { code, stderr } = await runCommand(args, environment)

      expect([code, stderr]).toEqual([1, expect.stringContaining('Name the id of one key, or use --leaked')])
    },
  )
})
