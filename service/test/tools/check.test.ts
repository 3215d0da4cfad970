import { describe, expect, it } from 'vitest'
import { type Check, command, runChecks } from '../../../tools/check.ts'

async function run(...checks: readonly Check[]) {
  const lines: string[] = []
  const hasPassed = await runChecks(checks, 2, (line) => lines.push(line))
  return { hasPassed, lines }
}

const node = (name: string, script: string) => command(name, process.execPath, '-e', script)

describe('npm run check', () => {
  it('prints one line per check with its duration and summary', async () => {
    const { hasPassed, lines } = await run(node('quiet', ''), node('counting', 'console.log("docs: 9 files")'))

    expect(hasPassed).toBe(true)
    expect(lines.sort((a, b) => a.slice(14).localeCompare(b.slice(14)))).toEqual([
      expect.stringMatching(/^ok +\d+\.\d s {2}counting {2}\(docs: 9 files\)$/),
      expect.stringMatching(/^ok +\d+\.\d s {2}quiet$/),
    ])
  })

  it('fails if one check fails and prints the output of that check', async () => {
    const broken = node('broken', 'console.log("first\\nsecond"); console.error("third"); process.exit(3)')
    const { hasPassed, lines } = await run(broken, node('good', ''))

    expect(hasPassed).toBe(false)
    expect(lines).toContainEqual(expect.stringMatching(/^FAILED +\d+\.\d s {2}broken$/))
    expect(lines).toContainEqual(expect.stringMatching(/^\n=== broken\n(?=[\s\S]*first\nsecond)(?=[\s\S]*third)/))
    expect(lines.at(-1)).toBe('\n1 of 2 checks failed: broken')
  })

  it('reports a missing program and suggests npm ci', async () => {
    const { hasPassed, lines } = await run(command('absent', 'no-such-program'))

    expect(hasPassed).toBe(false)
    expect(lines.join()).toMatch(/no-such-program could not start .* Run "npm ci" first/)
  })

  it('fails if a check is killed by a signal', async () => {
    expect(await run(node('killed', 'process.kill(process.pid, "SIGKILL")'))).toMatchObject({ hasPassed: false })
  })
})
