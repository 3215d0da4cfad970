import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { NODE_ARGUMENTS } from '../support/processes/deployed-node.ts'
import { inRepository, readRepository } from './metrics-page.ts'

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0
const COMMANDS = ['serve', 'worker', 'migrate']
/**
 * Returns the maximum time that an API node needs to stop: the configured delay, 27 s to finish open requests and 10 s
 * for pending refunds.
 */
const computeDrainSeconds = (delayMs: number) => delayMs / 1000 + 27 + 10
const { http, largeAnswers } = loadConfig({ DATABASE_URL: 'postgres://nobody@nowhere/vis' })
const PORTS = [http.port, http.opsPort, http.workerOpsPort]

describe('Dockerfile', () => {
  const dockerfile = readRepository('Dockerfile')
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n')

  it('uses the Node version of package.json in both stages', () => {
    const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(readRepository('package.json'))
    expect(dockerfile).toContain(`ARG NODE=${devDependencies['node']}-bookworm-slim`)
    expect(lines.filter((line) => line.startsWith('FROM node:')).map((line) => line.split(' ')[1])).toEqual(
      Array.from({ length: 2 }, () => ['node:$', '{NODE}'].join('')),
    )
  })

  it('copies only files that exist and that .dockerignore does not exclude', () => {
    const copied = lines.flatMap((line) => (/^COPY (?!--from)/.test(line) ? line.split(' ').slice(1, -1) : []))
    expect(copied.filter((path) => !existsSync(inRepository(path)))).toEqual([])
    const allowed: readonly string[] = readRepository('.dockerignore').match(/(?<=^!).+$/gm) ?? []
    expect(copied.filter((path) => !allowed.includes(path.split('/')[0] ?? ''))).toEqual([])
    for (const needed of ['service/migrations', 'service/bin', 'service/package.json']) expect(copied).toContain(needed)
  })

  it('runs as a non-root user, has a health check and exposes the default ports', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER 1000:1000$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\n\s+CMD \["node", .*\/live/m)
    expect(last).toMatch(new RegExp(`^EXPOSE ${PORTS.join(' ')}$`, 'm'))
  })
})

interface ComposeService {
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly image?: string
  readonly secrets?: readonly string[]
  readonly read_only?: boolean
  readonly stop_grace_period?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] }
}

describe('compose.yaml', () => {
  const { services, secrets }: { services: Record<string, ComposeService>; secrets: Record<string, unknown> } = parse(
    readRepository('compose.yaml'),
    { merge: true },
  )

  it('runs every process with a read-only file system', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'redis', 'redis-development', 'migrate', 'api', 'worker'])
    for (const [name, { read_only }] of Object.entries(services)) expect([name, read_only]).toEqual([name, true])
    expect([services['migrate'], services['api'], services['worker']].map((part) => part?.command)).toEqual([
      ['migrate'],
      ['serve'],
      ['worker'],
    ])
    expect(services['api']?.entrypoint).toEqual(['node', ...NODE_ARGUMENTS, 'service/bin/vis-server.js'])
  })

  it('pins image versions, has health checks, and lets a node drain before killing it', () => {
    for (const { image } of [services['postgres'], services['redis']].filter((each) => each !== undefined))
      expect(image).toMatch(/:\d/)
    for (const name of ['postgres', 'redis']) expect(services[name]?.healthcheck?.test?.[0]).toBe('CMD')
    expect(services['worker']?.environment?.['HEALTH_PORT']).toBe(String(http.workerOpsPort))
    expect(Number.parseInt(services['api']?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(
      computeDrainSeconds(http.drainDelayMs),
    )
  })

  it('passes the secrets as files and not in the environment', () => {
    expect(services['api']?.environment).toMatchObject({
      CURSOR_SECRET_FILE: '/run/secrets/cursor-secret',
      REDIS_URL_FILE: '/run/secrets/redis-url',
    })
    for (const name of ['CURSOR_SECRET', 'REDIS_URL'])
      expect(services['api']?.environment, name).not.toHaveProperty(name)
    expect(services['api']?.secrets).toEqual(['cursor-secret', 'redis-url'])
    expect(Object.keys(secrets)).toEqual(['cursor-secret', 'redis-url', 'redis-users'])
  })

  it('starts Redis with users from a secret file, and without a password for development on this host only', () => {
    const { redis, 'redis-development': development } = services
    expect(redis?.command?.slice(-2)).toEqual(['--aclfile', '/run/secrets/redis-users'])
    expect(redis).toMatchObject({ secrets: ['redis-users'] })
    expect(redis).not.toHaveProperty('ports')
    expect(development).toMatchObject({ profiles: ['development'], ports: ['127.0.0.1:6379:6379'] })
  })
})

interface Container {
  readonly command?: readonly string[]
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext: unknown
  readonly resources: unknown
  readonly livenessProbe?: unknown
  readonly readinessProbe?: unknown
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly securityContext: unknown
    readonly automountServiceAccountToken: boolean
    readonly terminationGracePeriodSeconds?: number
    readonly containers: readonly Container[]
    readonly volumes: readonly { readonly secret?: { readonly items: readonly { readonly path: string }[] } }[]
  }
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name?: string; readonly generateName?: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: { readonly template?: PodTemplate }
}

describe('Kubernetes manifests', () => {
  const folder = 'deploy/kubernetes'
  const { resources }: { resources: readonly string[] } = parse(readRepository(`${folder}/kustomization.yaml`))
  const manifests = readdirSync(inRepository(folder))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(readRepository(`${folder}/${file}`)).map((each): Manifest => each.toJS()))
  const pods = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template] : []))
  const containers = pods.flatMap(({ spec }) => spec.containers)
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}

  it('are all listed in kustomization.yaml, except the migration job', () => {
    const files = readdirSync(inRepository(folder)).filter((file) => file !== 'kustomization.yaml')
    expect([...resources, 'migrate-job.yaml'].sort()).toEqual(files.sort())
  })

  it('run containers without root, with read-only file systems and without capabilities', () => {
    expect(pods).toHaveLength(3)
    for (const { spec } of pods) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.automountServiceAccountToken).toBe(false)
      for (const { securityContext, resources: needed } of spec.containers) {
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
    expect(containers.map(({ args }) => args[0]).sort()).toEqual([...COMMANDS].sort())
    for (const { args, command } of containers) {
      const entry = args[0] === 'serve' ? ['node', ...NODE_ARGUMENTS, 'service/bin/vis-server.js'] : undefined
      expect(command).toEqual(entry)
    }
    for (const { spec } of pods) {
      const mounted = spec.volumes.flatMap(({ secret }) => secret?.items.map(({ path }) => path) ?? [])
      const used = spec.containers.flatMap(({ env }) => env.map(({ value }) => value.replace('/run/secrets/vis/', '')))
      expect(used).toEqual(mounted)
    }
    const known: readonly string[] = readRepository('.env.example').match(/(?<=^(?:# )?)[A-Z_]+(?==)/gm) ?? []
    const used = [...Object.keys(settings), ...containers.flatMap(({ env }) => env.map(({ name }) => name))]
    expect(used.filter((name) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([])
  })

  it('contain no URL of a database or of Redis outside the secret', () => {
    const values = [...Object.values(settings), ...containers.flatMap(({ env }) => env.map(({ value }) => value))]
    expect(values.filter((value) => value.includes('://'))).toEqual([])
    const node = containers.find(({ args }) => args[0] === 'serve')
    expect(node?.env).toContainEqual({ name: 'REDIS_URL_FILE', value: '/run/secrets/vis/redis-url' })
  })

  it('probe the default ports and let a node drain before killing it', () => {
    for (const { args, ports = [], livenessProbe } of containers) {
      const byName = Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]))
      if (args[0] === 'serve') expect(byName).toEqual({ http: http.port, ops: http.opsPort })
      if (args[0] === 'worker') expect(byName).toEqual({ ops: http.workerOpsPort })
      if (args[0] !== 'migrate') expect(livenessProbe).toMatchObject({ httpGet: { path: '/live', port: 'ops' } })
    }
    const node = pods.find(({ spec }) => spec.containers[0]?.args[0] === 'serve')
    expect(node?.spec.containers[0]?.readinessProbe).toMatchObject({ httpGet: { path: '/ready', port: 'ops' } })
    expect(node?.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      computeDrainSeconds(Number(settings['DRAIN_DELAY_MS'])),
    )
  })
})

describe('systemd units', () => {
  const unit = (name: string) => inRepository(`deploy/systemd/vis-${name}.service`)
  const read = (name: string) => readRepository(`deploy/systemd/vis-${name}.service`)

  it('run the commands of the current release', () => {
    const started = ['api', 'worker', 'migrate'].map((name) => read(name).match(/^ExecStart=(.*)$/m)?.[1])
    expect(started).toEqual(
      COMMANDS.map((command) => {
        const args = [
          ...(command === 'serve' ? NODE_ARGUMENTS : []),
          '/opt/vis/current/service/bin/vis-server.js',
          command,
        ]
        return `/opt/vis/current/bin/node ${args.join(' ')}`
      }),
    )
  })

  it('pass the URL of Redis to a node as a credential', () => {
    expect(read('api')).toMatch(/^LoadCredential=redis-url:\/etc\/vis\/redis-url$/m)
    expect(read('api')).toMatch(/^Environment=REDIS_URL_FILE=%d\/redis-url$/m)
  })

  it('let a node drain before killing it', () => {
    expect(Number(read('api').match(/^TimeoutStopSec=(\d+)$/m)?.[1])).toBeGreaterThanOrEqual(
      computeDrainSeconds(http.drainDelayMs),
    )
  })

  it('give an API node the same memory as the Kubernetes manifest, more than its heap and its unsent bytes', () => {
    const limitMegabytes = Number(/^MemoryMax=(\d+)M$/m.exec(read('api'))?.[1])
    const heapMegabytes = Number(NODE_ARGUMENTS[0]?.split('=')[1])
    expect(readRepository('deploy/kubernetes/api.yaml')).toContain(`limits: { memory: ${limitMegabytes}Mi }`)
    expect(limitMegabytes).toBeGreaterThan(heapMegabytes + largeAnswers.unsentMegabytesPerNode + 256)
  })

  it.skipIf(!HAS_SYSTEMD)('have an exposure level of at most 2 out of 10 according to systemd-analyze', () => {
    for (const name of ['api', 'worker', 'migrate', 'backup']) {
      const { status, stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=yes', '--threshold=20', '--no-pager', unit(name)],
        { encoding: 'utf8' },
      )
      expect(status, stdout).toBe(0)
    }
  })
})
