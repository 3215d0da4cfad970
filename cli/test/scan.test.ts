import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { COVERAGE_GAPS, PRICES } from 'vis-sdk/vocabulary'
import { afterAll, describe, expect, it } from 'vitest'
import { freshDatasets, publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { api, database, given, key, visctl } = await startVisctlSetup()
await publishExamples(database.url)
await given(...freshDatasets)
const folder = await mkdtemp(join(tmpdir(), 'visctl-scan-'))
afterAll(() => rm(folder, { recursive: true }))

const log4j = (version: string, ref = 'logger') => ({
  type: 'library',
  'bom-ref': ref,
  name: 'log4j',
  version,
  cpe: `cpe:2.3:a:apache:log4j:${version}:*:*:*:*:*:*:*`,
})
const UNCOVERED = { type: 'library', 'bom-ref': 'own', name: 'tool', version: '1.0', purl: 'pkg:generic/acme-tool@1.0' }

const cyclonedx = (...components: readonly object[]) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', components })

let files = 0
async function save(content: unknown): Promise<string> {
  files += 1
  const file = join(folder, `sbom-${files}.json`)
  await writeFile(
    file,
    content instanceof Uint8Array || typeof content === 'string' ? content : JSON.stringify(content),
  )
  return file
}

const affected = await save(cyclonedx(log4j('2.14.1'), UNCOVERED, { type: 'file', name: 'README' }))
const unaffected = await save(cyclonedx(log4j('2.17.1')))

async function readCreditsUsed(): Promise<number> {
  return (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used
}

describe('visctl scan', () => {
  it('prints the fix plan, and no rows', async () => {
    const { code, stdout } = await visctl(['scan', affected])

    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'Fix plan, the step that removes most urgency first:',
      '1. apache/log4j 2.14.1 → 2.15.0 (minor, end of a range)',
      'Resolves    P0 1: CVE-2021-44228',
      'Remains     nothing known',
      '',
    ])
  })

  it('prints after the plan, with --rows, each match and each component that is not covered', async () => {
    const { stdout } = await visctl(['scan', affected, '--rows'])

    const [heading, ...rows] = stdout.trim().split('\n').slice(5)
    expect(heading).toMatch(/^LEVEL +ID +COMPONENT +VERDICT +FIXED IN +PLANNED +UPGRADE TO +REASON$/)
    expect(rows).toEqual([
      expect.stringMatching(
        /^P0 +CVE-2021-44228 +apache\/log4j 2\.14\.1 +affected +(2\.15\.0 +){3}NVD: apache log4j from 2\.13\.0 before 2\.15\.0; 2\.14\.1 is inside\.$/,
      ),
      expect.stringMatching(/^- +- +generic\/acme-tool 1\.0 +not_covered +- +- +- +The service has no source for this/),
    ])
  })

  it('says which direct dependency brings a component in', async () => {
    const direct = { type: 'library', 'bom-ref': 'direct', name: 'web', version: '3.1', purl: 'pkg:npm/web@3.1' }
    const document = {
      ...cyclonedx(direct, log4j('2.14.1')),
      metadata: { component: { type: 'application', 'bom-ref': 'shop', name: 'shop' } },
      dependencies: [
        { ref: 'shop', dependsOn: ['direct'] },
        { ref: 'direct', dependsOn: ['logger'] },
      ],
    }
    const { stdout } = await visctl(['scan', await save(document)])

    expect(stdout).toContain('Brought in  by web 3.1: web 3.1 → log4j 2.14.1\n')
  })

  it('lists what has no better version apart from the plan', async () => {
    const stuck = { type: 'library', name: 'xz', version: '5.6.1', cpe: 'cpe:2.3:a:tukaani:xz:5.6.1:*:*:*:*:*:*:*' }
    const { stdout } = await visctl(['scan', await save(cyclonedx(stuck))])

    expect(stdout).toMatch(
      /^No version with fewer or less urgent matches is known:\ntukaani\/xz 5\.6\.1: P\d 1: CVE-2024-3094\n$/,
    )
  })

  it('says on standard error what was read, what was skipped and which components are not covered', async () => {
    const { stderr } = await visctl(['scan', affected])

    expect(stderr).toContain(
      `CycloneDX 1.6, 2 components, 1 CVE or advisory: affected 1, possibly affected 0, not covered 1, not affected 0, no known advisory 0. Cost: ${PRICES.scanSbom} credits.\n`,
    )
    expect(stderr).toMatch(/^Skipped components \(1\): .*file.* \(1\)\.$/m)
    expect(stderr).toContain(`Not covered, no source (1): generic/acme-tool 1.0. ${COVERAGE_GAPS.no_source}\n`)
  })

  it('shows the oldest database that judged a component, and its age', async () => {
    const { stderr } = await visctl(['scan', affected])

    expect(stderr).toContain(
      'Covered by complete and current databases: 1 of 2 components; the oldest data is NVD overrides (Anchore), released 2026-08-19, 2 days old.\n',
    )
  })

  it('reads SPDX, standard input, gzip, and files with a byte order mark', async () => {
    const reference = {
      referenceCategory: 'SECURITY',
      referenceType: 'cpe23Type',
      referenceLocator: log4j('2.14.1').cpe,
    }
    const spdx = {
      spdxVersion: 'SPDX-2.3',
      packages: [{ SPDXID: 'SPDXRef-logger', name: 'log4j', versionInfo: '2.14.1', externalRefs: [reference] }],
    }
    const text = JSON.stringify(cyclonedx(log4j('2.14.1')))
    const outputs = [
      await visctl(['scan', await save(spdx)]),
      await visctl(['scan', '-'], {}, text),
      await visctl(['scan'], {}, text),
      await visctl(['scan', await save(gzipSync(text))]),
      await visctl(['scan', await save(`\ufeff${text}`)]),
    ]

    expect(outputs.map(({ code, stdout }) => [code, stdout.includes('CVE-2021-44228')])).toEqual(
      outputs.map(() => [0, true]),
    )
    expect(outputs[0]?.stderr).toMatch(/^SPDX 2\.3, 1 components/)
  })

  it('lists components with the same name and version once', async () => {
    const file = await save(cyclonedx(log4j('2.14.1', 'one'), log4j('2.14.1', 'two')))
    const { stdout } = await visctl(['scan', file, '--rows'])

    expect(stdout.match(/CVE-2021-44228/g)).toHaveLength(2)
    expect(stdout).toContain('Places      2 components')
    expect(stdout).toContain('apache/log4j 2.14.1 (2 components)')
  })

  it("prints the service's response with --json, and names each ref", async () => {
    const { components, sbom } = JSON.parse((await visctl(['scan', affected, '--json'])).stdout)

    expect(sbom).toMatchObject({ format: 'cyclonedx', spec_version: '1.6', components_read: 2 })
    expect(components).toMatchObject([
      { ref: 'logger', verdict: 'affected' },
      { ref: 'own', verdict: 'not_covered', coverage_gap: 'no_source' },
    ])
  })

  it('accepts 1 to 500 for --matches-per-component', async () => {
    const { code, stderr } = await visctl(['scan', affected, '--matches-per-component', '1'])

    expect([code, stderr.includes('less urgent matches')]).toEqual([0, false])
    expect(await visctl(['scan', affected, '--matches-per-component', '501'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It must be a whole number from 1 to 500'),
    })
  })

  it("replaces a document's control characters in text output and escapes them in JSON", async () => {
    const file = await save(cyclonedx({ type: 'library', 'bom-ref': 'x\u001b[2J', name: 'shop\u202e', version: '1.0' }))
    const [text, json] = [await visctl(['scan', file]), await visctl(['scan', file, '--json'])]

    expect(text.stderr).toContain('shop')
    const output = `${text.stdout}${text.stderr}${json.stdout}`
    expect(['\u001b', '\u202e'].filter((each) => output.includes(each))).toEqual([])
  })
})

describe('visctl scan --fail-on', () => {
  it.each([
    [['--fail-on', 'P1'], affected, 1, /^Failed: a CVE of level P1 or a more urgent one affects a component\.$/m],
    [['--fail-on', 'P0', '--priority-max', 'P0'], affected, 1, /^Failed: a CVE of level P0 affects/m],
    [['--fail-on', 'P4'], unaffected, 0, /^Passed: no CVE of level P4 or a more urgent one affects a component\.$/m],
  ] as const)(
    '%j exits with 1 only if a CVE at that level or a more urgent one affects a component',
    async (options, file, code, note) => {
      const result = await visctl(['scan', file, ...options])

      expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(note)])
    },
  )

  it('passes if the hit is suppressed, and counts the suppressed hit', async () => {
    const list = await save([{ id: 'CVE-2021-44228', reason: 'JNDI is removed from the file.' }])
    const gzipped = await save(gzipSync(await readFile(affected)))

    for (const file of [affected, gzipped]) {
      const { code, stderr } = await visctl([
        'scan',
        file,
        '--fail-on',
        'P4',
        '--suppress',
        list,
        '--own',
        'pkg:generic/*',
      ])
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^Suppressed: 1 hits\.$/m)])
    }
  })

  it('accepts an OpenVEX document, whose statements about other packages hide nothing', async () => {
    const statement = {
      vulnerability: { name: 'CVE-2021-44228' },
      products: [{ '@id': 'pkg:generic/acme-tool@1.0' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    }
    const vex = await save({ '@context': 'https://openvex.dev/ns/v0.2.0', statements: [statement] })

    expect(await visctl(['scan', affected, '--fail-on', 'P4', '--suppress', vex])).toMatchObject({ code: 1 })
  })
})

describe('visctl scan: reports', () => {
  it('prints SARIF 2.1.0 with the level, the score and the component of each match', async () => {
    const { code, stdout } = await visctl(['scan', affected, '--sarif', '--fail-on', 'P0'])
    const { version, runs } = JSON.parse(stdout)
    const [{ tool, invocations, results }] = runs

    expect([code, version]).toEqual([1, '2.1.0'])
    expect(tool.driver).toMatchObject({
      name: 'visctl scan',
      rules: [
        { id: 'CVE-2021-44228', properties: { 'security-severity': '10.0' } },
        { id: 'visctl/incomplete-gate' },
        { id: 'visctl/not-judged' },
      ],
    })
    expect(invocations).toMatchObject([{ executionSuccessful: true, exitCode: 1 }])
    expect(
      invocations[0].toolExecutionNotifications.map(({ message }: { message: { text: string } }) => message.text),
    ).toContain(`Not covered, no source (1): generic/acme-tool 1.0. ${COVERAGE_GAPS.no_source}`)
    expect(results).toMatchObject([
      {
        ruleId: 'CVE-2021-44228',
        ruleIndex: 0,
        level: 'error',
        message: {
          text: expect.stringMatching(
            /^apache\/log4j 2\.14\.1 is affected by .*Planned version: 2\.15\.0 \(minor\), which resolves it\. Upgrade to 2\.15\.0\..*logger\.$/,
          ),
        },
        locations: [{ physicalLocation: { region: { startLine: 1 } } }],
      },
      { ruleId: 'visctl/incomplete-gate', ruleIndex: 1, partialFingerprints: { 'reason/v1': 'uncovered' } },
      {
        ruleId: 'visctl/not-judged',
        ruleIndex: 2,
        level: 'note',
        message: { text: expect.stringContaining('generic/acme-tool 1.0') },
        partialFingerprints: { 'reason/v1': 'not_covered/no_source' },
      },
    ])
  })

  it('prints only an OpenVEX or CycloneDX VEX document with --format', async () => {
    const openvex = JSON.parse((await visctl(['scan', affected, '--format', 'openvex'])).stdout)
    const cyclonedxVex = JSON.parse((await visctl(['scan', affected, '--format', 'cyclonedx-vex'])).stdout)

    expect(openvex).toMatchObject({ '@context': expect.stringContaining('openvex') })
    expect(JSON.stringify(openvex.statements)).toContain('CVE-2021-44228')
    expect(cyclonedxVex).toMatchObject({ bomFormat: 'CycloneDX', vulnerabilities: [{ id: 'CVE-2021-44228' }] })
  })

  it('prints CSV with a row for each match and each component without one', async () => {
    const { stdout } = await visctl(['scan', affected, '--csv'])
    const [heading, ...rows] = stdout.trimEnd().split('\r\n')

    expect(heading).toBe(
      'index,ref,component,version,verdict,coverage_gap,oldest_data,priority_level,id,aliases,match_verdict,confidence,severity,severity_word,in_kev,epss_score,fixed_in,planned_version,planned_kind,planned_resolves,direct_dependencies,upgrade_to,reason',
    )
    expect(rows).toEqual([
      '0,logger,apache/log4j,2.14.1,affected,,2026-08-19T17:21:04Z,P0,CVE-2021-44228,GHSA-jfh8-c2jp-5v3q,affected,high,10,,true,0.94358,2.15.0,2.15.0,minor,true,,2.15.0,NVD: apache log4j from 2.13.0 before 2.15.0; 2.14.1 is inside.',
      `1,own,generic/acme-tool,1.0,not_covered,no_source,,,,,,,,,,,,,,,,,${COVERAGE_GAPS.no_source}`,
    ])
  })

  it('writes the report to --output, and prints the plan', async () => {
    const output = join(folder, 'scan.sarif')
    const { stdout } = await visctl(['scan', affected, '--sarif', '--output', output])

    expect(stdout).toMatch(/^Fix plan/)
    expect(JSON.parse(await readFile(output, 'utf8')).runs).toHaveLength(1)
  })
})

const FAILURES = [
  [['/no/such/file'], /^error: The file \/no\/such\/file could not be read/],
  [[await save('')], /^error: The document in .* is empty/],
  [[await save(new Uint8Array(10 * 1024 * 1024 + 1))], /^error: The document has more than 10 MiB/],
  [[affected, '--output', 'x'], /^error: --output requires --json, --csv, --sarif or --format/],
  [
    [affected, '--fail-on', 'P2', '--priority-max', 'P1'],
    /^error: --fail-on P2 needs levels that --priority-max P1 leaves/,
  ],
  [[affected, '--suppress', await save('true')], /^error: The file .* is neither a JSON list of hits nor an OpenVEX/],
  [[affected, '--format', 'csaf'], /^error: .*'csaf' is invalid/],
  [[await save('<bom/>')], /^error: the document: /],
  [[await save({ ...cyclonedx(), specVersion: '1.2' })], /^error: the document, specVersion "1\.2": must be one of /],
  [[affected, '--suppress', await save([{ reason: 'x' }])], /^error: --suppress, \[0\]/],
] as const

describe('visctl scan: every failure exits with 2 and prints no result', () => {
  it.each(FAILURES)('for %j, without a charge', async (words, message) => {
    const before = await readCreditsUsed()
    const { code, stdout, stderr } = await visctl(['scan', ...words])

    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)])
    expect(await readCreditsUsed()).toBe(before)
  })

  it('for a document without components, unless --allow-empty accepts it', async () => {
    const empty = await save(cyclonedx({ type: 'file', name: 'README' }))
    const refused = await visctl(['scan', empty])
    const accepted = await visctl(['scan', empty, '--allow-empty', '--fail-on', 'P4'])

    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no component that can be') })
    expect(accepted.code).toBe(0)
  })

  it('for a wrong key and an unreachable service, and removes the report of an earlier run', async () => {
    const output = await save('{}')
    const wrongKey = await visctl(['scan', affected, '--json', '--output', output], { VIS_API_KEY: 'vis_live_wrong' })
    const unreachable = await visctl(['scan', affected], { VIS_URL: 'http://127.0.0.1:1' })

    expect([wrongKey.code, unreachable.code]).toEqual([2, 2])
    await expect(readFile(output)).rejects.toThrow('ENOENT')
  })
})
