import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COVERAGE_GAPS, PRICES } from 'vis-sdk/vocabulary'
import { afterAll, describe, expect, it } from 'vitest'
import { freshDatasets, publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { formatLeftOut } from '../src/render/left-out.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { database, given, visctl } = await startVisctlSetup()
await publishExamples(database.url)
await given(...freshDatasets)
const folder = await mkdtemp(join(tmpdir(), 'visctl-match-'))
afterAll(() => rm(folder, { recursive: true }))

const log4j = (version: string) => `cpe:2.3:a:apache:log4j:${version}:*:*:*:*:*:*:*`
const UNCOVERED = 'pkg:generic/acme-tool@1.0.0'

describe('visctl match', () => {
  it('prints each match with its component, fixed versions and reason, and a summary with upgrades', async () => {
    const { code, stdout, stderr } = await visctl(['match', log4j('2.14.1'), UNCOVERED])

    expect(code).toBe(0)
    const [heading, ...rows] = stdout.trim().split('\n')
    expect(heading).toMatch(/^LEVEL +ID +COMPONENT +VERDICT +FIXED IN +REASON$/)
    expect(rows).toEqual([
      expect.stringMatching(
        /^P0 +CVE-2021-44228 +cpe:\S+ +affected +2\.15\.0 +NVD: apache log4j from 2\.13\.0 before 2\.15\.0; 2\.14\.1 is inside\.$/,
      ),
      expect.stringMatching(/^- +- +pkg:generic\/acme-tool@1\.0\.0 +not_covered +- +The service has no source/),
    ])
    expect(stderr.trimEnd().split('\n')).toEqual([
      `affected 1, possibly affected 0, not covered 1, not affected 0, no known advisory 0. Cost: ${PRICES.match} credits.`,
      'Covered by complete and current databases: 1 of 2 components; the oldest data is NVD overrides (Anchore), released 2026-08-19, 2 days old.',
      `Not covered, no source (1): generic/acme-tool 1.0.0. ${COVERAGE_GAPS.no_source}`,
      `${log4j('2.14.1')}: upgrade to 2.15.0`,
    ])
  })

  it('says what the table leaves out', async () => {
    const { stderr } = await visctl(['match', log4j('unreadable')])
    expect(stderr).toMatch(/unreadable:\S+: not listed: 1 CVE whose versions cannot be compared\n$/)
  })

  it('prints CSV with a row for each match and each component without one', async () => {
    const { stdout } = await visctl(['match', '--csv', log4j('2.14.1'), UNCOVERED, 'pkg:npm/left-alone@1.0.0'])
    const cells = stdout
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','))
    expect(cells.map((row) => [2, 4, 5, 8, 17].map((at) => row[at]))).toEqual([
      ['component', 'verdict', 'coverage_gap', 'id', 'planned_version'],
      ['apache/log4j', 'affected', '', 'CVE-2021-44228', '2.15.0'],
      ['generic/acme-tool', 'not_covered', 'no_source', '', ''],
      ['npm/left-alone', 'no_known_advisory', '', '', ''],
    ])
  })

  it('reads components from a file and from standard input, skipping comments and empty lines', async () => {
    const file = join(folder, 'components.txt')
    await writeFile(file, `# web shop\n${log4j('2.14.1')}\n\n`)
    const fromFile = await visctl(['match', '--file', file])
    const fromInput = await visctl(['match'], {}, `${log4j('2.14.1')}\n`)
    expect(fromFile.stdout).toContain('CVE-2021-44228')
    expect(fromInput.stdout).toBe(fromFile.stdout)
  })

  it("sends --priority-max and --confidence-min, and prints the service's response with --json", async () => {
    const options = ['--json', '--priority-max', 'P0', '--confidence-min', 'high']
    const { components } = JSON.parse((await visctl(['match', ...options, log4j('2.17.1')])).stdout)
    expect(components).toMatchObject([{ verdict: 'not_affected', matches_total: 0 }])
  })

  it.each([
    [['log4j'], /^error: log4j is neither a package URL nor a CPE name/],
    [Array.from({ length: 101 }, () => UNCOVERED), /^error: At most 100 components can be given, but there are 101/],
    [['--file', '/no/such/file'], /^error: The file \/no\/such\/file could not be read/],
  ])('rejects %j without making a call', async (words, message) => {
    const { code, stderr } = await visctl(['match', ...words])
    expect([code, message.test(stderr)]).toEqual([2, true])
  })
})

describe('visctl search with --cpe and --purl', () => {
  it('lists the CVEs that affect the component, and says what is known about it', async () => {
    const { code, stdout, stderr } = await visctl(['search', '--cpe', log4j('2.14.1')])
    expect([code, stdout.match(/CVE-\d+-\d+/g)]).toEqual([0, ['CVE-2021-44228']])
    expect(stderr).toContain('apache log4j 2.14.1: affected, before other filters.\n')
  })

  it('does not present a component that is not covered as unaffected', async () => {
    const { stdout, stderr } = await visctl(['search', '--purl', UNCOVERED, '--json'])
    expect(JSON.parse(stdout)).toEqual([])
    expect(stderr).toContain(`not covered, which does not mean that it is not affected.\n${COVERAGE_GAPS.no_source}\n`)
    const misspelt = await visctl(['recent', '--cpe', log4j('2.14.1').replace('log4j', 'log4k')])
    expect(misspelt.stderr).toContain('Did you mean apache log4j')
  })

  it('says that all versions are included if none is given', async () => {
    expect((await visctl(['search', '--cpe', log4j('*')])).stderr).toContain('no version was given')
  })

  it('rejects --cpe and --purl given together', async () => {
    const { code, stderr } = await visctl(['search', '--cpe', log4j('2.14.1'), '--purl', UNCOVERED])
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('must not be sent together with purl')])
    expect(code).not.toBe(0)
  })
})

describe('formatLeftOut', () => {
  it.each([
    [{ weaker_total: 0, unordered_total: 0 }, ''],
    [{ weaker_total: 1, unordered_total: 0, unlisted: 400 }, '400 less urgent matches, 1 hit of lower confidence'],
    [{ weaker_total: 0, unordered_total: 0, advisories_total: 2 }, '2 advisories without a CVE'],
  ])('describes %j as "%s"', (counts, text) => {
    expect(formatLeftOut(counts)).toBe(text)
  })
})
