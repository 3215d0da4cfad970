// Runs the sdk in Chromium, on a page of another origin. Skipped if Chromium is not installed.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../service/test/support/cleanup.ts'
import { SAMPLE_CVES, startSdkSetup } from './sdk-setup.ts'

const CHROMIUM = '/usr/bin/chromium'

const service = await startSdkSetup()
const key = createTestKey()

const PAGE = `<!doctype html><title>sdk</title><body><pre id="results">no results yet</pre><script type="module">
  import { createClient, isVisError } from '/src/index.ts'
  const client = createClient({ url: ${JSON.stringify(service.url)}, apiKey: ${JSON.stringify(key.key)} })
  const results = []
  results.push((await client.cve('CVE-2021-44228')).cvss.v3_1.baseScore)
  for await (const { cve_id } of client.search({ limit: 2 })) results.push(cve_id)
  results.push((await client.batch(['CVE-2014-0160'])).count)
  results.push((await client.detail('CVE-2021-44228')).blobStatus)
  await client.cve('CVE-1999-0001').catch((error) => results.push(isVisError(error, 'NOT_FOUND'), typeof error.correlationId))
  document.querySelector('#results').textContent = results.join(' ')
</script>`

/** Serves the page and the sources of the sdk on an origin of their own. */
async function startPageServer(): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') return void response.setHeader('Content-Type', 'text/html').end(PAGE)
    if (!/^\/src\/[\w/-]+\.ts$/.test(url)) return void response.writeHead(404).end()
    const source = readFileSync(new URL(`..${url}`, import.meta.url), 'utf8')
    response.setHeader('Content-Type', 'text/javascript').end(stripTypeScriptTypes(source))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  cleanUpAfterTests(() => server.closeAllConnections())
  cleanUpAfterTests(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.runIf(existsSync(CHROMIUM))('SDK in a browser', () => {
  it('calls the service from another origin and reads headers and errors', async () => {
    const origin = await startPageServer()
    await service.given(account('pro').withKey(key).withOrigins(origin), ...SAMPLE_CVES)
    const profile = mkdtempSync(join(tmpdir(), 'vis-browser-'))
    cleanUpAfterTests(() => rmSync(profile, { recursive: true, force: true }))
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
