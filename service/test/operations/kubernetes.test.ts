import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  createProgram,
  flattenDiagnosticMessageText,
  getPreEmitDiagnostics,
  ModuleKind,
  ModuleResolutionKind,
} from 'typescript'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { NODE_ARGUMENTS, WORKER_ARGUMENTS } from '../support/processes/deployed-node.ts'
import { computeDrainSeconds } from './drain-time.ts'
import { inRepository, readRepository } from './metrics-page.ts'

const HAS_KUBECTL = spawnSync('kubectl', ['version', '--client']).status === 0
const IMAGE = `images.example.org/vis:${JSON.parse(readRepository('service/package.json')).version}`
const EXAMPLE_KINDS = [
  'ConfigMap',
  'Deployment',
  'Deployment',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Namespace',
  'NetworkPolicy',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
  'Service',
  'Service',
  'ServiceMonitor',
]
const { http } = loadConfig({ DATABASE_URL: 'postgres://nobody@nowhere/vis' })

interface Container {
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: unknown
  readonly resources: unknown
  readonly livenessProbe?: unknown
  readonly readinessProbe?: unknown
}

interface Pod {
  readonly securityContext: unknown
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly Container[]
  readonly volumes: readonly { readonly secret?: { readonly items: readonly { readonly path: string }[] } }[]
}

interface Kustomization {
  readonly resources?: readonly string[]
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: Pod & { readonly template?: { readonly spec: Pod } }
}

const FOLDER = 'deploy/kubernetes'
const files = globSync('**/*.yaml', { cwd: inRepository(FOLDER) }).sort()
const kustomizations = files.filter((file) => basename(file) === 'kustomization.yaml')
const manifests = files
  .filter((file) => !kustomizations.includes(file))
  .flatMap((file) => parseAllDocuments(readRepository(`${FOLDER}/${file}`)).map((each): Manifest => each.toJS()))

describe('Kubernetes manifests', () => {
  const pods = manifests.flatMap(({ kind, spec }): Pod[] => {
    if (spec?.template) return [spec.template.spec]
    return kind === 'Pod' && spec ? [spec] : []
  })
  const containers = pods.flatMap((pod) => pod.containers)
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}

  it('are all listed in the kustomization.yaml in their folder', () => {
    const listed = kustomizations.flatMap((file) => {
      const { resources = [] }: Kustomization = parse(readRepository(`${FOLDER}/${file}`))
      return resources.filter((name) => name.endsWith('.yaml')).map((name) => join(dirname(file), name))
    })
    expect([...listed, ...kustomizations].sort()).toEqual(files)
  })

  it('name the image only in the component "image"', () => {
    const named = files.filter((file) => readRepository(`${FOLDER}/${file}`).includes('images.example.org'))
    expect(named).toEqual(['image/kustomization.yaml'])
    for (const { image } of containers) expect(image).toBe('vis')
  })

  it.skipIf(!HAS_KUBECTL)(
    'are rendered by kubectl, with the image from the component "image" in every pod',
    () => {
      const render = (name: string) =>
        execFileSync('kubectl', ['kustomize', inRepository(`${FOLDER}/${name}`)], { encoding: 'utf8' })
      const example = render('example')
      for (const text of [example, render('migrate'), render('operator')])
        expect(new Set(text.match(/(?<=image: ).+/g))).toEqual(new Set([IMAGE]))
      expect(example.match(/(?<=^kind: )\w+$/gm)?.sort()).toEqual(EXAMPLE_KINDS)
      expect(example).toContain('PUBLIC_URL: https://vis.example.org')
      // The autoscaler owns the number of API nodes, so only the workers have a number of replicas.
      expect(example.match(/^ {2}replicas: \d+$/gm)).toHaveLength(1)
    },
    60_000,
  )

  it('run containers without root, with read-only file systems and without capabilities', () => {
    expect(pods).toHaveLength(4)
    for (const pod of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod.automountServiceAccountToken).toBe(false)
      for (const { securityContext, resources: needed } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(needed).toMatchObject({
          requests: { memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        })
      }
    }
  })

  it('run existing commands with existing settings and mounted secrets', () => {
    expect(containers.map(({ args = [] }) => args[0]).sort()).toEqual(['migrate', 'serve', 'worker', undefined])
    const entries = {
      serve: ['node', ...NODE_ARGUMENTS, 'service/bin/vis-server.js'],
      worker: ['node', ...WORKER_ARGUMENTS, 'service/bin/vis-server.js'],
      operator: ['sleep', '3600'],
    }
    for (const { args = ['operator'], command } of containers)
      expect(command).toEqual(Object.entries(entries).find(([name]) => name === args[0])?.[1])
    for (const pod of pods) {
      const mounted = pod.volumes.flatMap(({ secret }) => secret?.items.map(({ path }) => path) ?? [])
      const used = pod.containers.flatMap(({ env }) => env.map(({ value }) => value.replace('/run/secrets/vis/', '')))
      expect(used).toEqual(mounted)
    }
    const known: readonly string[] = readRepository('.env.example').match(/(?<=^(?:# )?)[A-Z_]+(?==)/gm) ?? []
    const used = [...Object.keys(settings), ...containers.flatMap(({ env }) => env.map(({ name }) => name))]
    expect(used.filter((name) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([])
  })

  it('contain no database or Redis URL outside the secret', () => {
    const values = [...Object.values(settings), ...containers.flatMap(({ env }) => env.map(({ value }) => value))]
    expect(values.filter((value) => value.includes('://'))).toEqual([])
    const node = containers.find(({ args = [] }) => args[0] === 'serve')
    expect(node?.env).toContainEqual({ name: 'REDIS_URL_FILE', value: '/run/secrets/vis/redis-url' })
  })

  it('probe the default ports and let a node drain before killing it', () => {
    for (const { args = [], ports = [], livenessProbe } of containers) {
      const byName = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]))
      if (args[0] === 'serve') expect(byName).toEqual({ http: http.port, ops: http.opsPort })
      if (args[0] === 'worker') expect(byName).toEqual({ ops: http.workerOpsPort })
      if (ports.length > 0) expect(livenessProbe).toMatchObject({ httpGet: { path: '/live', port: 'ops' } })
    }
    const node = pods.find((pod) => pod.containers[0]?.args?.[0] === 'serve')
    expect(node?.containers[0]?.readinessProbe).toMatchObject({ httpGet: { path: '/ready', port: 'ops' } })
    expect(node?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      computeDrainSeconds(Number(settings['DRAIN_DELAY_MS'])),
    )
  })
})

/** Returns the module of kubernetes-models that describes a manifest. */
function findModel({ apiVersion, kind }: Manifest): string {
  const folder = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models'
  return `${folder}/${apiVersion}/${kind}`
}

/** Creates a folder whose TypeScript files can import the installed packages. */
function createTypesFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vis-kubernetes-'))
  cleanUpAfterTests(() => rmSync(folder, { recursive: true }))
  symlinkSync(inRepository('node_modules'), join(folder, 'node_modules'))
  return folder
}

const renderTypedManifest = (manifest: Manifest, index: number) =>
  `import type { I${manifest.kind} as Type${index} } from '${findModel(manifest)}'
export const manifest${index}: Type${index} = ${JSON.stringify(manifest)}`

// The schemas in kubernetes-models check values and required members, but accept unknown members; its TypeScript types
// also reject unknown members of object literals.
describe('Kubernetes schemas', () => {
  it('accept every manifest', async () => {
    expect(manifests).toHaveLength(15)
    for (const manifest of manifests) {
      const { [manifest.kind]: Model } = await import(findModel(manifest))
      expect(() => new Model(manifest).validate(), manifest.kind).not.toThrow()
    }
  })

  it('define every member of every manifest', () => {
    const folder = createTypesFolder()
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, manifests.map(renderTypedManifest).join('\n'))
    const program = createProgram([file], {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
      module: ModuleKind.ESNext,
      moduleResolution: ModuleResolutionKind.Bundler,
    })
    const problems = getPreEmitDiagnostics(program).map(({ messageText }) =>
      flattenDiagnosticMessageText(messageText, ' '),
    )
    expect(problems).toEqual([])
  }, 60_000)
})
