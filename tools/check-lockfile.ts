// What we install is exact, hashed, scripted by permission only, and tied neither to a network nor to somebody's machine.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface LockfileReport {
  readonly packages: number
  readonly files: number
  /** Sentences: what is wrong, where, and what to do. */
  readonly faults: readonly string[]
}

interface Manifest {
  readonly workspaces?: readonly string[]
  readonly allowScripts?: Readonly<Record<string, boolean>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface LockedPackage {
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
}

const MAX_RUNTIME_DEPENDENCIES = 15
const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/
const OWN_PACKAGE = /^@vis\//
const INSTALLED = /^(?:.*\/)?node_modules\/(.+)$/

// A path of a URL or of a variable is not one of a machine: hence the look behind.
const MACHINE_PATH = /(?<![\w.})\]>*-])\/(?:home\/[\w.-]+|Users\/[\w.-]+|root|work)\/[\w.-]*/
const REGISTRY =
  /\b(?:registry|npm)\.[\w.-]+\.(?:org|com|net|io|dev|local|lan|internal)\b|\bregistry\s*=\s*https?:|:_auth\w*\s*=/i

export function checkLockfile(root: string): LockfileReport {
  const manifest = readManifest(root, '.')
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const installed = Object.entries(packages).filter(([path]) => INSTALLED.test(path))
  const files = filesOf(root)
  return {
    packages: installed.length,
    files: files.length,
    faults: [
      ...installed.flatMap(([path, locked]) => lockFaults(path, locked)),
      ...scriptFaults(installed, manifest.allowScripts ?? {}),
      ...versionFaults(root, ['.', ...(manifest.workspaces ?? [])]),
      ...tooManyDependencies(root),
      ...files.flatMap((file) => strayNames(root, file)),
    ],
  }
}

function readManifest(root: string, workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
}

/** Everything in git, and everything that the next commit could bring. */
function filesOf(root: string): string[] {
  // Inside a hook of git these point to the repository of the hook, whichever folder is asked about.
  const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined }
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
}

function lockFaults(path: string, { resolved, integrity, link, inBundle }: LockedPackage): string[] {
  if (link || inBundle) return []
  return [
    ...(resolved
      ? [
          `package-lock.json: ${path} has an address, ${resolved}. Run "npm install" with the .npmrc of this repository.`,
        ]
      : []),
    ...(integrity ? [] : [`package-lock.json: ${path} has no hash: nobody could tell whether it was exchanged.`]),
  ]
}

function scriptFaults(
  installed: readonly (readonly [string, LockedPackage])[],
  allowScripts: Readonly<Record<string, boolean>>,
): string[] {
  const scripted = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(INSTALLED, '$1'))
  return [
    ...scripted
      .filter((name) => !(name in allowScripts))
      .map(
        (name) =>
          `${name} runs code when it is installed. Choose another package, or decide it in package.json under allowScripts.`,
      ),
    ...Object.keys(allowScripts)
      .filter((name) => !scripted.includes(name))
      .map((name) => `package.json: allowScripts names ${name}, which has no install script. Remove it there.`),
  ]
}

function versionFaults(root: string, workspaces: readonly string[]): string[] {
  return workspaces.flatMap((workspace) => {
    const path = join(workspace, 'package.json')
    const { dependencies, devDependencies, optionalDependencies } = readManifest(root, workspace)
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([name, version]) => !OWN_PACKAGE.test(name) && !EXACT.test(version))
      .map(([name, version]) => `${path}: ${name} is "${version}". Write one exact version, such as "1.2.3".`)
  })
}

function tooManyDependencies(root: string): string[] {
  const count = Object.keys(readManifest(root, 'service').dependencies ?? {}).length
  if (count <= MAX_RUNTIME_DEPENDENCIES) return []
  return [
    `service/package.json: ${count} dependencies at run time, and at most ${MAX_RUNTIME_DEPENDENCIES} are allowed. Can the platform do it?`,
  ]
}

function strayNames(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const isBinary = text.includes('\0')
  if (isBinary) return []
  return text.split('\n').flatMap((line, index) => {
    const [path] = MACHINE_PATH.exec(line) ?? []
    const [registry] = REGISTRY.exec(line) ?? []
    const at = `${file}:${index + 1}`
    return [
      ...(path ? [`${at}: ${path} exists on one machine only. Make it relative to the repository.`] : []),
      ...(registry
        ? [`${at}: ${registry} names a package registry. Leave the choice to the machine that installs.`]
        : []),
    ]
  })
}

if (import.meta.main) {
  const { packages, files, faults } = checkLockfile(process.argv[2] ?? dirname(import.meta.dirname))
  console.log(`lockfile: ${packages} packages, ${files} files, ${faults.length} faults`)
  for (const fault of faults) console.log(`\n${fault}`)
  if (faults.length > 0) process.exitCode = 1
}
