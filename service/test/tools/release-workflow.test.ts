// Reads the GitHub workflows and runs the shell scripts of the release workflow, with npm replaced by a script that
// records its arguments.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const REPOSITORY = join(import.meta.dirname, '../../..')
const WORKFLOWS = join(REPOSITORY, '.github/workflows')
const PINNED_ACTION = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<string, { readonly permissions: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >
}

const release: Workflow = parse(readFileSync(join(WORKFLOWS, 'release.yml'), 'utf8'))
const steps = Object.values(release.jobs).flatMap((job) => job.steps)

const folder = mkdtempSync(join(tmpdir(), 'vis-release-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a step with the command line that GitHub uses for steps without "shell". */
function runStep(name: string, cwd: string, env: Readonly<Record<string, string>>) {
  const script = steps.find((step) => step.name === name)?.run ?? 'exit 99'
  const path = [folder, process.env['PATH']].join(delimiter)
  return spawnSync('bash', ['-e', '-c', script], { cwd, env: { PATH: path, ...env }, encoding: 'utf8' })
}

describe('GitHub workflows', () => {
  it.each(readdirSync(WORKFLOWS))('%s pins every action by commit hash', (file) => {
    const lines = readFileSync(join(WORKFLOWS, file), 'utf8').split('\n')
    const uses = lines.filter((line) => line.includes('uses:'))

    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((line) => !PINNED_ACTION.test(line))).toEqual([])
  })
})

describe('The release workflow', () => {
  it('gives each job only the permissions it needs', () => {
    const jobs = Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions])

    expect(release.permissions).toEqual({})
    expect(Object.fromEntries(jobs)).toEqual({
      verify: { contents: 'read' },
      packages: { contents: 'read', 'id-token': 'write' },
      'build-image': { contents: 'read', packages: 'write' },
      'publish-image': { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
      'publish-files': { contents: 'write' },
    })
  })

  it('leaves no repository token in a checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))

    expect(checkouts.map((step) => step.with)).toEqual(
      Object.keys(release.jobs).map(() => ({ 'persist-credentials': false })),
    )
  })

  it('has shell steps that bash can parse', () => {
    const scripts = steps.flatMap(({ run }) => (run === undefined ? [] : [run]))

    expect(scripts.length).toBeGreaterThan(8)
    for (const input of scripts) expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toBe('')
  })

  it.each([
    ['accepts the tag for the version in the named repository', 'v1.2.3', 'someone/vis', 0],
    ['rejects a tag that is not the version', 'v1.2.4', 'someone/vis', 1],
    ['rejects a repository other than the one in package.json', 'v1.2.3', 'another/vis', 1],
  ])('%s', (_, tag, repository, status) => {
    const manifest = { version: '1.2.3', repository: { url: 'git+https://github.example/someone/vis.git' } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const ended = runStep('Compare the tag and the repository with package.json', folder, {
      GITHUB_REF_NAME: tag,
      GITHUB_REPOSITORY: repository,
      GITHUB_SERVER_URL: 'https://github.example',
    })

    expect(ended.status).toBe(status)
  })
})

describe('The step that packs the deployment files', () => {
  it('passes the release image and the folder to the tool that adds digests, and packs the folder', () => {
    const source = mkdtempSync(join(folder, 'checkout-'))
    for (const file of ['Dockerfile', 'compose.yaml', 'deploy', '.env.example', 'LICENSE'])
      writeFileSync(join(source, file), '')
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "$*"\n', { mode: 0o755 })
    const ended = runStep('Pack the deployment files with the digests of all images', source, {
      GITHUB_REF_NAME: 'v1.2.3',
      REFERENCE: 'ghcr.io/someone/vis:1.2.3@sha256:0',
    })

    expect(ended.status).toBe(0)
    expect(ended.stdout).toBe(`tools/pin-images.ts vis-deploy-1.2.3 --image ghcr.io/someone/vis:1.2.3@sha256:0
tools/pin-images.ts --check vis-deploy-1.2.3 --image ghcr.io/someone/vis:1.2.3@sha256:0\n`)
    expect(readdirSync(source)).toContain('vis-deploy-1.2.3.tar.gz')
  })
})

describe('The step that publishes the packages', () => {
  /** Runs the step against a registry that has the given packages already, and returns the calls of npm publish. */
  function publish(tag: string, published: string) {
    const npm = `#!/bin/sh
      if [ "$1" = view ]; then
        case " ${published} " in *" $2 "*) echo "\${2#*@}" ;; *) exit 1 ;; esac
      else
        echo "$*"
      fi`
    writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
    return runStep('Publish vis-sdk and visctl', folder, { GITHUB_REF_NAME: tag }).stdout
  }

  it('publishes vis-sdk before visctl, with provenance', () => {
    expect(publish('v1.2.3', '')).toBe(
      `publish ./packed/vis-sdk-1.2.3.tgz --provenance --access public --tag latest
publish ./packed/visctl-1.2.3.tgz --provenance --access public --tag latest\n`,
    )
  })

  it('skips a package already published by an earlier run for the same release', () => {
    expect(publish('v1.2.3', 'vis-sdk@1.2.3')).toBe(
      'publish ./packed/visctl-1.2.3.tgz --provenance --access public --tag latest\n',
    )
  })

  it('publishes a prerelease under the tag next', () => {
    expect(publish('v1.2.3-rc.1', 'vis-sdk@1.2.3-rc.1')).toBe(
      'publish ./packed/visctl-1.2.3-rc.1.tgz --provenance --access public --tag next\n',
    )
  })
})
