// Writes the service's SBOM in CycloneDX format to sbom/service.cdx.json.
//
// "npm sbom --omit dev --workspace service" silently drops runtime packages that are also a development dependency of
// another workspace, such as pg. This script therefore lists all installed packages and keeps those that the service
// reaches.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly unknown[]
}

export interface Bom {
  readonly bomFormat: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

export interface Shipped {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/**
 * Development packages whose code the build copies into the service's dist (service/scripts/write-documentation-files.ts).
 * Their own dependencies are not copied.
 */
const BUNDLED = ['@scalar/fastify-api-reference']

const ROOT = dirname(import.meta.dirname)

/** Keeps the components that the shipped package needs at run time, and the development packages copied into it. */
export function prune(bom: Bom, shipped: Shipped, bundledNames: readonly string[] = []): Bom {
  const self = `${shipped.name}@${shipped.version}`
  const direct = Object.entries(shipped.dependencies).map(([name, version]) => `${name}@${version}`)
  const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const reached = new Set(direct)
  for (const ref of reached) for (const next of needs.get(ref) ?? []) reached.add(next)
  const bundled = bundledNames.map((name) => `${name}@${shipped.devDependencies?.[name] ?? 'not listed'}`)
  for (const ref of bundled) reached.add(ref)
  const components = bom.components.filter((each) => reached.has(each['bom-ref']))
  const missing = [...reached].filter((ref) => !components.some((each) => each['bom-ref'] === ref))
  if (missing.length > 0)
    throw new Error(`Packages are required but not installed: ${missing.join(', ')}. Run "npm ci".`)
  const unknown = components.filter(({ hashes = [] }) => hashes.length === 0)
  if (unknown.length > 0)
    throw new Error(`Packages have no hash in package-lock.json: ${unknown.map(({ purl }) => purl).join(', ')}.`)
  const { name, version } = shipped
  const component = { ...bom.metadata.component, 'bom-ref': self, name, version, purl: `pkg:npm/${self}` }
  return {
    ...bom,
    metadata: { ...bom.metadata, component },
    components,
    dependencies: [
      { ref: self, dependsOn: [...direct, ...bundled] },
      ...bom.dependencies
        .filter(({ ref }) => components.some((each) => each['bom-ref'] === ref))
        .map((each) => (bundled.includes(each.ref) ? { ...each, dependsOn: [] } : each)),
    ],
  }
}

/** Returns the service together with its console's packages, whose code the console build bundles. */
function readShipped(): Shipped {
  const read = (file: string): Shipped => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  const service = read('service/package.json')
  // The sdk is part of this repository, so it has no hash in package-lock.json.
  const { 'vis-sdk': _sdk, ...bundled } = read('console/package.json').dependencies
  return { ...service, dependencies: { ...bundled, ...service.dependencies } }
}

if (import.meta.main) {
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (/Unknown command/.test(stderr)) {
    console.log('SKIPPED: npm sbom needs npm 10 or newer.')
  } else if (status === 0) {
    const bom = prune(JSON.parse(stdout), readShipped(), BUNDLED)
    mkdirSync(join(ROOT, 'sbom'), { recursive: true })
    writeFileSync(join(ROOT, 'sbom/service.cdx.json'), `${JSON.stringify(bom, undefined, 2)}\n`)
    console.log(`sbom: ${bom.components.length} components in sbom/service.cdx.json`)
  } else {
    console.error(`npm sbom failed:\n${stderr}`)
    process.exitCode = 1
  }
}
