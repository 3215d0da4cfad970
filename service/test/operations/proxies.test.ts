// Sends requests over TLS through nginx and Caddy, configured as the examples in deploy/proxy, to a real node.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { type ServiceProcess, startProcess } from '../support/processes/server-process.ts'
import { readRepository } from './metrics-page.ts'

const NAME = 'vis.example.org'
const has = (program: string) => spawnSync(program, ['-v']).error === undefined

const folder = mkdtempSync(join(tmpdir(), 'vis-proxy-'))
cleanUpAfterTests(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a proxy, which is stopped after the last test of the file. */
function startProxy(program: string, args: readonly string[]): ChildProcess {
  const proxy = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: 'ignore',
  })
  cleanUpAfterTests(async () => {
    if (proxy.exitCode !== null) return
    proxy.kill('SIGTERM')
    await once(proxy, 'exit')
  })
  return proxy
}

/** Starts nginx with the example, on another port and with a certificate made for the test. */
async function startNginx(node: ServiceProcess): Promise<number> {
  const [plainPort, port] = [await freePort(), await freePort()]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${NAME}`, '-days', '2', '-keyout', key, '-out', certificate]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject],
    {
      stdio: 'pipe',
    },
  )
  const example = readRepository('deploy/proxy/nginx.conf')
    .replaceAll(/^ +listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('127.0.0.1:3000', `127.0.0.1:${node.port}`)
    .replace('/etc/ssl/vis/fullchain.pem', certificate)
    .replace('/etc/ssl/vis/privkey.pem', key)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${example}}\n`,
  )
  startProxy('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'])
  return port
}

/** Starts Caddy with the example, on another port and with a certificate of Caddy's own authority. */
async function startCaddy(node: ServiceProcess): Promise<number> {
  const port = await freePort()
  const example = readRepository('deploy/proxy/Caddyfile')
    .replace(NAME, `https://${NAME}:${port}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${node.port}`)
    .replace('health_port 9464', `health_port ${node.opsPort}`)
  const options = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n`
  mkdirSync(join(folder, 'caddy'), { recursive: true })
  writeFileSync(join(folder, 'caddy/Caddyfile'), `${options}${example}`)
  startProxy('caddy', ['run', '--config', join(folder, 'caddy/Caddyfile'), '--adapter', 'caddyfile'])
  return port
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function send(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const options = { host: '127.0.0.1', port, path, servername: NAME, rejectUnauthorized: false }
  const outgoing = request({ ...options, headers: { host: NAME, ...headers } }).end()
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  if (!response) throw new Error('no response')
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

const EXAMPLES = [
  { program: 'nginx', start: startNginx },
  { program: 'caddy', start: startCaddy },
]

describe.each(EXAMPLES)('TLS example for $program', ({ program, start }) => {
  it.skipIf(!has(program))(
    'passes requests and responses unchanged, and correctly reports how it was called',
    async () => {
      const { url } = await createTestDatabase()
      const settings = { PORT: '0', OPS_PORT: '0', CURSOR_SECRET: 'x'.repeat(32), DRAIN_DELAY_MS: '0' }
      const node = await startProcess({ environment: { ...settings, DATABASE_URL: url, TRUST_PROXY: '127.0.0.1' } })
      const port = await start(node)
      await expect
        .poll(
          () =>
            send(port, '/health').then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 100_000 },
        )
        .toBe(200)

      const unknown = await send(port, '/api/v1/cves?kev=true')
      expect([unknown.status, JSON.parse(unknown.body).error.code]).toEqual([401, 'UNAUTHORIZED'])
      // The node itself refuses a URL of 12 KB, so the proxy's limits are not smaller.
      const long = await send(port, `/api/v1/cves?ids=${'CVE-2024-0001,'.repeat(900)}`)
      expect([long.status, JSON.parse(long.body).error.code]).toEqual([414, 'URI_TOO_LONG'])
      // The operators' port is not reachable through the proxy.
      expect((await send(port, '/metrics')).status).toBe(404)
      // The proxy tells the node that the caller used HTTPS, so pages from the same origin may read the answer.
      const own = await send(port, '/api/v1/ping', { origin: `https://${NAME}` })
      expect(own.headers['access-control-allow-origin']).toBe(`https://${NAME}`)
      // A caller cannot forge the service's host name.
      const forged = {
        origin: 'https://evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      }
      expect((await send(port, '/api/v1/ping', forged)).headers).not.toHaveProperty('access-control-allow-origin')
    },
    60_000,
  )
})
