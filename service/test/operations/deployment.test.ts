import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { referencesIn } from '../../../tools/docs/markdown.ts'
import { loadConfig } from '../../src/config.ts'
import { feedDefinitions } from '../../src/feeds/index.ts'
import { NODE_ARGUMENTS, WORKER_ARGUMENTS } from '../support/processes/deployed-node.ts'
import { computeDrainSeconds } from './drain-time.ts'
import { inRepository, readRepository } from './metrics-page.ts'

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0
const COMMANDS = ['serve', 'worker', 'migrate']
const { http, largeAnswers } = loadConfig({ DATABASE_URL: 'postgres://nobody@nowhere/vis' })
const PORTS = [http.port, http.opsPort, http.workerOpsPort]

describe('Dockerfile', () => {
  const dockerfile = readRepository('Dockerfile')
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n')

  it('uses the Node version from package.json in both stages', () => {
    const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(readRepository('package.json'))
    expect(dockerfile).toContain(`ARG NODE=${devDependencies['node']}-bookworm-slim`)
    expect(lines.filter((line) => line.startsWith('FROM node:')).map((line) => line.split(' ')[1])).toEqual(
      Array.from({ length: 2 }, () => ['node:$', '{NODE}'].join('')),
    )
  })

  it('labels the image with the service version, which compose.yaml and the Kubernetes manifests use', () => {
    const { version }: { version: string } = JSON.parse(readRepository('service/package.json'))
    expect(lines).toContain(`ARG VERSION=${version}`)
    expect(dockerfile).toMatch(/^ +org\.opencontainers\.image\.version="\$\{VERSION\}"/m)
    expect(readRepository('compose.yaml')).toContain(`image: vis:${version}\n`)
    expect(readRepository('deploy/kubernetes/image/kustomization.yaml')).toContain(`newTag: ${version} }`)
  })

  it('copies only files that exist and that .dockerignore does not exclude', () => {
    const copied = lines.flatMap((line) => (/^COPY (?!--from)/.test(line) ? line.split(' ').slice(1, -1) : []))
    expect(copied.filter((path) => !existsSync(inRepository(path)))).toEqual([])
    const allowed: readonly string[] = readRepository('.dockerignore').match(/(?<=^!).+$/gm) ?? []
    expect(copied.filter((path) => !allowed.includes(path.split('/')[0] ?? ''))).toEqual([])
    for (const needed of ['service/migrations', 'service/bin', 'service/package.json']) expect(copied).toContain(needed)
  })

  it('contains the built console next to the service', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(lines).toContain('RUN npm run build --workspace console')
    expect(last).toMatch(/^COPY --from=build \/app\/console\/dist console\/dist$/m)
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
    expect(services['worker']?.entrypoint).toEqual(['node', ...WORKER_ARGUMENTS, 'service/bin/vis-server.js'])
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

  it('passes the secrets as files, not in the environment', () => {
    expect(services['api']?.environment).toMatchObject({
      CURSOR_SECRET_FILE: '/run/secrets/cursor-secret',
      REDIS_URL_FILE: '/run/secrets/redis-url',
    })
    for (const name of ['CURSOR_SECRET', 'REDIS_URL'])
      expect(services['api']?.environment, name).not.toHaveProperty(name)
    expect(services['api']?.secrets).toEqual(['cursor-secret', 'redis-url'])
    expect(Object.keys(secrets)).toEqual(['cursor-secret', 'redis-url', 'redis-users'])
  })

  it('starts Redis with users from a secret file, and without a password only for development on this host', () => {
    const { redis, 'redis-development': development } = services
    expect(redis?.command?.slice(-2)).toEqual(['--aclfile', '/run/secrets/redis-users'])
    expect(redis).toMatchObject({ secrets: ['redis-users'] })
    expect(redis).not.toHaveProperty('ports')
    expect(development).toMatchObject({ profiles: ['development'], ports: ['127.0.0.1:6379:6379'] })
  })
})

describe('systemd units', () => {
  const unit = (name: string) => inRepository(`deploy/systemd/vis-${name}.service`)
  const read = (name: string) => readRepository(`deploy/systemd/vis-${name}.service`)

  it('run the commands in the current release', () => {
    const started = ['api', 'worker', 'migrate'].map((name) => read(name).match(/^ExecStart=(.*)$/m)?.[1])
    expect(started).toEqual(
      COMMANDS.map((command) => {
        const args = [
          ...(command === 'serve' ? NODE_ARGUMENTS : command === 'worker' ? WORKER_ARGUMENTS : []),
          '/opt/vis/current/service/bin/vis-server.js',
          command,
        ]
        return `/opt/vis/current/bin/node ${args.join(' ')}`
      }),
    )
  })

  it('pass the Redis URL to a node as a credential', () => {
    expect(read('api')).toMatch(/^LoadCredential=redis-url:\/etc\/vis\/redis-url$/m)
    expect(read('api')).toMatch(/^Environment=REDIS_URL_FILE=%d\/redis-url$/m)
  })

  it('sign a bundle with the private key on one host, and verify it with the public key on the other', () => {
    const start = `/opt/vis/current/bin/node .*/opt/vis/current/service/bin/vis-server\\.js`
    expect(read('feeds-download')).toMatch(
      new RegExp(`^ExecStart=${start} feeds download --to /var/lib/vis-feeds/bundle$`, 'm'),
    )
    expect(read('feeds-download')).toMatch(/^Environment=FEEDS_BUNDLE_PRIVATE_KEY=%d\/bundle-private-key$/m)
    expect(read('feeds-import')).toMatch(new RegExp(`^ExecStart=${start} sync --from /srv/vis-feeds/bundle$`, 'm'))
    expect(read('feeds-import')).toMatch(/^Environment=FEEDS_BUNDLE_PUBLIC_KEY=%d\/bundle-public-key$/m)
  })

  it('create the backup folder before the backup unit writes to it', () => {
    const [, folder] = /^ReadWritePaths=(.+)$/m.exec(read('backup')) ?? []
    expect(readRepository('deploy/systemd/vis.tmpfiles.conf')).toContain(`d ${folder} 0700 postgres postgres -`)
    expect(read('backup')).toContain(`backup.sh --to ${folder} `)
    expect(read('backup-status')).toContain(`status.sh --from ${folder} `)
  })

  it('let a node drain before killing it', () => {
    expect(Number(read('api').match(/^TimeoutStopSec=(\d+)$/m)?.[1])).toBeGreaterThanOrEqual(
      computeDrainSeconds(http.drainDelayMs),
    )
  })

  it('give an API node the same memory as the Kubernetes manifest, more than its heap and its unsent bytes', () => {
    const limitMegabytes = Number(/^MemoryMax=(\d+)M$/m.exec(read('api'))?.[1])
    const heapMegabytes = Number(NODE_ARGUMENTS[0]?.split('=')[1])
    expect(readRepository('deploy/kubernetes/base/api.yaml')).toContain(`limits: { memory: ${limitMegabytes}Mi }`)
    expect(limitMegabytes).toBeGreaterThan(heapMegabytes + largeAnswers.unsentMegabytesPerNode + 256)
  })

  it.skipIf(!HAS_SYSTEMD)('have an exposure level of at most 2 out of 10 according to systemd-analyze', () => {
    for (const name of ['api', 'worker', 'migrate', 'backup', 'backup-status', 'feeds-download', 'feeds-import']) {
      const { status, stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=yes', '--threshold=20', '--no-pager', unit(name)],
        { encoding: 'utf8' },
      )
      expect(status, stdout).toBe(0)
    }
  })
})

describe('optional keys of upstreams', () => {
  const keys = feedDefinitions.flatMap(({ settings }) => settings.filter(({ isSecret }) => isSecret))

  it.each([
    '.env.example',
    'compose.yaml',
    'deploy/kubernetes/base/worker.yaml',
    'deploy/systemd/vis-worker.service',
    'deploy/systemd/vis-feeds-download.service',
    'docs/feeds.md',
    'docs/operations.md',
  ])('are all named in %s', (path) => {
    const text = readRepository(path)
    expect(keys.length).toBeGreaterThan(2)
    expect(keys.map(({ name }) => name).filter((name) => !text.includes(name))).toEqual([])
  })
})

describe('deploy/release.sh', () => {
  const script = readRepository('deploy/release.sh')
  /** Files and folders of the repository that the script copies, relative to the root of the release. */
  const copied = Array.from(script.matchAll(/^cp (?:-R )?(.+) "\$to\/"$/gm), ([, names = '']) =>
    names.split(' '),
  ).flat()
  const isInRelease = (path: string) =>
    copied.some((each) => path === each || path.startsWith(`${each}/`)) ||
    /^service\/(migrations|sample|bin)\b/.test(path)

  it('builds the console and copies it next to the service', () => {
    expect(script).toMatch(/^npm run build .*--workspace console$/m)
    expect(script).toMatch(/^cp -R console\/dist "\$to\/console\/"$/m)
  })

  it('copies every file that the documents in a release link to', () => {
    const documents = [
      'ARCHITECTURE.md',
      'SECURITY.md',
      'CHANGELOG.md',
      'docs/operations.md',
      'docs/metrics.md',
      'docs/feeds.md',
    ]
    expect(documents.filter((path) => !isInRelease(path))).toEqual([])
    const links = documents.flatMap((document) =>
      referencesIn(readRepository(document))
        .filter(({ kind, text }) => kind === 'link' && !/^[a-z]+:|^#/.test(text))
        .map(({ text }) => join(dirname(document), text.split('#')[0] ?? '')),
    )
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((path) => !isInRelease(path))).toEqual([])
  })
})
