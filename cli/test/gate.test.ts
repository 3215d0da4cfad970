import { spawn } from 'node:child_process'
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { dataset } from '../../service/test/support/builders.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { freshDatasets } from '../../service/test/support/catalog/example-catalog.ts'
import { createCuttingProxy } from '../../service/test/support/network/cutting-proxy.ts'
import { issueKey, startVisctlSetup, VISCTL } from './visctl-setup.ts'

const service = await startVisctlSetup()
const { api, given, key, url, visctl } = service
const MANY = Array.from({ length: 60 }, (_, at) => `CVE-2026-${2001 + at}`)
await given(
  ...freshDatasets,
  cve('CVE-2026-0001', {
    score: 9.8,
    epss: [0.9, 0.99],
    kev: { dateAdded: '2026-08-10' },
    description: 'Logbook, a flaw',
  }),
  cve('CVE-2026-0002', { score: 7, epss: [0.5, 0.9] }),
  cve('CVE-2026-0003', { score: 6.9, epss: [0.49999, 0.8] }),
  cve('CVE-2026-0004', { score: null }),
  ...MANY.map((id) => cve(id, { score: 5, epss: [0.01, 0.1], description: 'Bulkware, a flaw' })),
)
const folder = await mkdtemp(join(tmpdir(), 'visctl-gate-'))
afterAll(() => rm(folder, { recursive: true }))

const gate = (...argv: readonly string[]) => visctl(['gate', ...argv])
const gateText = (stdin: string, ...argv: readonly string[]) => visctl(['gate', ...argv], {}, stdin)
const findIds = (text: string) => text.match(/CVE-\d{4}-\d+/g) ?? []
const ALL = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004']

async function readCreditsUsed(): Promise<number> {
  return (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used
}

function runShell(script: string): Promise<number | null> {
  const env = { ...process.env, NODE: process.execPath, VISCTL, VIS_URL: url, VIS_API_KEY: key }
  const child = spawn('bash', ['-c', script], { env, stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('close', resolve)
  })
}

describe('visctl gate: conditions', () => {
  it.each([
    [['--kev'], ['CVE-2026-0001']],
    [
      ['--epss-min', '0.5'],
      ['CVE-2026-0001', 'CVE-2026-0002'],
    ],
    [
      ['--severity', 'high'],
      ['CVE-2026-0001', 'CVE-2026-0002'],
    ],
    [
      ['--severity', 'MEDIUM'],
      ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003'],
    ],
    [['--priority', 'P0'], ['CVE-2026-0001']],
    [
      ['--priority', 'p2'],
      ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003'],
    ],
    [
      ['--kev', '--severity', 'high'],
      ['CVE-2026-0001', 'CVE-2026-0002'],
    ],
  ])(
    'exits with 1 for %j and prints a table of the CVEs that meet one of the conditions',
    async (conditions, found) => {
      const { code, stdout } = await gate(...conditions, ...ALL)

      expect(code).toBe(1)
      expect(findIds(stdout)).toEqual(found)
    },
  )

  it('exits with 0 if no CVE meets a condition, and says how many were checked', async () => {
    const { code, stdout, stderr } = await gate('--kev', 'CVE-2026-0002', 'cve-2026-0003')

    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe('0 of 2 CVEs meet the condition --kev. Cost: 1 credit.\n')
  })

  it('is incomplete if a CVE lacks the value that a condition checks, unless --allow-unscored accepts it', async () => {
    const argv = ['--epss-min', '0', '--severity', 'low', 'CVE-2026-0004']
    const [refused, accepted] = [await gate(...argv), await gate(...argv, '--allow-unscored')]

    expect([refused.code, accepted.code]).toEqual([2, 0])
    expect(refused.stderr).toContain('\nUnscored, without EPSS score (1): CVE-2026-0004\n')
    expect(refused.stderr).toContain('\nUnscored, without CVSS base score (1): CVE-2026-0004\n')
    expect(refused.stderr).toContain('\nIncomplete: ')
    expect(accepted.stderr).toContain('\nAllowed: Unscored, without EPSS score (1): CVE-2026-0004\n')
  })

  it('needs no values for a rejected CVE, because it is not a vulnerability', async () => {
    await given(cve('CVE-2026-0005', { score: null, status: 'Rejected' }))
    expect(await gate('--epss-min', '0', '--severity', 'low', '--priority', 'P4', 'CVE-2026-0005')).toMatchObject({
      code: 0,
    })
  })

  it('is incomplete if the data behind a condition is stale, unless --allow-stale accepts it', async () => {
    await given(dataset('kev').fetchedAt('2026-07-01T00:00:00Z'))
    const argv = ['--kev', 'CVE-2026-0002']
    const [refused, accepted] = [await gate(...argv), await gate(...argv, '--allow-stale')]
    const [other, found] = [await gate('--severity', 'critical', 'CVE-2026-0002'), await gate('--kev', 'CVE-2026-0001')]
    await given(...freshDatasets)

    expect([refused.code, accepted.code, other.code, found.code]).toEqual([2, 0, 0, 1])
    expect(refused.stderr).toContain('\nStale data (1): kev\n')
  })

  it('shows the priority level of the matching CVEs in the table and in the JSON report', async () => {
    const { stdout } = await gate('--priority', 'P1', ...ALL)
    const { stdout: json } = await gate('--priority', 'P1', '--json', ...ALL)

    expect(stdout).toMatch(/LEVEL(.|\n)*CVE-2026-0001 .* P0 +--priority P1/)
    expect(JSON.parse(json)).toMatchObject({
      conditions: { priority: 'P1' },
      matches: [{ cve_id: 'CVE-2026-0001', met: ['priority'], priority: 'P0' }],
    })
  })

  it('exits with 2 for an unknown priority level and lists the valid ones', async () => {
    const { code, stderr } = await gate('--priority', 'P7', ...ALL)

    expect(code).toBe(2)
    expect(stderr).toContain('It must be one of P0, P1, P2, P3, P4; P1 means P0 and P1.')
  })

  it('is incomplete for an id that the service does not know, and fails if another id meets a condition', async () => {
    const [unknown, found] = [
      await gate('--kev', 'CVE-2026-0002', 'CVE-2026-9999'),
      await gate('--kev', 'CVE-2026-0001', 'CVE-2026-9999'),
    ]

    expect([unknown.code, found.code]).toEqual([2, 1])
    expect(findIds(found.stdout)).toEqual(['CVE-2026-0001'])
    for (const { stderr } of [unknown, found]) expect(stderr).toContain('\nUnknown to the service (1): CVE-2026-9999\n')
  })

  it('accepts unknown ids with --allow-unknown, and still lists them', async () => {
    const clean = await gate('--kev', '--allow-unknown', 'CVE-2026-0002', 'CVE-2026-9999')
    const found = await gate('--kev', '--allow-unknown', 'CVE-2026-0001', 'CVE-2026-9999')

    expect([clean.code, found.code]).toEqual([0, 1])
    expect(clean.stderr).toContain('\nAllowed: Unknown to the service (1): CVE-2026-9999\n')
  })
})

describe('visctl gate: ids', () => {
  it('reads ids from standard input, with comments, commas and Windows line breaks', async () => {
    const { stderr } = await gateText('CVE-2026-0002, cve-2026-0002\r\n# two\r\nCVE-2026-0003 # three\r\n', '--kev')

    expect(stderr).toContain('0 of 2 CVEs')
  })

  it('reads the JSON output of visctl from standard input', async () => {
    const { stdout } = await visctl(['search', 'logbook', '--json'])

    expect(await gateText(stdout, '--kev')).toMatchObject({ code: 1 })
    expect(await gateText((await visctl(['kev', '--json'])).stdout, '--kev')).toMatchObject({ code: 1 })
  })

  it('checks the CVEs that a search finds', async () => {
    expect(await gate('--kev', '--search', 'logbook')).toMatchObject({ code: 1 })
    expect(await gate('--severity', 'high', '--search', 'q=bulkware&severity=medium')).toMatchObject({
      code: 0,
      stderr: '0 of 60 CVEs meet the condition --severity high. Cost: 1 credit.\n',
    })
    expect(await gate('--kev', '--search', 'patched=false&cpe_count_min=1')).toMatchObject({ code: 1 })
  })

  it('costs one credit per 50 distinct ids', async () => {
    const before = await readCreditsUsed()
    const { stderr } = await gateText([...MANY, ...MANY].join('\n'), '--kev')

    expect(stderr).toBe('0 of 60 CVEs meet the condition --kev. Cost: 2 credits.\n')
    expect((await readCreditsUsed()) - before).toBe(2)
  })
})

describe('visctl gate: every failure exits with 2 and prints no result', () => {
  it.each([
    [[], 'There is no condition.'],
    [['--kev', 'CVE-2026-1'], '"CVE-2026-1" is not a CVE id'],
    [['--kev'], 'There are no CVE ids in stdin, so nothing was checked.'],
    [['--kev', '--file', '/does/not/exist'], 'The file /does/not/exist could not be read'],
    [['--kev', '--search', 'unmatched'], 'The search finds no CVE, so nothing was checked.'],
    [['--kev', '--search', ''], '--search is empty.'],
    [['--kev', '--search', 'ids=CVE-2026-0001'], '--search cannot contain ids.'],
    [['--kev', '--search', 'severty=high'], 'Did you mean severity?'],
    [['--kev', '--search', 'logbook', 'CVE-2026-0001'], 'Give either CVE ids or --search, not both.'],
    [['--epss-min', '50', 'CVE-2026-0001'], 'It must be a number from 0.0 to 1.0.'],
    [['--severity', 'hihg', 'CVE-2026-0001'], 'It must be one of critical, high, medium, low'],
    [['--kev', '--json', '--sarif', 'CVE-2026-0001'], 'cannot be used with'],
    [['--kev', '--output', 'x.json', 'CVE-2026-0001'], '--output requires --json or --sarif.'],
    [['--kev', '--json', '--output', '/does/not/exist/x', 'CVE-2026-0001'], 'The report could not be written'],
    [['--kevs', 'CVE-2026-0001'], "unknown option '--kevs'"],
  ])('for the arguments %j', async (argv, message) => {
    const { code, stdout, stderr } = await gate(...argv)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it.each([
    ['a word that is not a CVE id', 'CVE-2026-0001\nGHSA-aaaa-bbbb-cccc\n', 'stdin, line 2: "GHSA-aaaa-bbbb-cccc"'],
    ['incomplete JSON', '[{"cve_id":"CVE-2026-0001"},', 'The JSON in stdin is invalid or incomplete.'],
    ['JSON without ids', '[{"id":1}]', 'An item without a CVE id'],
  ])('for a list with %s', async (_, stdin, message) => {
    const { code, stdout, stderr } = await gateText(stdin, '--kev')

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('for a wrong key, an unreachable service, and credits that run out during the check', async () => {
    const { key: poorKey } = await issueKey(service, 1)
    const ids = MANY.join('\n')
    const wrongKey = await visctl(['gate', '--kev'], { VIS_API_KEY: 'vis_live_nonsense' }, ids)
    const unreachable = await visctl(['gate', '--kev'], { VIS_URL: 'http://127.0.0.1:1' }, ids)
    const poor = await visctl(['gate', '--kev'], { VIS_API_KEY: poorKey }, ids)

    expect([wrongKey, unreachable, poor].map(({ code, stdout }) => [code, stdout])).toEqual([
      [2, ''],
      [2, ''],
      [2, ''],
    ])
    expect(poor.stderr).toContain('Not enough credits are left for this call.')
  })

  it('for a service that stops during the check, and removes the report of an earlier run', async () => {
    const file = join(folder, 'half.json')
    await writeFile(file, '{"result":"clean"}')
    const proxy = await createCuttingProxy(url, 1)
    const argv = ['gate', '--severity', 'low', '--json', '--output', file]
    const { code, stdout, stderr } = await visctl(argv, { VIS_URL: proxy }, MANY.join('\n'))

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('could not be reached')
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('for a response without the expected members', async () => {
    const server = createServer((_, answer) => void answer.end('{"data":{}}'))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    afterAll(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stdout, stderr } = await visctl(['gate', '--kev', 'CVE-2026-0001'], { VIS_URL: address })

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: Internal error: /)
  })

  it('for output that cannot be written, and for a reader that closes the pipe', async () => {
    const [full, closed] = await Promise.all([
      runShell('"$NODE" "$VISCTL" gate --kev CVE-2026-0001 > /dev/full'),
      runShell('set -o pipefail; "$NODE" "$VISCTL" gate --severity low CVE-2026-0001 | true'),
    ])

    expect([full, closed]).toEqual([2, 2])
  })
})

describe('visctl gate: empty lists', () => {
  it('accepts an empty list with --allow-empty', async () => {
    expect(await gateText('', '--kev', '--allow-empty')).toMatchObject({ code: 0 })
    expect(await gate('--kev', '--allow-empty', '--search', 'unmatched')).toMatchObject({ code: 0 })
  })
})

describe('visctl gate: JSON and SARIF', () => {
  it('prints a report as JSON', async () => {
    const { stdout } = await gate('--kev', '--epss-min', '0.5', '--json', ...ALL, 'CVE-2026-9999')

    expect(JSON.parse(stdout)).toMatchObject({
      result: 'failed',
      conditions: { kev: true, epss_min: 0.5, severity: null },
      checked: 4,
      matches: [
        {
          cve_id: 'CVE-2026-0001',
          met: ['kev', 'epss_min'],
          severity: 9.8,
          epss_score: 0.9,
          kev_date_added: '2026-08-10',
        },
        { cve_id: 'CVE-2026-0002', met: ['epss_min'], kev_date_added: null },
      ],
      unscored: [{ cve_id: 'CVE-2026-0004', missing: ['epss'] }],
      unknown: ['CVE-2026-9999'],
      stale: [],
      credits: 1,
    })
  })

  it('writes the report to a device or through a link without replacing it', async () => {
    const [file, link] = [join(folder, 'target.json'), join(folder, 'link.json')]
    await symlink(file, link)
    await gate('--kev', '--json', '--output', link, 'CVE-2026-0001')
    await gate('--kev', '--json', '--output', '/dev/null', 'CVE-2026-0001')

    expect([(await lstat(link)).isSymbolicLink(), (await lstat('/dev/null')).isCharacterDevice()]).toEqual([true, true])
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ result: 'failed' })
  })

  it('shows an incomplete check in SARIF as an unsuccessful run and as a result', async () => {
    const { code, stdout } = await gate('--kev', '--sarif', 'CVE-2026-0002', 'CVE-2026-9999')
    const [run] = JSON.parse(stdout).runs

    expect([code, run.invocations[0]]).toMatchObject([2, { executionSuccessful: false, exitCode: 2 }])
    expect(run.results).toMatchObject([
      { ruleId: 'visctl/incomplete-gate', message: { text: expect.stringContaining('CVE-2026-9999') } },
    ])
    expect(run.tool.driver.rules).toMatchObject([{ id: 'visctl/incomplete-gate' }])
  })

  it('writes SARIF with the line of each CVE id to a file, and prints the table', async () => {
    const [list, file] = [join(folder, 'my cves.txt'), join(folder, 'gate.sarif')]
    await writeFile(list, '# scanner\nCVE-2026-0002\nCVE-2026-0001\n')
    const { code, stdout } = await gate('--kev', '--file', list, '--sarif', '--output', file)
    const { version, runs } = JSON.parse(await readFile(file, 'utf8'))

    expect([code, version, findIds(stdout)]).toEqual([1, '2.1.0', ['CVE-2026-0001']])
    expect(runs[0].tool.driver.rules).toMatchObject([
      { id: 'CVE-2026-0001', properties: { 'security-severity': '9.8' } },
    ])
    expect(runs[0].invocations).toMatchObject([{ executionSuccessful: true, exitCode: 1 }])
    expect(runs[0].results).toMatchObject([
      {
        ruleId: 'CVE-2026-0001',
        level: 'error',
        message: { text: 'CVE-2026-0001 meets --kev. It is known to be exploited since 2026-08-10.' },
        locations: [{ physicalLocation: { region: { startLine: 3 } } }],
      },
    ])
    expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(/\/my%20cves\.txt$/)
  })
})
