import { existsSync, readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { getCve } from '../../../src/api/endpoints/get-cve/endpoint.ts'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService()

describe('GET /openapi.json', () => {
  it('returns exactly the committed openapi.json, which "npm run generate" rewrites', async () => {
    const committed = readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')
    expect((await api.get('/openapi.json', { key: null })).text).toBe(committed)
  })

  it('returns openapi.json without a key and to every browser origin', async () => {
    const { status, headers } = await api.get('/openapi.json', {
      key: null,
      headers: { Origin: 'https://anyone.example' },
    })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
  })
})

describe('openapi.json: order and introduction', () => {
  it('begins with the calls for CVEs and ends with the service checks', async () => {
    const { paths, tags } = (await api.get('/openapi.json', { key: null })).json
    expect(Object.keys(paths)[0]).toBe('/api/v1/cve/{cve-id}')
    expect(Object.keys(paths).at(-1)).toBe('/api/v1/ping-lite')
    expect(tags.map(({ name }: { name: string }) => name)).toEqual([
      'CVEs',
      'Search',
      'Views',
      'Watches',
      'Matching',
      'Priority',
      'Changes',
      'Triage',
      'KEV',
      'EPSS',
      'Account',
      'Service',
    ])
  })

  it('links to the attributions page instead of repeating it', async () => {
    const { description } = (await api.get('/openapi.json', { key: null })).json.info
    expect(description).toContain('(/docs/guide/attributions)')
    expect(description.length).toBeLessThan(1000)
  })
})

type Listed = DocumentedParameter | { readonly $ref: string }

interface DocumentedParameter {
  readonly name: string
  readonly required: boolean
  readonly examples: { readonly example: { readonly value: unknown; readonly 'x-disabled'?: boolean } }
}

describe('openapi.json: parameter examples', () => {
  const parameters = endpoints.flatMap(({ name: endpoint, parameters: { path, query } }) =>
    Object.entries({ ...path, ...query }).map(([name, parameter]) => ({ endpoint, name, parameter })),
  )

  it.each(parameters)('shows a valid example of the parameter $name of $endpoint', ({ name, parameter }) => {
    expect(parameter.example, 'use withExample()').toBeDefined()
    expect(parameter.read(name, [{ text: String(parameter.example), isMalformed: false }])).toHaveProperty('value')
  })

  it('shows an example of every parameter, which /docs sends only if the parameter is required', async () => {
    const { paths, components } = (await api.get('/openapi.json', { key: null })).json
    const documented: DocumentedParameter[] = Object.values<Record<string, { parameters: Listed[] }>>(paths)
      .flatMap((methods) => Object.values(methods).flatMap((operation) => operation.parameters))
      .map((each) => ('$ref' in each ? components.parameters[each.$ref.replace(/.*\//, '')] : each))

    expect(documented.length).toBe(parameters.length)
    for (const { name, required, examples } of documented) {
      expect(examples.example.value, name).toBeDefined()
      expect(examples.example['x-disabled'] ?? false, name).toBe(!required)
    }
  })
})

const CHROMIUM = '/usr/bin/chromium'
const BROWSER_TIMEOUT_MS = 100_000

describe('GET /docs', () => {
  it('returns 304 for the /docs browser script if the ETag matches', async () => {
    const etag = (await api.get('/docs/scalar.js', { key: null })).headers['etag'] ?? ''
    expect((await api.get('/docs/scalar.js', { key: null, headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  it('sets a content security policy that allows scripts and connections only from this host', async () => {
    const policy = (await api.get('/docs', { key: null })).headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
  })

  it("fills in no key, not even Scalar's placeholder", async () => {
    const start = await api.get('/docs/start.js', { key: null })
    expect(start.text).toContain('ApiKey: { value: "" }')
    expect(start.headers['cache-control']).toBe('public, max-age=300')
    const scalar = (await api.get('/docs/scalar.js', { key: null })).text
    expect(scalar.includes('QUxMIFlPVVIgQkFTRSBB')).toBe(false)
  })

  it.skipIf(!existsSync(CHROMIUM))(
    'shows every endpoint and its example in a browser, without a request to any other host (needs Debian chromium)',
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
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags, timeout: BROWSER_TIMEOUT_MS })
      afterAll(() => browser.close())
      const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
      page.setDefaultTimeout(BROWSER_TIMEOUT_MS)
      const [hosts, errors] = [new Set<string>(), [] as string[]]
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))

      await page.goto(`http://127.0.0.1:${api.port}/docs`)
      for (const { summary } of endpoints) await page.getByText(summary).first().waitFor()
      // Scalar renders an endpoint far down the page only when the reader scrolls to it.
      await page.getByText(getCve.summary, { exact: true }).first().click()
      await page
        .getByText(getCve.example?.request ?? '')
        .first()
        .waitFor()

      expect([...hosts].filter(Boolean)).toEqual([`127.0.0.1:${api.port}`])
      expect(errors).toEqual([])
      const screenshot = process.env['SCREENSHOT']
      if (screenshot) await page.screenshot({ path: screenshot })
    },
    4 * BROWSER_TIMEOUT_MS,
  )
})
