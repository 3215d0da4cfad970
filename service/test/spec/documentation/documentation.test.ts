import { existsSync, readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { getCve } from '../../../src/api/endpoints/get-cve/endpoint.ts'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { testService } from '../../support/service.ts'

const { api } = await testService()

describe('GET /openapi.json', () => {
  it('is the committed document, word for word: "npm run generate" renews it', async () => {
    const committed = readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')
    expect((await api.get('/openapi.json', { key: null })).text).toBe(committed)
  })

  it('is open to every origin and needs no key', async () => {
    const { status, headers } = await api.get('/openapi.json', {
      key: null,
      headers: { Origin: 'https://anyone.example' },
    })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
  })
})

const CHROMIUM = '/usr/bin/chromium'

describe('GET /docs', () => {
  it('is kept by browsers: an ETag that is known is 304', async () => {
    const etag = (await api.get('/docs/scalar.js', { key: null })).headers['etag'] ?? ''
    expect((await api.get('/docs/scalar.js', { key: null, headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  it('forbids scripts and connections from elsewhere', async () => {
    const policy = (await api.get('/docs', { key: null })).headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
  })

  it.skipIf(!existsSync(CHROMIUM))(
    'shows every endpoint in a browser, and its example, without a request to any other host (needs Debian chromium)',
    async () => {
      const flags = [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ]
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags })
      afterAll(() => browser.close())
      const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
      const [hosts, faults] = [new Set<string>(), [] as string[]]
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))

      await page.goto(`http://127.0.0.1:${api.port}/docs`)
      for (const { summary } of endpoints) await page.getByText(summary).first().waitFor()
      // What is far down the page is drawn when somebody goes there.
      await page.getByText(getCve.summary, { exact: true }).first().click()
      await page
        .getByText(getCve.example?.request ?? '')
        .first()
        .waitFor()

      expect([...hosts].filter(Boolean)).toEqual([`127.0.0.1:${api.port}`])
      expect(faults).toEqual([])
      const picture = process.env['SCREENSHOT']
      if (picture) await page.screenshot({ path: picture })
    },
  )
})
