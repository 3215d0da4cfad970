// Runs each example of the sdk as a separate process against the real service.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeSnapshot } from '../../service/src/catalog/snapshot/make.ts'
import { openSession } from '../../service/src/database/session.ts'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { cve, withdrawnCve } from '../../service/test/support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import { SAMPLE_CVES, startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
const key = createTestKey()
await service.given(
  account('pro').withKey(key),
  ...SAMPLE_CVES,
  cve('CVE-2025-0001', { description: '=1+1, a "quoted" word', published: '2025-01-01T00:00:00Z', score: 9.1 }),
)

function start(example: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../examples/${example}.js`, import.meta.url))
  const env = { PATH: process.env['PATH'], VIS_URL: service.url, VIS_API_KEY: key.key }
  const child = spawn(process.execPath, ['--conditions=source', path, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  cleanUpAfterTests(() => child.kill('SIGKILL'))
  return child
}

async function run(example: string, ...args: readonly string[]) {
  const { stdout, stderr } = start(example, ...args)
  if (!stdout || !stderr) throw new Error('the process has no output streams')
  const [output, errors] = await Promise.all([readText(stdout), readText(stderr)])
  return { output, errors }
}

describe('SDK examples', () => {
  it('rank-cves orders CVEs by KEV, then EPSS, then score', async () => {
    const { output } = await run(
      'rank-cves',
      'CVE-2024-0001',
      'CVE-2025-0001',
      'CVE-2014-0160',
      'CVE-2021-44228',
      'CVE-1999-0001',
    )

    expect(output.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'CVE-2021-44228',
      'CVE-2014-0160',
      'CVE-2025-0001',
      'CVE-2024-0001',
      'not',
      '',
    ])
    expect(output).toContain('exploited, due 2021-12-24')
  })

  it('show-sources lists the sources of each value', async () => {
    const { output } = await run('show-sources', 'CVE-2021-44228')
    expect(output).toMatch(/^description +nvd$/m)
  })

  it('rank-cves prints the code and the parameter of an error', async () => {
    const { errors } = await run('rank-cves', 'CVE-nonsense')

    expect(errors).toMatch(/INVALID_PARAMETER, cve_ids/)
  })

  it('search-to-csv exports a search as CSV', async () => {
    const { output, errors } = await run('search-to-csv', 'quoted', 'word')

    expect(output).toBe(
      'cve_id,published,severity,epss,kev,description\r\nCVE-2025-0001,2025-01-01T00:00:00Z,9.1,,,"\'=1+1, a ""quoted"" word"\r\n',
    )
    expect(errors).toMatch(/^200 after \d+ ms\n$/)
  })

  it('mirror-to-sqlite loads a snapshot, applies changes, and has every record of the service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vis-mirror-'))
    cleanUpAfterTests(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'cves.db')
    const session = openSession(service.database.url, 'mirror-example')
    cleanUpAfterTests(() => session.close())
    await service.given(cve('CVE-2025-0002'), cve('CVE-2025-0003'))
    await makeSnapshot({ session, clock: service.clock.now, signal: new AbortController().signal })
    await service.given(cve('CVE-2025-0002', { description: 'It was changed.' }), withdrawnCve('CVE-2025-0003'))

    expect((await run('mirror-to-sqlite', file, '--once')).output).toMatch(
      /^6 CVEs of \S+ loaded; position .+\n2 CVEs changed; position .+\n$/,
    )
    await service.given(cve('CVE-2025-0004'))
    expect((await run('mirror-to-sqlite', file, '--once')).output).toMatch(/^1 CVEs changed; position .+\n$/)

    const copy = new DatabaseSync(file, { readOnly: true }).prepare('select cve_id, record from record').all()
    expect(copy.map(({ cve_id }) => cve_id)).toEqual([
      'CVE-2014-0160',
      'CVE-2021-44228',
      'CVE-2024-0001',
      'CVE-2025-0001',
      'CVE-2025-0002',
      'CVE-2025-0004',
    ])
    const addOns = 'acsc,enrichment,attack,configurations,sources,exploits,priority,fixes,remediations,aliases'
    for (const { cve_id, record } of copy) {
      const { json } = await service.api.get(`/api/v1/cve/${String(cve_id)}?include=${addOns}`)
      expect(JSON.parse(String(record))).toEqual(json.data.cve)
    }
  })

  it('watch-kev prints a new KEV entry', async () => {
    const watcher = start('watch-kev', '0.1')
    const lines: string[] = []
    watcher.stdout?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')))
    await expect.poll(() => lines, { timeout: 60_000 }).toEqual(['watching; the catalog has 2 entries'])
    await service.given(
      cve('CVE-2026-0009', { kev: { dateAdded: '2026-08-20', vendorProject: 'Norwind', product: 'Gateway' } }),
    )

    await expect
      .poll(() => lines[1], { timeout: 60_000 })
      .toBe('2026-08-20 CVE-2026-0009 Norwind Gateway, due 2026-08-31')
  })
})
