// `visctl scan --fail-on` in each situation: its exit code and `data.gate` of the service (decision E30).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startVisctlSetup } from '../visctl-setup.ts'
import { ADVISORY, EXPLOITED, LETTERS, MALICIOUS, MILD, publishGateCatalog, routerCpe, VAGUE } from './catalog.ts'

const setup = await startVisctlSetup()
const empty = await startVisctlSetup()
const catalog = await publishGateCatalog(setup)
const folder = await mkdtemp(join(tmpdir(), 'visctl-gate-'))
afterAll(() => rm(folder, { recursive: true }))

const product = (name: string, version?: string) => ({
  type: 'library',
  'bom-ref': name,
  name,
  ...(version !== undefined && { version }),
  cpe: routerCpe('*').replace('router', name),
})
const CLEAN = product('router', '2.4')
const packageOf = (purl: string, more: object = {}) => ({ type: 'library', 'bom-ref': purl, name: 'x', purl, ...more })
const npm = (name: string, version = '1.0.0') => packageOf(`pkg:npm/${name}@${version}`, { name })
const GENERIC = packageOf('pkg:generic/firmware@7', { name: 'firmware', version: '7' })

let files = 0
async function scan(components: readonly unknown[], options: readonly string[] = [], more: object = {}) {
  files += 1
  const file = join(folder, `${files}.json`)
  await writeFile(file, JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components, ...more }))
  const argv = ['scan', file, '--fail-on', 'P1', '--json', ...options]
  const { code, stdout, stderr } = await setup.visctl(argv)
  return { code, stderr, gate: stdout === '' ? undefined : JSON.parse(stdout).gate }
}
/** Reasons with their counts, as `uncovered 1`. */
const listReasons = (gate: { findings: readonly { reason: string; count: number }[] }) =>
  gate.findings.map(({ reason, count }) => `${reason} ${count}`)
const SETS = (list: string, change: string) => `update catalog.dataset set ${change} where name in (${list})`
const AGE = "last_success_at = '2026-08-21T23:00:00Z', upstream_at = '2026-08-21T23:00:00Z', unheld_count = 0"
/** Runs with data sets that a change makes stale or absent. */
async function withData<T>(list: string, change: string, work: () => Promise<T>): Promise<T> {
  await catalog.selectRows(SETS(list, change))
  try {
    return await work()
  } finally {
    await catalog.selectRows(SETS(list, AGE))
  }
}

interface Situation {
  readonly title: string
  readonly components: readonly unknown[]
  readonly options?: readonly string[]
  readonly more?: object
  readonly code: 0 | 1 | 2
  readonly reasons: readonly string[]
}

const ROOT = { metadata: { component: { type: 'application', name: 'shop', version: '1.0' } } }

const SITUATIONS: readonly Situation[] = [
  { title: '1. nothing affects a known product', components: [CLEAN], code: 0, reasons: [] },
  {
    title: '2. a CVE of the given level affects a component',
    components: [product('router', '2.1')],
    code: 1,
    reasons: ['affected 1'],
  },
  { title: '3. a less urgent CVE affects a component', components: [product('switch', '2.1')], code: 0, reasons: [] },
  {
    title: '4. a CVE of the given level affects one component, and another component is not covered',
    components: [product('router', '2.1'), GENERIC],
    code: 1,
    reasons: ['affected 1', 'uncovered 1'],
  },
  {
    title: '5. a CVE of the given level possibly affects a component',
    components: [product('bridge', '2.1')],
    code: 2,
    reasons: ['possibly 1'],
  },
  {
    title: '6. an advisory without a level affects a component',
    components: [npm('lark')],
    code: 2,
    reasons: ['unrated 1'],
  },
  {
    title: '7. the catalog does not contain the product',
    components: [product('toaster', '1.0')],
    code: 2,
    reasons: ['uncovered 1'],
  },
  {
    title: '8. no source covers the package type or the distribution',
    components: [
      GENERIC,
      packageOf('pkg:deb/ubuntu/openssl@1?distro=ubuntu-24.04'),
      packageOf('pkg:apk/postmarketos/zlib@1'),
    ],
    code: 2,
    reasons: ['uncovered 3'],
  },
  {
    title: '9. the database of the ecosystem lists no such package',
    components: [npm('wren'), packageOf('pkg:maven/org.example/core@1.0')],
    code: 0,
    reasons: [],
  },
  {
    title: '10. the component has no version',
    components: [product('router')],
    code: 2,
    reasons: ['unknown_version 1'],
  },
  {
    title: '11. the order of the versions is unknown',
    components: [product('modem', 'nightly')],
    code: 2,
    reasons: ['unordered 1'],
  },
  {
    title: '12. an entry cannot be read',
    components: [CLEAN, 7, { type: 'library', name: 'x', version: 'a\u0001b' }],
    code: 2,
    reasons: ['skipped 2'],
  },
  {
    title: '13. the root, files and own packages are never judged',
    components: [CLEAN, { type: 'file', name: 'README' }, GENERIC],
    options: ['--own', 'pkg:generic/*'],
    more: ROOT,
    code: 0,
    reasons: [],
  },
  {
    title: '14. some reasons are allowed by pattern, and others remain',
    components: [CLEAN, GENERIC, packageOf('pkg:apk/postmarketos/zlib@1')],
    options: ['--allow', 'uncovered:pkg:generic/*'],
    code: 2,
    reasons: ['uncovered 1'],
  },
  {
    title: '15. all reasons are allowed',
    components: [product('bridge', '2.1'), GENERIC, npm('lark'), product('router'), product('modem', 'nightly'), 7],
    options: ['possibly', 'uncovered', 'unrated', 'unknown_version', 'unordered', 'skipped'].flatMap((each) => [
      '--allow',
      each,
    ]),
    code: 0,
    reasons: [],
  },
  {
    title: '16. the document has no component, which is allowed',
    components: [],
    options: ['--allow-empty'],
    code: 0,
    reasons: [],
  },
]

describe('visctl scan --fail-on: 16 situations', () => {
  it.each(SITUATIONS)('$title: exit code $code', async ({ components, options, more, code, reasons }) => {
    const { gate, ...result } = await scan(components, options, more)

    expect([result.code, listReasons(gate)], result.stderr).toEqual([code, reasons])
    expect(gate.result).toBe((['passed', 'failed', 'incomplete'] as const)[code])
  })

  it('a malicious package fails at P0, with the id of its report', async () => {
    const { code, gate } = await scan([npm('larkfeild')], ['--fail-on', 'P0'])
    expect([code, listReasons(gate), JSON.stringify(gate)]).toEqual([
      1,
      ['affected 1'],
      expect.stringContaining(MALICIOUS),
    ])
  })
})

describe('visctl scan --fail-on: data', () => {
  it.each([
    ['the sources for products are stale', "'nvd','cve'", "last_success_at = '2026-07-10T00:00:00Z'", [CLEAN]],
    ['the newest record of a source for products is too old', "'cve'", "upstream_at = '2026-07-10T00:00:00Z'", [CLEAN]],
    ['the only source for packages is stale', "'ghsa'", "last_success_at = '2026-07-10T00:00:00Z'", [npm('wren')]],
    [
      'KEV is stale, and a hit is below the level',
      "'kev'",
      "upstream_at = '2026-07-10T00:00:00Z'",
      [product('switch', '2.1')],
    ],
  ])('is incomplete if %s, and --max-data-age accepts it', async (_title, sets, change, components) => {
    await withData(sets, change, async () => {
      const [refused, accepted] = [await scan(components), await scan(components, ['--max-data-age', '45d'])]
      expect([refused.code, listReasons(refused.gate)]).toEqual([2, ['stale 1']])
      expect([accepted.code, accepted.gate.allowances]).toMatchObject([0, [{ reason: 'stale', count: 1 }]])
      expect(accepted.stderr).toContain('Allowed by --max-data-age: 1: ')
      expect((await scan(components, ['--max-data-age', '42d'])).code, '43 days are more than 42').toBe(2)
    })
  })

  it('marks each component judged with stale data, even an accepted one', async () => {
    await withData("'ghsa'", "last_success_at = '2026-07-10T00:00:00Z'", async () => {
      const body = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [npm('wren'), CLEAN] })
      const { json } = await setup.api.send('POST', '/api/v1/sbom', { body })
      expect(json.data.components.map((each: { stale?: true }) => each.stale)).toEqual([true, undefined])
    })
  })

  it('is incomplete if a source was never imported, whatever age is accepted', async () => {
    await withData("'ghsa'", 'last_success_at = null', async () => {
      const { code, gate } = await scan([npm('wren')], ['--max-data-age', '3650d'])
      expect([code, listReasons(gate)]).toEqual([2, ['uncovered 1']])
    })
  })

  it('is incomplete if one of several databases is stale or incomplete, because each may know what others do not', async () => {
    for (const [change, reason] of [
      ["last_success_at = '2026-07-10T00:00:00Z'", 'stale 1'],
      ['unheld_count = 1', 'uncovered 1'],
    ] as const)
      await withData("'ghsa'", change, async () => {
        const { code, gate } = await scan([packageOf('pkg:cargo/wren@1.0.0')])
        expect([code, listReasons(gate)]).toEqual([2, [reason]])
      })
  })

  it('exits with 2 for an empty catalog, and says that nothing is published', async () => {
    const body = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [CLEAN] })
    const { code, stdout, stderr } = await empty.visctl(['scan', '-', '--fail-on', 'P4'], {}, body)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('has not published any data yet')
  })
})

describe('visctl scan --fail-on: documents without components', () => {
  it('are incomplete to the service and rejected by visctl, unless --allow-empty accepts them', async () => {
    const body = JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ type: 'file', name: 'a' }],
    })
    const { json } = await setup.api.send('POST', '/api/v1/sbom?fail_on=P1', { body })
    expect([json.data.gate.result, listReasons(json.data.gate)]).toEqual(['incomplete', ['empty 1']])
    const { code, stderr } = await setup.visctl(['scan', '-', '--fail-on', 'P1'], {}, body)
    expect([code, stderr]).toEqual([2, expect.stringContaining('The document has no component that can be checked')])
    expect((await setup.visctl(['scan', '-', '--fail-on', 'P1', '--allow-empty'], {}, body)).code).toBe(0)
  })
})

describe('visctl scan --fail-on: hits and confidence', () => {
  it('is incomplete if a hit of the given level is below --confidence-min, and fails with a lower --confidence-min', async () => {
    const named = { type: 'library', name: 'router', version: '2.1' }
    const [strict, usual] = [await scan([named], ['--confidence-min', 'high']), await scan([named])]
    expect([strict.code, listReasons(strict.gate)]).toEqual([2, ['possibly 1', 'uncovered 1']])
    expect([usual.code, listReasons(usual.gate)]).toEqual([1, ['affected 1', 'uncovered 1']])
  })

  it('does not count suppressed hits', async () => {
    const list = join(folder, 'judged.json')
    await writeFile(list, JSON.stringify([EXPLOITED, ADVISORY, VAGUE].map((id) => ({ id, reason: 'Judged.' }))))
    const components = [product('router', '2.1'), npm('lark'), product('bridge', '2.1')]
    expect((await scan(components, ['--suppress', list])).code).toBe(0)
  })

  it('counts hits without a level and less certain hits beyond --priority-max', async () => {
    const { code, gate } = await scan([npm('lark')], ['--priority-max', 'P1'])
    expect([code, listReasons(gate)]).toEqual([2, ['unrated 1']])
  })

  it('fails if a CVE affects a package named by --own', async () => {
    const { code, gate } = await scan([product('router', '2.1')], ['--own', 'router*'])
    expect([code, listReasons(gate)]).toEqual([1, ['affected 1']])
    expect(gate.not_judged).toMatchObject([{ nature: 'own', count: 1 }])
  })

  it('counts a CVE with an unknown version order as unordered, not as less urgent', async () => {
    const { gate } = await scan([product('modem', 'nightly')])
    expect([LETTERS, MILD].map((id) => JSON.stringify(gate).includes(id))).toEqual([false, false])
  })
})

describe('visctl scan --fail-on: reports', () => {
  it('names each component, its hits and what to do', async () => {
    const components = [product('router', '2.1'), GENERIC, npm('lark'), { type: 'file', name: 'README' }]
    const { stderr, gate } = await scan(components, ['--allow', 'unrated:pkg:npm/lark*'], ROOT)
    expect(gate.findings[0].listed).toEqual([{ index: 0, ref: 'router', name: routerCpe('*'), ids: [EXPLOITED] }])
    for (const line of [
      `Affected: 1: ${routerCpe('*')} (${EXPLOITED}).`,
      'Not covered by complete databases; name your own with --own, or --allow uncovered:PATTERN: 1: pkg:generic/firmware@7.',
      `Allowed by --allow unrated:pkg:npm/lark*: 1: pkg:npm/lark@1.0.0 (${ADVISORY}).`,
      'Not judged by nature, the software that the document describes: 1: shop 1.0.',
      'Not judged by nature, files: 1: README.',
      'Failed: a CVE of level P1 or a more urgent one affects a component.',
    ])
      expect(stderr.split('\n')).toContain(line)
  })

  it('names 100 components for each reason and counts all of them', async () => {
    const components = Array.from({ length: 130 }, (_, index) => packageOf(`pkg:generic/part@${index}`))
    const { stderr, gate } = await scan(components)
    expect([gate.findings[0].count, gate.findings[0].listed.length]).toEqual([130, 100])
    expect(stderr).toContain('pkg:generic/part@99, and 30 more.')
  })

  it('warns in text, JSON and SARIF about --allow uncovered without a pattern, even if nothing needed it', async () => {
    const body = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [CLEAN] })
    const text = 'allow=uncovered has no pattern'
    for (const form of [[], ['--json'], ['--sarif'], ['--format', 'openvex']]) {
      const argv = ['scan', '-', '--fail-on', 'P1', '--allow', 'uncovered', ...form]
      const { stdout, stderr } = await setup.visctl(argv, {}, body)
      expect(stderr).toContain(`Warning: ${text}`)
      if (form[0] === '--json' || form[0] === '--sarif') expect(stdout).toContain(text)
    }
    expect((await scan([CLEAN], ['--allow', 'uncovered:*'])).stderr).toContain(text)
    expect((await scan([CLEAN], ['--allow', 'uncovered:pkg:generic/*'])).stderr).not.toContain(text)
  })

  it('shows an incomplete gate in SARIF as an unsuccessful run and as results', async () => {
    const components = [GENERIC, npm('lark')]
    const body = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
    const { code, stdout } = await setup.visctl(['scan', '-', '--fail-on', 'P1', '--sarif'], {}, body)
    const [run] = JSON.parse(stdout).runs
    expect([code, run.invocations[0]]).toMatchObject([2, { executionSuccessful: false, exitCode: 2 }])
    const results = run.results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'visctl/incomplete-gate')
    expect(results).toMatchObject([
      { level: 'warning', partialFingerprints: { 'reason/v1': 'unrated' } },
      { message: { text: expect.stringContaining('pkg:generic/firmware@7') } },
    ])
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId)
  })
})

describe('visctl scan --fail-on: patterns', () => {
  it.each([
    ['pkg:npm/@acme/*', 'pkg:npm/%40acme/core@1.0.0', true],
    ['pkg:npm/%40acme/*', 'pkg:npm/%40acme/core@1.0.0', true],
    ['pkg:generic/*', 'pkg:generic/firmware@7', true],
    ['firmware@7', 'pkg:generic/firmware@7', true],
    ['firm*', 'pkg:generic/firmware@7', true],
    ['pkg:generic/firmware', 'pkg:generic/firmware@7', false],
    ['PKG:GENERIC/*', 'pkg:generic/firmware@7', false],
    ['*ware@8', 'pkg:generic/firmware@7', false],
  ])('%s matches %s: %s', async (pattern, purl, isNamed) => {
    const component = packageOf(purl, { name: 'firmware', version: '7' })
    const { gate } = await scan([component], ['--own', pattern])
    expect(gate.not_judged.length).toBe(isNamed ? 1 : 0)
  })

  it.each([
    [['--own', '*'], '--own "*": must be a pattern', 'a pattern that names every entry would make every gate pass'],
    [['--own', 'a'.repeat(201)], '--own', 'the pattern has 201 characters'],
    [['--own', '*a'.repeat(11)], '--own', 'the pattern has 11 wildcards'],
    [['--allow', 'uncoverd'], '--allow "uncoverd"', 'a reason (possibly, unrated, uncovered,'],
    [['--allow', 'uncovered:'], '--allow "uncovered:"', 'the pattern is empty'],
    [['--allow', 'stale'], '--allow "stale"', 'send max_data_age to accept older data'],
    [['--allow', 'affected:x'], '--allow', 'send suppress in the body'],
    [['--max-data-age', '45'], '--max-data-age "45"', 'a number of days from 1d to 3650d, such as 45d'],
    [['--max-data-age', '0d'], '--max-data-age "0d"', 'a number of days'],
  ])('rejects %j and says why', async (options, start, reason) => {
    const { code, stderr } = await scan([CLEAN], options)
    expect([code, stderr]).toEqual([2, expect.stringContaining(start)])
    expect(stderr).toContain(reason)
  })

  it('rejects gate options without --fail-on, in visctl and in the service', async () => {
    for (const options of [
      ['--own', 'a'],
      ['--allow', 'possibly'],
      ['--max-data-age', '3d'],
    ]) {
      const { code, stderr } = await setup.visctl(['scan', '-', ...options], {}, '{}')
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${options[0]} requires --fail-on.`)])
    }
    const { status, json } = await setup.api.send('POST', '/api/v1/sbom?own=a', { body: '{}' })
    expect([status, json.error.message]).toEqual([400, 'own changes the gate of fail_on; send fail_on as well'])
  })
})
