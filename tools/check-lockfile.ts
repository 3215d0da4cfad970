// Checks package-lock.json and the manifests: exact versions, a hash per package, install scripts only with permission,
// the rules for runtime packages, and no registry host or machine path in any file of the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkRuntimePackages, type RuntimeReport } from './runtime-packages.ts'

export interface LockfileReport {
  readonly packages: number
  readonly files: number
  readonly runtime: RuntimeReport
  /** Each entry is a sentence that names the file, the violation and the correction. */
  readonly violations: readonly string[]
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

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/
const MODULES = 'node_modules/'

// Matches a path that exists on one machine only, for example in a home folder. The lookbehind excludes paths in URLs
// and paths after a variable.
const MACHINE_PATH = /(?<![\w.})\]>*-])\/(?:home\/[\w.-]+|Users\/[\w.-]+|root|work)\/[\w.-]*/
const REGISTRY =
  /\b(?:registry|npm)\.(?:[\w-]+\.){1,3}(?:org|com|net|io|dev|local|lan|internal)\b|\bregistry\s*=\s*https?:|:_auth\w*\s*=/i

export function checkLockfile(root: string): LockfileReport {
  const manifest = readManifest(root, '.')
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const installed = Object.entries(packages).filter(([path]) => path.includes(MODULES))
  const files = listFiles(root)
  const runtime = checkRuntimePackages(root, packages)
  return {
    packages: installed.length,
    files: files.length,
    runtime,
    violations: [
      ...installed.flatMap(([path, locked]) => findLockViolations(path, locked)),
      ...findScriptViolations(installed, manifest.allowScripts ?? {}),
      ...findVersionViolations(root, ['.', ...(manifest.workspaces ?? [])]),
      ...runtime.violations,
      ...files.flatMap((file) => findMachineNames(root, file)),
    ],
  }
}

function readManifest(root: string, workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
}

/** Lists tracked files and untracked files that git does not ignore. */
function listFiles(root: string): string[] {
  // In a git hook, these variables name the repository of the hook and would override cwd.
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

function findLockViolations(path: string, { resolved, integrity, link, inBundle }: LockedPackage): string[] {
  if (link || inBundle) return []
  return [
    ...(resolved
      ? [
          `package-lock.json: ${path} has a download address, ${resolved}. Run "npm install" with the .npmrc of this repository.`,
        ]
      : []),
    ...(integrity
      ? []
      : [`package-lock.json: ${path} has no hash, so a replaced package would go unnoticed. Run "npm install" again.`]),
  ]
}

function findScriptViolations(
  installed: readonly (readonly [string, LockedPackage])[],
  allowScripts: Readonly<Record<string, boolean>>,
): string[] {
  const scripted = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf(MODULES) + MODULES.length))
  return [
    ...scripted
      .filter((name) => !(name in allowScripts))
      .map(
        (name) =>
          `${name} has an install script. Choose another package, or add a decision under allowScripts in package.json.`,
      ),
    ...Object.keys(allowScripts)
      .filter((name) => !scripted.includes(name))
      .map((name) => `package.json: allowScripts names ${name}, which has no install script. Remove it there.`),
  ]
}

function findVersionViolations(root: string, workspaces: readonly string[]): string[] {
  return workspaces.flatMap((workspace) => {
    const path = join(workspace, 'package.json')
    const { dependencies, devDependencies, optionalDependencies } = readManifest(root, workspace)
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]) => `${path}: ${name} is "${version}". Write one exact version, such as "1.2.3".`)
  })
}

function findMachineNames(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const isBinary = text.includes('\0')
  if (isBinary) return []
  return text.split('\n').flatMap((line, index) => {
    const [path] = MACHINE_PATH.exec(line) ?? []
    const [registry] = REGISTRY.exec(line) ?? []
    const at = `${file}:${index + 1}`
    return [
      ...(path ? [`${at}: ${path} is a path of one machine. Use a path relative to the repository.`] : []),
      ...(registry
        ? [`${at}: ${registry} names a package registry. Remove the name: each machine configures its own registry.`]
        : []),
    ]
  })
}

if (import.meta.main) {
  const { packages, files, runtime, violations } = checkLockfile(process.argv[2] ?? dirname(import.meta.dirname))
  console.log(`lockfile: ${packages} packages, ${files} files, ${violations.length} violations`)
  console.log(
    `runtime: ${runtime.packages.length} packages; the manifest names one author of ${runtime.oneAuthor.join(', ')}`,
  )
  for (const violation of violations) console.log(`\n${violation}`)
  if (violations.length > 0) process.exitCode = 1
}
