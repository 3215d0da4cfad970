// The sdk in a real browser, from a page of another origin. Skipped where there is no browser.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { account, aKey } from '../../service/test/support/builders.ts'
import { atEnd } from '../../service/test/support/cleanup.ts'
import { KNOWN, world } from './world.ts'

const CHROMIUM = '/usr/bin/chromium'

const service = await world()
const key = aKey()

const PAGE = `<!doctype html><title>sdk</title><body><pre id="said">nothing yet</pre><script type="module">
  import { createClient, isVisError } from '/src/index.ts'
  const client = createClient({ url: ${JSON.stringify(service.url)}, apiKey: ${JSON.stringify(key.key)} })
  const said = []
  said.push((await client.cve('CVE-2021-44228')).cvss.v3_1.baseScore)
  for await (const { cve_id } of client.search({ limit: 2 })) said.push(cve_id)
  said.push((await client.batch(['CVE-2014-0160'])).count)
  said.push((await client.detail('CVE-2021-44228')).blobStatus)
  await client.cve('CVE-1999-0001').catch((error) => said.push(isVisError(error, 'NOT_FOUND'), typeof error.correlationId))
  document.querySelector('#said').textContent = said.join(' ')
</script>`

/** A page of an origin of its own, which the account allows. */
async function pageAddress(): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') return void response.setHeader('Content-Type', 'text/html').end(PAGE)
    if (!/^\/src\/[\w/-]+\.ts$/.test(url)) return void response.writeHead(404).end()
    const source = readFileSync(new URL(`..${url}`, import.meta.url), 'utf8')
    response.setHeader('Content-Type', 'text/javascript').end(stripTypeScriptTypes(source))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atEnd(() => server.closeAllConnections())
  atEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.runIf(existsSync(CHROMIUM))('in a browser', () => {
  it('asks across origins, reads headers and errors', async () => {
    const origin = await pageAddress()
    await service.given(account('pro').withKey(key).withOrigins(origin), ...KNOWN)
    const profile = mkdtempSync(join(tmpdir(), 'vis-browser-'))
    atEnd(() => rmSync(profile, { recursive: true, force: true }))
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--user-data-dir=${profile}`,
    ]
    const { stdout } = await promisify(execFile)(CHROMIUM, [
      ...flags,
      '--virtual-time-budget=20000',
      '--dump-dom',
      origin,
    ])

    expect(stdout).toContain('10 CVE-2021-44228 CVE-2024-0001 CVE-2014-0160 1 available true string</pre>')
  })
})
