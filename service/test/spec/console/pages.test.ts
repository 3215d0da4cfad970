import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestService } from '../../support/service.ts'

const INDEX =
  '<!doctype html><head><title>Console</title><script type="module" src="/console/assets/index-Ab12_-xy.js"></script></head>'
const SCRIPT = 'export const answer = 42\n'

const parent = await mkdtemp(join(tmpdir(), 'vis-console-'))
const folder = join(parent, 'dist')
afterAll(() => rm(parent, { recursive: true }))
await mkdir(join(folder, 'assets'), { recursive: true })
await writeFile(join(parent, 'secret.txt'), 'secret')
await writeFile(join(folder, 'index.html'), INDEX)
await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
await writeFile(join(folder, 'assets/index-Ab12_-xy.js'), SCRIPT)
await writeFile(join(folder, 'assets/index-Ab12_-xy.js.gz'), gzipSync(SCRIPT, { level: 9 }))
await writeFile(join(folder, 'assets/index-Ab12_-xy.js.map'), '{}')

await writeFile(
  join(folder, 'page-files.json'),
  '{"/":["assets/today-Ab12_-xy.js"],"/cves/$cveId":["assets/cve-Ab12_-xy.js","assets/shared-Ab12_-xy.js"]}',
)

const { api } = await startTestService({ consoleFolder: folder })
const get = (path: string, headers: Record<string, string> = {}) => api.get(path, { key: null, headers })

describe('Console pages', () => {
  it.each(['/console/cves', '/console/cves/CVE-2021-44228/more', '/console/sign-in/'])(
    'get index.html at %s, which browsers revalidate before each use',
    async (path) => {
      const { status, headers, text } = await get(path)

      expect(status).toBe(200)
      expect(text).toBe(INDEX)
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    },
  )

  it.each([
    ['/console/', ['today']],
    ['/console/cves/CVE-2021-44228?tab=history', ['cve', 'shared']],
    ['/console/cves/cve-2021-44228/', ['cve', 'shared']],
  ] as const)('name the scripts of the page %s in its index.html, with an ETag of its own', async (path, names) => {
    const { headers, text } = await get(path)
    const { headers: compressed, text: same } = await get(path, { 'Accept-Encoding': 'gzip' })

    const links = names.map(
      (name) => `<link rel="modulepreload" crossorigin href="/console/assets/${name}-Ab12_-xy.js">`,
    )
    expect(text).toBe(INDEX.replace('</head>', `${links.join('')}</head>`))
    expect([compressed['content-encoding'], same]).toEqual(['gzip', text])
    expect(headers['etag']).not.toBe((await get('/console/cves')).headers['etag'])
    expect((await get(path, { 'If-None-Match': headers['etag'] ?? '' })).status).toBe(304)
  })

  it('have a policy without inline scripts, other hosts or embedding', async () => {
    const { headers } = await get('/console/')

    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('load scripts with a hash in their name, which browsers keep for a year', async () => {
    const { status, headers, text } = await get('/console/assets/index-Ab12_-xy.js')

    expect(status).toBe(200)
    expect(text).toBe(SCRIPT)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
  })

  it('send the file that the build compressed to browsers that accept gzip', async () => {
    const { headers, raw, text } = await get('/console/assets/index-Ab12_-xy.js', { 'Accept-Encoding': 'gzip' })

    expect(headers['content-encoding']).toBe('gzip')
    expect(raw).toEqual(gzipSync(SCRIPT, { level: 9 }))
    expect(text).toBe(SCRIPT)
  })

  it('answer 304 to a browser that has the current version', async () => {
    const etag = (await get('/console/')).headers['etag'] ?? ''

    expect((await get('/console/', { 'If-None-Match': etag })).status).toBe(304)
  })

  it('redirect /console to /console/', async () => {
    const { status, headers } = await get('/console')

    expect(status).toBe(302)
    expect(headers['location']).toBe('/console/')
  })

  it('answer HEAD and OPTIONS, and return 405 for other methods', async () => {
    const head = await api.send('HEAD', '/console/', { key: null })
    const options = await api.send('OPTIONS', '/console/', { key: null })
    const post = await api.send('POST', '/console/', { key: null })

    expect([head.status, head.raw.length]).toEqual([200, 0])
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it.each([
    '/console/assets/missing.js',
    '/console/robots.txt',
    '/console/assets/index-Ab12_-xy.js.map',
    '/console/index.php',
    '/console/page-files.json',
  ])('answer 404 for the file %s, which does not exist or is not served', async (path) => {
    const { status, headers } = await get(path)

    expect(status).toBe(404)
    expect(headers['cache-control']).toBe('no-store')
  })

  it.each(['/console/api', '/console/api/', '/console/api/v1', '/console/api/v1/nothing', '/console/api/session/x'])(
    'answer 404 as JSON for the unknown API path %s',
    async (path) => {
      const { status, json } = await get(path)

      expect(status).toBe(404)
      expect(json.error.code).toBe('NOT_FOUND')
    },
  )
})

/** Sends a request line exactly as given, because HTTP clients resolve `..` themselves. */
function getRaw(target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1', () =>
      socket.end(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('end', () => resolve(text)).on('error', reject)
  })
}

describe('Paths outside the console folder', () => {
  it.each([
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..%2fsecret.txt',
    '/console/..%5csecret.txt',
    '/console/%252e%252e%252fsecret.txt',
    '/console/assets/../../secret.txt',
    '/console//etc/passwd',
    '/console/%00secret.txt',
    '/console/....//secret.txt',
    'http://127.0.0.1/console/../secret.txt',
  ])('are never read: %s', async (target) => {
    const text = await getRaw(target)

    expect(text).toMatch(/^HTTP\/1\.1 (?:200|302|400|404) /)
    expect(text.replace(/^(?:.*\r\n)*?\r\n/, '')).not.toMatch(/^secret|root:/m)
  })
})

describe('GET /', () => {
  it('redirects a browser to the console', async () => {
    const { status, headers } = await get('/', { Accept: 'text/html,*/*' })

    expect(status).toBe(302)
    expect(headers['location']).toBe('/console/')
  })

  it('answers 404 to other clients', async () => {
    expect((await get('/', { Accept: '*/*' })).status).toBe(404)
  })
})

describe('A console that is not built', async () => {
  const { api: unbuilt } = await startTestService()

  it('answers 404 and says how to build it', async () => {
    const { status, json } = await unbuilt.get('/console/', { key: null })

    expect(status).toBe(404)
    expect(json.error.message).toContain('npm run build')
  })

  it('keeps the guide as the start page', async () => {
    const { headers } = await unbuilt.get('/', { key: null, headers: { Accept: 'text/html' } })

    expect(headers['location']).toBe('/docs/guide')
  })
})

describe('CONSOLE=off', async () => {
  const { api: off } = await startTestService({
    environment: { CONSOLE: 'off', CONSOLE_KEY_SIGN_IN: 'on' },
    consoleFolder: folder,
  })

  it.each(['/console', '/console/', '/console/cves', '/console/api/session', '/console/api/v1/cve/CVE-2021-44228'])(
    'answers 404 at %s',
    async (path) => {
      expect((await off.get(path, { key: null })).status).toBe(404)
    },
  )

  it('keeps the guide as the start page, and leaves /health unchanged', async () => {
    const { headers } = await off.get('/', { key: null, headers: { Accept: 'text/html' } })

    expect(headers['location']).toBe('/docs/guide')
    expect((await off.get('/health', { key: null })).json.status).toBeDefined()
  })
})
