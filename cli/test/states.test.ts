import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, visctl } = await startVisctlSetup()
const folder = await mkdtemp(join(tmpdir(), 'vis-states-'))

async function createRunner() {
  const key = createTestKey()
  await given(account('pro').withKey(key, { scopes: ['read', 'triage'] }))
  return (...argv: readonly string[]) => visctl(['states', ...argv], { VIS_API_KEY: key.key })
}

const ENTRY = ['CVE-2021-23337', 'pkg:npm/lodash', '--versions', '<4.17.21'] as const

describe('visctl states', () => {
  it('sets, replaces, lists and removes a state, and shows its history', async () => {
    const run = await createRunner()
    const set = await run('set', ...ENTRY, '--state', 'not_affected', '--justification', 'component_not_present')
    expect(set).toMatchObject({
      code: 0,
      stderr: 'CVE-2021-23337 in pkg:npm/lodash <4.17.21 is not_affected (revision 1): suppresses.\n',
    })
    await run('set', ...ENTRY, '--state', 'accepted', '--action', 'later', '--until', '2027-01-31', '--note', 'why')
    expect((await run('list')).stdout).toMatch(
      /^CVE +STATE +EFFECT +SCOPE +VERSIONS +UNTIL +BY +NOTE\nCVE-2021-23337 +accepted +suppresses +pkg:npm\/lodash +<4\.17\.21 +2027-01-31 +key:\d+ +why\n$/,
    )
    expect(JSON.parse((await run('list', '--effect', 'reopened', '--json')).stdout)).toEqual([])
    expect((await run('remove', ...ENTRY)).code).toBe(0)
    expect((await run('history', 'CVE-2021-23337')).stdout).toMatch(
      / 3 +removed .*\n.* 2 +accepted .*\n.* 1 +not_affected /,
    )
  })

  it('does not overwrite a revision that the command line does not name', async () => {
    const run = await createRunner()
    await run('set', ...ENTRY, '--state', 'fixed')
    await run('set', ...ENTRY, '--state', 'fixed', '--note', 'x')
    const refused = await run('set', ...ENTRY, '--state', 'affected', '--revision', '1')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('has revision 2 now')
  })

  it('exports a document and imports it again', async () => {
    const [run, other] = [await createRunner(), await createRunner()]
    await run('set', ...ENTRY, '--state', 'accepted')
    const exported = await run('export')
    expect(JSON.parse(exported.stdout).statements).toHaveLength(1)
    expect(exported.stderr).toContain('1 entries have an end')
    const file = join(folder, 'vex.json')
    await writeFile(file, exported.stdout)
    expect((await other('import', file)).stdout).toBe('1 created, 0 replaced, 0 unchanged.\n')
    await other('set', ...ENTRY, '--state', 'affected')
    expect((await other('import', file)).stdout).toContain(
      '--replace replaces them:\n  CVE-2021-23337 pkg:npm/lodash <4.17.21\n',
    )
  })

  it('prints no control characters and no commands of a CI system out of a document', async () => {
    const [run, file] = [await createRunner(), join(folder, 'hostile.json')]
    const products = ['\u001b]0;x\u0007', '\u202egnp.exe', '##vso[task.setvariable]x', 'a\n::error::x']
    const statement = { vulnerability: 'CVE-2021-23337', status: 'fixed', products }
    await writeFile(file, JSON.stringify({ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [statement] }))
    const { code, stdout } = await run('import', file)
    expect([code, stdout]).toEqual([0, expect.stringContaining('4 problems')])
    expect(stdout).not.toMatch(/(?!\n)\p{Control}|\u202e|##vso|^\s*::/mu)
  })

  it.each([
    [['set', 'CVE-2021-23337'], 'visctl states set takes a CVE id and a scope.'],
    [['list', 'CVE-2021-23337'], 'visctl states list takes no argument.'],
    [['set', ...ENTRY], 'visctl states set needs --state.'],
    [['import', join(folder, 'absent')], 'could not be read'],
  ])('refuses %j with advice', async (argv, message) => {
    const run = await createRunner()
    const { code, stderr } = await run(...argv)
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })
})
