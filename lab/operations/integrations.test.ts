// Reads the CI files of the folder integrations and runs the shell of their steps, as GitHub and GitLab do.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { issueKey, startVisctlSetup } from '../../cli/test/visctl-setup.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { freshDatasets, publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { createCuttingProxy } from '../../service/test/support/network/cutting-proxy.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const service = await startVisctlSetup()
const { given, key, url } = service
// This comes first, because a publication removes the fixtures that no source has.
await publishExamples(service.database.url)
await given(
  ...freshDatasets,
  cve('CVE-2026-0001', { score: 9.8, epss: [0.9, 0.99], kev: {} }),
  cve('CVE-2026-0002', { score: 5, epss: [0.1, 0.5] }),
)
const { key: poorKey } = await issueKey(service, 0)
const folder = await mkdtemp(join(tmpdir(), 'vis-integrations-'))
afterAll(() => rm(folder, { recursive: true }))
await writeFile(join(folder, 'exploited.txt'), 'CVE-2026-0001\nCVE-2026-0002\n')
await writeFile(join(folder, 'harmless.txt'), 'CVE-2026-0002\n')
await writeFile(join(folder, 'unknown.txt'), 'CVE-2026-0002\nCVE-2026-9999\n')
await writeFile(join(folder, 'empty.txt'), '')
const LOGGER = { name: 'log4j', version: '2.14.1', cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' }
const SBOM = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [LOGGER] }
await writeFile(join(folder, 'sbom.json'), JSON.stringify(SBOM))
await writeFile(join(folder, 'judged.json'), '[{ "id": "CVE-2021-44228", "reason": "JNDI is removed from the file." }]')

type Environment = Readonly<Record<string, string>>

async function runShell(command: readonly string[], script: string, environment: Environment) {
  const [program = '', ...args] = command
  const env = { PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter), ...environment }
  const child = spawn(program, [...args, '-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number>((resolve) => {
    child.once('close', (status) => resolve(status ?? -1))
  })
  const [stdout] = await Promise.all([readText(child.stdout), readText(child.stderr)])
  return { code: await ended, stdout }
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly runs: {
    readonly steps: readonly { readonly run: string; readonly shell: string; readonly env: Environment }[]
  }
}

const readAction = async (file: string): Promise<Action> => parse(await readFile(join(ROOT, file), 'utf8'))
const gateAction = await readAction('integrations/github/action.yml')
const scanAction = await readAction('integrations/github/scan/action.yml')

/** Runs the steps of the action until one fails, with the command line that GitHub uses for "shell: bash". */
async function runAction(inputs: Environment, action = gateAction) {
  const output = join(folder, `output-${Object.values(inputs).join('-').replaceAll(/\W+/g, '_')}`)
  const getInput = (name: string) => inputs[name] ?? action.inputs[name]?.default ?? ''
  const insertInputs = (text: string) => text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name) => getInput(name))
  let outcome = { code: 0, stdout: '' }
  for (const { run, env } of action.runs.steps) {
    const values = Object.entries(env).map(([name, value]) => [name, insertInputs(value)])
    const environment = { ...Object.fromEntries(values), GITHUB_OUTPUT: output }
    outcome = await runShell(['bash', '--noprofile', '--norc', '-eo', 'pipefail'], run, environment)
    if (outcome.code !== 0) break
  }
  return { ...outcome, output: existsSync(output) ? await readFile(output, 'utf8') : '' }
}

interface Job {
  readonly script: readonly string[]
  readonly variables: Environment
}

const template: Readonly<Record<string, Job>> = parse(
  await readFile(join(ROOT, 'integrations/gitlab/vis-gate.gitlab-ci.yml'), 'utf8'),
)

/** Runs the script of the GitLab job in the given shell. */
async function runJob(shell: readonly string[], variables: Environment) {
  const { script, variables: defaults } = template['.vis-gate'] ?? { script: ['exit 99'], variables: {} }
  const environment = { ...defaults, ...variables }
  return runShell(shell, script.join('\n'), environment)
}

/** Settings under which the CVEs cannot all be compared, with the file that contains the ids. */
const FAILURES = {
  'a wrong key': { file: 'harmless.txt', key: 'vis_live_nonsense' },
  'an unreachable service': { file: 'harmless.txt', url: 'http://127.0.0.1:1' },
  'an empty list': { file: 'empty.txt' },
  'no credits': { file: 'harmless.txt', key: poorKey },
  'a truncated response': { file: 'harmless.txt', url: await createCuttingProxy(url, 0) },
  'an unknown id': { file: 'unknown.txt' },
  'a missing file': { file: 'missing.txt' },
}

describe('GitHub Action', () => {
  const settings = { url, 'api-key': key }

  it('passes its inputs to visctl gate and outputs the exit code', async () => {
    const found = await runAction({ ...settings, file: 'exploited.txt', 'sarif-file': 'gate.sarif' })
    const clean = await runAction({ ...settings, file: 'harmless.txt', 'epss-min': '0.5', severity: 'high' })
    const byScore = await runAction({
      ...settings,
      ids: 'CVE-2026-0002, CVE-2026-0001',
      kev: 'false',
      'epss-min': '0.5',
    })

    expect([found.code, found.output]).toEqual([1, 'exit-code=1\n'])
    expect(JSON.parse(await readFile(join(folder, 'gate.sarif'), 'utf8')).runs[0].results).toHaveLength(1)
    expect([clean.code, clean.output]).toEqual([0, 'exit-code=0\n'])
    expect(byScore).toMatchObject({ code: 1, stdout: expect.stringContaining('--epss-min 0.5') })
  })

  it.each(Object.entries(FAILURES))('fails with 2 for %s', async (_, { file, ...given }) => {
    const inputs = { ...settings, file, ...('url' in given ? { url: given.url } : {}) }
    expect(await runAction({ ...inputs, ...('key' in given ? { 'api-key': given.key } : {}) })).toMatchObject({
      code: 2,
    })
  })

  it.each([[{ kev: 'yes' }], [{ kev: 'false' }], [{ severity: 'hihg' }], [{ 'epss-min': '50' }]])(
    'fails with 2 for the invalid inputs %j',
    async (wrong) => {
      expect(await runAction({ ...settings, file: 'harmless.txt', ...wrong })).toMatchObject({ code: 2 })
    },
  )

  it('does not run the text of an input as a command', async () => {
    const { code } = await runAction({ ...settings, ids: 'CVE-2026-0002 $(touch pwned) "; touch pwned; "' })

    expect([code, existsSync(join(folder, 'pwned'))]).toEqual([2, false])
  })

  it.each([
    ['action.yml', gateAction],
    ['scan/action.yml', scanAction],
  ])('uses only inputs that %s declares, and inserts none of them into a script', (_, action) => {
    const used = action.runs.steps.flatMap(({ env }) =>
      Object.values(env).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1]),
    )

    expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)))
    expect(action.runs.steps.map(({ run, shell }) => [run.includes('${{'), shell])).toEqual([
      [false, 'bash'],
      [false, 'bash'],
    ])
  })
})

describe('GitHub Action that scans an SBOM', () => {
  const settings = { url, 'api-key': key, file: 'sbom.json' }
  const scan = (inputs: Environment) => runAction({ ...settings, ...inputs }, scanAction)

  it('passes its inputs to visctl scan and outputs the exit code', async () => {
    const found = await scan({ 'sarif-file': 'scan.sarif', 'fail-on': 'P4' })
    const reported = await scan({ 'fail-on': '' })
    const suppressed = await scan({ 'fail-on': 'P4', 'suppress-file': 'judged.json' })

    expect([found.code, found.output]).toEqual([1, 'exit-code=1\n'])
    expect(JSON.parse(await readFile(join(folder, 'scan.sarif'), 'utf8')).runs[0].results).toHaveLength(1)
    expect([reported.code, suppressed.code]).toEqual([0, 0])
  })

  it('exits with 2 as incomplete for a component that no source covers, and passes the allowances to visctl scan', async () => {
    const components = ['firmware', 'loader', 'part'].map((name) => ({ name, purl: `pkg:generic/${name}@1` }))
    await writeFile(join(folder, 'generic.json'), JSON.stringify({ ...SBOM, components }))
    const refused = await scan({ file: 'generic.json' })
    const inputs = { own: 'pkg:generic/firm*\npkg:generic/load*\n', allow: 'uncovered:pkg:generic/part*' }
    const accepted = await scan({ file: 'generic.json', ...inputs, 'max-data-age': '45d' })

    expect([refused.code, refused.output, accepted.code]).toEqual([2, 'exit-code=2\n', 0])
  })

  it.each([
    { file: 'missing.json' },
    { file: 'exploited.txt' },
    { 'fail-on': 'high' },
    { 'api-key': 'vis_live_nonsense' },
    { url: 'http://127.0.0.1:1' },
    { file: '$(touch pwned)' },
  ])('fails with 2 for %j, and does not run the text of an input', async (wrong) => {
    expect([(await scan(wrong)).code, existsSync(join(folder, 'pwned'))]).toEqual([2, false])
  })
})

describe.each([[['bash', '-eo', 'pipefail']], [['sh', '-e']]])('GitLab job in %j', (shell) => {
  const settings = { VIS_URL: url, VIS_API_KEY: key }

  it('fails with 1 for an exploited CVE, and succeeds without one', async () => {
    expect(await runJob(shell, { ...settings, VIS_GATE_FILE: 'exploited.txt' })).toMatchObject({ code: 1 })
    expect(JSON.parse(await readFile(join(folder, 'vis-gate.json'), 'utf8'))).toMatchObject({ result: 'failed' })
    const options = '--kev --severity high'
    const clean = await runJob(shell, { ...settings, VIS_GATE_FILE: 'harmless.txt', VIS_GATE_OPTIONS: options })
    expect(clean).toMatchObject({ code: 0 })
  })
})

describe('GitLab job when some CVEs cannot be checked', () => {
  it.each(Object.entries(FAILURES))('fails with 2 for %s', async (_, { file, ...given }) => {
    const variables = {
      VIS_GATE_FILE: file,
      VIS_URL: 'url' in given ? given.url : url,
      VIS_API_KEY: 'key' in given ? given.key : key,
    }

    expect(await runJob(['sh', '-e'], variables)).toMatchObject({ code: 2 })
  })
})
