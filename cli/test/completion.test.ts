import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runVisctl } from './visctl-setup.ts'

const renderScript = async (shell: string) => (await runVisctl(['completion', shell], {})).stdout

/** Lets bash complete the last word of a command line and returns the candidates. */
async function completeInBash(...words: readonly string[]): Promise<string[]> {
  const line = ['visctl', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${await renderScript('bash')}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _visctl; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
}

const COMMANDS = [
  'get',
  'search',
  'facets',
  'export',
  'suggest',
  'alias',
  'recent',
  'filters',
  'kev',
  'detail',
  'exploits',
  'epss',
  'history',
  'match',
  'scan',
  'prioritize',
  'states',
  'changes',
  'mirror',
  'gate',
  'views',
  'usage',
  'keys',
  'members',
  'origins',
  'audit',
  'stats',
  'health',
  'ping',
  'completion',
]

describe('visctl completion for bash', () => {
  it('completes the names of commands', async () => {
    expect(await completeInBash('')).toEqual([...COMMANDS, 'help', '--help', '--version'])
    expect(await completeInBash('se')).toEqual(['search'])
    expect(await completeInBash('help', '')).toEqual(COMMANDS)
  })

  it('completes the options of a command, including the --no- forms of filters', async () => {
    expect(await completeInBash('search', '--pub')).toEqual(['--published-after', '--published-before'])
    expect(await completeInBash('search', '--no-')).toContain('--no-kev')
    expect(await completeInBash('health', '--')).toEqual(['--json', '--url', '--key-file', '--help'])
  })

  it('completes the allowed values of an option and of an argument', async () => {
    expect(await completeInBash('search', '--severity', '')).toEqual(['critical', 'high', 'medium', 'low'])
    expect(await completeInBash('search', '--sort', 'epss')).toEqual(['epss_desc', 'epss_asc'])
    expect(await completeInBash('gate', '--severity', 'c')).toEqual(['critical'])
    expect(await completeInBash('members', 're')).toEqual(['remove'])
    expect(await completeInBash('members', 'invite', 'ada@example.org', '--role', '')).toEqual(['viewer', 'admin'])
    expect(await completeInBash('gate', '--priority', 'P')).toEqual(['P0', 'P1', 'P2', 'P3', 'P4'])
    expect(await completeInBash('prioritize', '--exposure', 'e')).toEqual(['exposed'])
    expect(await completeInBash('scan', '--format', 'o')).toEqual(['openvex'])
    expect(await completeInBash('suggest', 'v')).toEqual(['vendor'])
    expect(await completeInBash('completion', '')).toContain('zsh')
  })

  it('completes file names after --key-file, after --file and --output of gate, and for the document to scan', async () => {
    expect(await completeInBash('get', '--key-file', '/bin/ba')).toContain('/bin/bash')
    expect(await completeInBash('gate', '--file', '/bin/ba')).toContain('/bin/bash')
    expect(await completeInBash('gate', '--output', '/bin/ba')).toContain('/bin/bash')
    expect(await completeInBash('scan', '/bin/ba')).toContain('/bin/bash')
    expect(await completeInBash('scan', '--suppress', '/bin/ba')).toContain('/bin/bash')
  })
})

describe.each(['zsh', 'fish'])('visctl completion for %s', (shell) => {
  it(`names every command, its options and their values in the ${shell} script`, async () => {
    const script = await renderScript(shell)

    for (const command of COMMANDS) expect(script).toContain(command)
    expect(script).toContain('critical high medium low')
    expect(script).toContain('no-has-acsc')
  })

  it.runIf(existsSync(`/usr/bin/${shell}`))(`prints a script that ${shell} can parse`, async () => {
    execFileSync(shell, ['-n', '-c', await renderScript(shell)])
  })
})
