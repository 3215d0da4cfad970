// The examples as a reader would run them: each a process of its own, against the real service.
import { type ChildProcess, spawn } from 'node:child_process'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { account, aKey } from '../../service/test/support/builders.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { atEnd } from '../../service/test/support/cleanup.ts'
import { KNOWN, world } from './world.ts'

const service = await world()
const key = aKey()
await service.given(
  account('pro').withKey(key),
  ...KNOWN,
  cve('CVE-2025-0001', { description: '=1+1, he said "no"', published: '2025-01-01T00:00:00Z', score: 9.1 }),
)

function start(example: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../examples/${example}.ts`, import.meta.url))
  const env = { PATH: process.env['PATH'], VIS_URL: service.url, VIS_API_KEY: key.key }
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => child.kill('SIGKILL'))
  return child
}

async function run(example: string, ...args: readonly string[]) {
  const { stdout, stderr } = start(example, ...args)
  if (!stdout || !stderr) throw new Error('it has no output')
  const [said, complained] = await Promise.all([textOf(stdout), textOf(stderr)])
  return { said, complained }
}

describe('the examples', () => {
  it('rank a list of CVEs: exploited ones first, then by probability, then by score', async () => {
    const { said } = await run(
      'rank-cves',
      'CVE-2024-0001',
      'CVE-2025-0001',
      'CVE-2014-0160',
      'CVE-2021-44228',
      'CVE-1999-0001',
    )

    expect(said.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'CVE-2021-44228',
      'CVE-2014-0160',
      'CVE-2025-0001',
      'CVE-2024-0001',
      'not',
      '',
    ])
    expect(said).toContain('exploited, due 2021-12-24')
  })

  it('say what was wrong', async () => {
    const { complained } = await run('rank-cves', 'CVE-nonsense')

    expect(complained).toMatch(/INVALID_PARAMETER, cve_ids/)
  })

  it('export a search to CSV', async () => {
    const { said, complained } = await run('search-to-csv', 'he', 'said')

    expect(said).toBe(
      'cve_id,published,severity,epss,kev,description\r\nCVE-2025-0001,2025-01-01T00:00:00Z,9.1,,,"\'=1+1, he said ""no"""\r\n',
    )
    expect(complained).toMatch(/^200 after \d+ ms\n$/)
  })

  it('watch for new entries of KEV', async () => {
    const watcher = start('watch-kev', '0.1')
    const lines: string[] = []
    watcher.stdout?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')))
    await expect.poll(() => lines, { timeout: 15_000 }).toEqual(['watching; 2 entries are known'])
    await service.given(cve('CVE-2026-0009', { kev: { dateAdded: '2026-08-20', product: 'Gate' } }))

    await expect.poll(() => lines[1], { timeout: 15_000 }).toBe('2026-08-20 CVE-2026-0009 Maker Gate, due 2026-08-31')
  })
})
