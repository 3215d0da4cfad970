import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PRICES } from 'vis-sdk/vocabulary'
import { afterAll, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, visctl } = await startVisctlSetup()
const CISA = {
  automatable: { value: 'yes', source: 'cisa-adp' },
  technicalImpact: { value: 'total', source: 'cisa-adp' },
} as const
await given(
  cve('CVE-2026-0001', { score: 5, epss: [0.01, 0.1] }),
  cve('CVE-2026-0002', { score: 9.8, epss: [0.9, 0.99], kev: { dateAdded: '2026-08-10' }, facts: CISA }),
  cve('CVE-2026-0003', { score: 9.1, hasExploit: true, facts: CISA }),
)
const ALL = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003']
const folder = await mkdtemp(join(tmpdir(), 'visctl-prioritize-'))
afterAll(() => rm(folder, { recursive: true }))

const prioritize = (...argv: readonly string[]) => visctl(['prioritize', ...argv])

describe('visctl prioritize', () => {
  it('prints level, id, deadline and first reason, most urgent first, and a summary', async () => {
    const { code, stdout, stderr } = await prioritize(...ALL)

    expect(code).toBe(0)
    const [heading, ...rows] = stdout.trim().split('\n')
    expect(heading).toMatch(/^LEVEL +CVE +DEADLINE +REASON$/)
    expect(rows).toEqual([
      expect.stringMatching(/^P0 +CVE-2026-0002 +2026-08-13 +This CVE is in CISA's KEV catalog since 2026-08-10\.$/),
      expect.stringMatching(
        /^P2 +CVE-2026-0003 +3 days exposed, 60 days internal +Priority policy 2026-12 gives this CVE P2 /,
      ),
      expect.stringMatching(/^P4 +CVE-2026-0001 +- +/),
    ])
    expect(stderr).toBe(
      `P0 1, P1 0, P2 1, unrated 0, P3 0, P4 1, without level 0. Policy 2026-12. Cost: ${PRICES.prioritize} credits.\n`,
    )
  })

  it('sends --exposure, which changes levels and deadlines', async () => {
    const { stdout } = await prioritize('--exposure', 'exposed', 'CVE-2026-0003')

    expect(stdout).toMatch(/P1 +CVE-2026-0003 +3 days +Raised: /)
  })

  it("sends --mission and --limit, and prints the service's response with --json", async () => {
    const { stdout } = await prioritize('--json', '--mission', 'low', '--limit', '1', ...ALL)

    const { ranked, by_level } = JSON.parse(stdout)
    expect(ranked).toMatchObject([{ rank: 1, cve_id: 'CVE-2026-0002', priority: { ssvc: { mission: 'low' } } }])
    expect(by_level).toMatchObject({ P0: 1, P2: 1, P4: 1 })
  })

  it('reads ids from a file and from standard input', async () => {
    const file = join(folder, 'cves.txt')
    await writeFile(file, `${ALL.join('\n')}\n`)
    const fromFile = await prioritize('--file', file)
    const fromInput = await visctl(['prioritize'], {}, 'CVE-2026-0002, cve-2026-0003 # two\n')

    expect(fromFile.stdout.match(/CVE-\d+-\d+/g)).toHaveLength(3)
    expect(fromInput.stdout.match(/CVE-\d+-\d+/g)).toEqual(['CVE-2026-0002', 'CVE-2026-0003'])
  })

  it('lists ids that the service does not know and exits with 1', async () => {
    const { code, stdout, stderr } = await prioritize('CVE-2026-0002', 'CVE-1999-0001')

    expect([code, stdout.match(/CVE-\d+-\d+/g)]).toEqual([1, ['CVE-2026-0002']])
    expect(stderr).toContain('error: Unknown to the service (1): CVE-1999-0001\n')
  })

  it.each([
    [['--exposure', 'public', 'CVE-2026-0001'], 'Allowed choices are exposed, internal, unknown'],
    [['--limit', '0', 'CVE-2026-0001'], 'It must be a whole number from 1 to 500.'],
    [['nonsense'], '"nonsense" is not a CVE id'],
    [
      Array.from({ length: 501 }, (_, at) => `CVE-2020-${1000 + at}`),
      'At most 500 CVEs can be ranked together, but there are 501.',
    ],
  ])('exits with 2 on wrong usage without making a call (case %#)', async (argv, message) => {
    const { code, stderr } = await prioritize(...argv)

    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('visctl get --priority', () => {
  it('shows the level, the reasons and the deadline of a CVE', async () => {
    const { stdout } = await visctl(['get', '--priority', 'CVE-2026-0002'])

    expect(stdout).toMatch(
      /Priority +P0 by policy 2026-12, SSVC act\n +This CVE is in CISA's KEV catalog since 2026-08-10\./,
    )
    expect(stdout).toMatch(/Deadline +2026-08-13 \(by CISA BOD 26-04\)/)
  })
})

describe('visctl search --priority', () => {
  it('finds CVEs by level and sorts by urgency', async () => {
    const { stdout } = await visctl(['search', '--priority', 'P0,P2', '--sort', 'priority_desc'])

    expect(stdout.match(/CVE-\d+-\d+/g)).toEqual(['CVE-2026-0002', 'CVE-2026-0003'])
  })
})
