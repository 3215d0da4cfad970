// Checks the service's runtime packages, direct and indirect, against the rules in docs/adr/0004-dependencies.md.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RuntimeReport {
  /** Paths in package-lock.json, sorted; a package that is installed twice has two paths. */
  readonly packages: readonly string[]
  /** Names of the installed packages whose manifest names exactly one person or organisation. */
  readonly oneAuthor: readonly string[]
  readonly violations: readonly string[]
}

interface LockedDependencies {
  readonly resolved?: string
  readonly link?: boolean
  readonly deprecated?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lockfile = Readonly<Record<string, LockedDependencies>>
type Person = string | { readonly name?: string }

const SERVICE = 'service'
const RECORD = 'docs/adr/0004-dependencies.md'
const MAX_PACKAGES = 110
const MODULES = 'node_modules/'

export function checkRuntimePackages(root: string, lockfile: Lockfile): RuntimeReport {
  const { dependencies = {} }: LockedDependencies = JSON.parse(
    readFileSync(join(root, SERVICE, 'package.json'), 'utf8'),
  )
  const direct = Object.keys(dependencies)
  const packages = findClosure(lockfile)
  const recorded = readRecordedPackages(root)
  return {
    packages,
    oneAuthor: packages.filter((path) => countAuthors(root, path) === 1).map(toName),
    violations: [
      ...direct
        .filter((name) => !recorded.includes(name))
        .map((name) => `${RECORD}: no row for ${name}. Say its job, why Node does not suffice, and who keeps it.`),
      ...recorded
        .filter((name) => !direct.includes(name))
        .map((name) => `${RECORD}: ${name} is no runtime dependency of the service. Remove its row.`),
      ...packages
        .filter((path) => lockfile[path]?.deprecated !== undefined)
        .map((path) => `package-lock.json: ${path} is deprecated: ${lockfile[path]?.deprecated}. Replace it.`),
      ...(packages.length > MAX_PACKAGES
        ? [
            `package-lock.json: ${packages.length} runtime packages, the maximum is ${MAX_PACKAGES}. Choose a package with fewer dependencies, or use Node.js itself.`,
          ]
        : []),
    ],
  }
}

/** Lists the packages that the service reaches. Its development dependencies are not followed. */
function findClosure(lockfile: Lockfile): string[] {
  const reached = new Set([SERVICE])
  for (const path of reached) {
    const { dependencies, optionalDependencies } = lockfile[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(lockfile, path, name)
      if (found !== undefined) reached.add(found)
    }
  }
  return [...reached].filter((path) => path !== SERVICE).sort()
}

/** Finds a package as Node does: in the folder of the package that needs it, then in its parent folders. */
function resolve(lockfile: Lockfile, from: string, name: string): string | undefined {
  const path = join(from, MODULES, name)
  const locked = lockfile[path]
  if (locked) return locked.link ? locked.resolved : path
  if (from === '') return undefined
  return resolve(lockfile, from.slice(0, Math.max(0, from.lastIndexOf(MODULES) - 1)), name)
}

/** Reads the first column of the table whose header begins with "package" and "job". */
function readRecordedPackages(root: string): string[] {
  const file = join(root, RECORD)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [, table = ''] = text.split(/^\| package \| job .*\n\|[-|]+\|\n/m)
  const end = table.indexOf('\n\n')
  const rows = end === -1 ? table : table.slice(0, end)
  return Array.from(rows.matchAll(/^\| (\S+) \|/gm), ([, name = '']) => name)
}

function countAuthors(root: string, path: string): number {
  const file = join(root, path, 'package.json')
  if (!existsSync(file)) return 0
  const { author, maintainers = [], contributors = [] } = JSON.parse(readFileSync(file, 'utf8'))
  const people: readonly (Person | undefined)[] = [author, maintainers, contributors].flat()
  return new Set(people.flatMap((person) => (person ? [toPersonName(person)] : []))).size
}

function toPersonName(person: Person): string | undefined {
  return typeof person === 'string' ? person.replace(/ [<(].*/, '') : person.name
}

function toName(path: string): string {
  return path.slice(path.lastIndexOf(MODULES) + MODULES.length)
}
