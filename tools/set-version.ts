// node tools/set-version.ts <version>: writes the version of a release into every file that states it.
//
// The service, its console, vis-sdk and visctl share one version. The entries in CHANGELOG.md under "Unreleased" move
// below a heading with the version and the date.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

// A version in text. The IP address 192.0.2.0 does not contain one.
const MENTION = /(?<![\d.])\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?!\.?\d)/g

const MANIFESTS = [
  'package.json',
  'service/package.json',
  'sdk/package.json',
  'cli/package.json',
  'console/package.json',
  'lab/package.json',
]

/** Files in which every mention of the old version is replaced. A test checks that the list is complete. */
const TEXTS = [
  'Dockerfile',
  'compose.yaml',
  'deploy/kubernetes/image/kustomization.yaml',
  'deploy/release.sh',
  'docs/operations.md',
  'integrations/github/action.yml',
  'integrations/github/scan/action.yml',
  'integrations/gitlab/vis-gate.gitlab-ci.yml',
]

interface Manifest {
  version: string
  dependencies?: Record<string, string>
}

interface Lockfile extends Manifest {
  packages: Record<string, Manifest>
}

/** Writes nothing if one of the files cannot be changed. The error it throws states the reason. */
export function setVersion(root: string, version: string, now: Date): void {
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version such as 1.2.3.`)
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const { version: old }: Manifest = JSON.parse(read('package.json'))
  if (version === old) throw new Error(`The version is ${version} already.`)
  const changed = new Map([
    ...MANIFESTS.map((file) => [file, changeManifest(read(file), version)] as const),
    ['package-lock.json', changeLockfile(read('package-lock.json'), version)] as const,
    ...TEXTS.map((file) => [file, replaceVersion(file, read(file), old, version)] as const),
    ['CHANGELOG.md', moveUnreleased(read('CHANGELOG.md'), version, now)] as const,
  ])
  for (const [file, text] of changed) writeFileSync(join(root, file), text)
}

export function mentionsVersion(text: string, version: string): boolean {
  return text.match(MENTION)?.includes(version) ?? false
}

function changeManifest(text: string, version: string): string {
  const manifest: Manifest = JSON.parse(text)
  return toJson(withVersion(manifest, version))
}

/** Changes the entries of the root and the workspaces; entries below node_modules are other packages. */
function changeLockfile(text: string, version: string): string {
  const lockfile: Lockfile = JSON.parse(text)
  const packages = Object.entries(lockfile.packages).map(([path, locked]) =>
    path.includes('node_modules/') ? [path, locked] : [path, withVersion(locked, version)],
  )
  return toJson({ ...lockfile, version, packages: Object.fromEntries(packages) })
}

function withVersion(manifest: Manifest, version: string): Manifest {
  const { dependencies } = manifest
  const needsSdk = dependencies && 'vis-sdk' in dependencies
  return { ...manifest, version, ...(needsSdk ? { dependencies: { ...dependencies, 'vis-sdk': version } } : {}) }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

function replaceVersion(file: string, text: string, old: string, version: string): string {
  if (!mentionsVersion(text, old)) throw new Error(`${file} does not contain the version ${old}.`)
  return text.replaceAll(MENTION, (mention) => (mention === old ? version : mention))
}

/** Turns "## Unreleased (v1.5)" into an empty heading for the next release, followed by the heading of this release. */
function moveUnreleased(changelog: string, version: string, now: Date): string {
  const lines = changelog.split('\n')
  const at = lines.findIndex((line) => line.startsWith('## Unreleased'))
  const unreleased = lines[at]
  if (unreleased === undefined) throw new Error('CHANGELOG.md has no heading "## Unreleased".')
  const firstText = lines.slice(at + 1).find((line) => line.trim() !== '')
  if (firstText === undefined || firstText.startsWith('## '))
    throw new Error('CHANGELOG.md has no entries under "## Unreleased".')
  const released = `${unreleased.replace('Unreleased', version)}, ${now.toISOString().slice(0, 10)}`
  return lines.toSpliced(at + 1, 0, '', released).join('\n')
}

if (import.meta.main) {
  try {
    setVersion(dirname(import.meta.dirname), process.argv[2] ?? '', new Date())
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
