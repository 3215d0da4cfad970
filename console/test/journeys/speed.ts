// The time until the largest part of a page is shown.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

const PAGES = ['/', '/cves', '/cves/CVE-2021-44228', '/kev', '/status']
/** Ten times the time that we want. A busy machine must not make the journeys fail. */
const MAX_LCP_MS = 15_000

const READ_LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
})`

export function describeSpeed({ openSignedIn }: ConsoleSetup): void {
  describe('Console: time until the largest part of a page is shown', () => {
    it('is printed for each page, loaded by a browser with an empty cache', async () => {
      const { page, open } = await openSignedIn()
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
