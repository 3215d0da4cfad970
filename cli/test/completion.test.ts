import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run, VIS } from './world.ts'

const scriptFor = async (shell: string) => (await run(VIS, ['completion', shell], {})).stdout

/** What bash itself would offer after these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const line = ['vis', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${await scriptFor('bash')}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _vis; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
}

describe('completion in bash', () => {
  it('offers commands', async () => {
    expect(await offered('')).toEqual(
      expect.arrayContaining(['get', 'search', 'recent', 'kev', 'detail', 'usage', 'stats', 'ping', 'completion']),
    )
    expect(await offered('se')).toEqual(['search'])
  })

  it('offers the flags of a command, and the noes of its filters', async () => {
    expect(await offered('search', '--pub')).toEqual(['--published-after', '--published-before'])
    expect(await offered('search', '--no-')).toContain('--no-kev')
    expect(await offered('usage', '--')).toEqual(['--json', '--url', '--key-file', '--help'])
  })

  it('offers the words that a flag takes', async () => {
    expect(await offered('search', '--severity', '')).toEqual(['critical', 'high', 'medium', 'low'])
    expect(await offered('search', '--sort', 'epss')).toEqual(['epss_desc', 'epss_asc'])
    expect(await offered('completion', '')).toContain('zsh')
  })

  it('offers files for --key-file', async () => {
    expect(await offered('get', '--key-file', '/bin/ba')).toContain('/bin/bash')
  })
})

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  it('names every command, and its flags with their words', async () => {
    const script = await scriptFor(shell)

    expect(script).toMatch(/severity/)
    expect(script).toContain('critical high medium low')
    expect(script).toMatch(/no-has-acsc/)
  })

  it.runIf(existsSync(`/usr/bin/${shell}`))('is a script that the shell can read', async () => {
    execFileSync(shell, ['-n', '-c', await scriptFor(shell)])
  })
})
