// What is shipped, package by package, in CycloneDX: sbom/service.cdx.json, which CI keeps beside the release.
//
// "npm sbom --omit dev --workspace service" leaves out what is a development dependency of anybody else as well, pg among
// them, without a word. So everything is listed, and what the service reaches is kept.
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
}

const ROOT = dirname(import.meta.dirname)

/** Of all that is installed, what this package needs to run. */
export function prune(bom: Bom, shipped: Shipped): Bom {
  const self = `${shipped.name}@${shipped.version}`
  const direct = Object.entries(shipped.dependencies).map(([name, version]) => `${name}@${version}`)
  const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const reached = new Set(direct)
  for (const ref of reached) for (const next of needs.get(ref) ?? []) reached.add(next)
  const components = bom.components.filter((each) => reached.has(each['bom-ref']))
  const missing = [...reached].filter((ref) => !components.some((each) => each['bom-ref'] === ref))
  if (missing.length > 0) throw new Error(`These are needed and not installed: ${missing.join(', ')}. Run "npm ci".`)
  const unknown = components.filter(({ hashes = [] }) => hashes.length === 0)
  if (unknown.length > 0) throw new Error(`These have no hash: ${unknown.map(({ purl }) => purl).join(', ')}.`)
  const { name, version } = shipped
  const component = { ...bom.metadata.component, 'bom-ref': self, name, version, purl: `pkg:npm/${self}` }
  return {
    ...bom,
    metadata: { ...bom.metadata, component },
    components,
    dependencies: [
      { ref: self, dependsOn: direct },
      ...bom.dependencies.filter(({ ref }) => components.some((each) => each['bom-ref'] === ref)),
    ],
  }
}

if (import.meta.main) {
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (/Unknown command/.test(stderr)) {
    console.log('SKIPPED: this npm cannot make an SBOM; npm 10 and newer can.')
  } else if (status === 0) {
    const shipped: Shipped = JSON.parse(readFileSync(join(ROOT, 'service/package.json'), 'utf8'))
    const bom = prune(JSON.parse(stdout), shipped)
    mkdirSync(join(ROOT, 'sbom'), { recursive: true })
    writeFileSync(join(ROOT, 'sbom/service.cdx.json'), `${JSON.stringify(bom, undefined, 2)}\n`)
    console.log(`sbom: ${bom.components.length} components in sbom/service.cdx.json`)
  } else {
    console.error(`npm sbom failed:\n${stderr}`)
    process.exitCode = 1
  }
}
