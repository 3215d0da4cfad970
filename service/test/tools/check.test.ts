import { describe, expect, it } from 'vitest'
import { type Check, command, runChecks } from '../../../tools/check.ts'

async function run(...checks: readonly Check[]) {
  const lines: string[] = []
  const hasPassed = await runChecks(checks, 2, (line) => lines.push(line))
  return { hasPassed, lines }
}

const node = (name: string, script: string) => command(name, process.execPath, '-e', script)

describe('npm run check', () => {
  it('says one line per check, how long it took, and what it saw', async () => {
    const { hasPassed, lines } = await run(node('quiet', ''), node('counting', 'console.log("docs: 9 files")'))

    expect(hasPassed).toBe(true)
    expect(lines.sort((a, b) => a.slice(14).localeCompare(b.slice(14)))).toEqual([
      expect.stringMatching(/^ok +\d+\.\d s {2}counting {2}\(docs: 9 files\)$/),
      expect.stringMatching(/^ok +\d+\.\d s {2}quiet$/),
    ])
  })

  it('fails if one check does, and repeats all that it said', async () => {
    const faulty = node('faulty', 'console.log("first\\nsecond"); console.error("third"); process.exit(3)')
    const { hasPassed, lines } = await run(faulty, node('good', ''))

    expect(hasPassed).toBe(false)
    expect(lines).toContainEqual(expect.stringMatching(/^FAILED +\d+\.\d s {2}faulty$/))
    expect(lines).toContainEqual(expect.stringMatching(/^\n=== faulty\n(?=[\s\S]*first\nsecond)(?=[\s\S]*third)/))
    expect(lines.at(-1)).toBe('\n1 of 2 checks failed: faulty')
  })

  it('fails if a program is missing, and says what to do', async () => {
    const { hasPassed, lines } = await run(command('absent', 'no-such-program'))

    expect(hasPassed).toBe(false)
    expect(lines.join()).toMatch(/no-such-program could not be started .* Run "npm ci" first/)
  })

  it('fails if a check was killed', async () => {
    expect(await run(node('killed', 'process.kill(process.pid, "SIGKILL")'))).toMatchObject({ hasPassed: false })
  })
})
