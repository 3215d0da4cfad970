// The time until the largest part of a page is shown.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

const PAGES = ['/', '/cves', '/cves/CVE-2021-44228', '/kev', '/status']
/** Ten times the time that we want. A busy machine must not make the journeys fail. */
const MAX_LCP_MS = 15_000

const READ_LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
})`

export function describeSpeed(setup: ConsoleSetup): void {
  describe('Console: reads of the start script', () => {
    it('are sent before the application loads, and not again by it', async () => {
      const { page, open } = await setup.openSignedIn()
      const sent = listPaths(page)
      const record = page.waitForRequest(/\/console\/api\/v1\/cve\/CVE-/)
      // The application arrives only after the read, so this journey fails if it is the application that reads.
      await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
        await record
        await route.continue()
      })
      await open('/cves/CVE-2021-44228')
      await page.getByRole('heading', { name: 'What happened when' }).waitFor()

      for (const path of ['/console/api/session', '/console/api/v1/cve/CVE-2021-44228']) {
        expect(sent.filter((each) => each === path)).toHaveLength(1)
      }
    })

    it('belong to the page that asks for them, so that the service counts them as one with its other reads', async () => {
      const { page, open } = await setup.openSignedIn()
      const ids = new Map<string, string | undefined>()
      page.on('request', (request) => ids.set(new URL(request.url()).pathname, request.headers()['x-page-id']))
      await open('/cves/CVE-2021-44228')

      const early = ids.get('/console/api/v1/cve/CVE-2021-44228')
      expect(early).toBeDefined()
      expect(ids.get('/console/api/v1/views')).toBe(early)
    })

    it('find the scripts of the page on their way, as the served index.html names them', async () => {
      const html = await (await fetch(`${setup.url}/console/cves/CVE-2021-44228`)).text()
      const { page, open } = await setup.openSignedIn()
      const loaded = listPaths(page)
      await open('/cves/CVE-2021-44228')

      const named = html.split('<link ').flatMap((link) => {
        const [attributes = ''] = link.split('>')
        return attributes.includes('rel="modulepreload"') ? (/href="([^"]+)"/.exec(attributes)?.[1] ?? []) : []
      })
      expect(named.join(' ')).toContain('/cve-')
      for (const path of named) expect(loaded).toContain(path)
    })
  })

  describe('Console: time until the largest part of a page is shown', () => {
    it('is printed for each page, loaded by a browser with an empty cache', async () => {
      const { page, open } = await setup.openSignedIn()
      const session = await page.context().newCDPSession(page)
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      for (const path of PAGES) {
        await open(path)
        const paintMs = await page.evaluate<number>(READ_LARGEST_PAINT)
        console.log(`largest contentful paint of ${path}: ${Math.round(paintMs)} ms`)
        expect(paintMs).toBeLessThan(MAX_LCP_MS)
      }
      await session.detach()
    })
  })
}

/** The paths of all requests of the page from now on. */
function listPaths(page: Page): readonly string[] {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  return paths
}
