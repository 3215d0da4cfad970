// The time until the largest part of a page is shown.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

const PAGES = ['/', '/cves', '/cves/CVE-2021-44228', '/kev', '/status']
/** Ten times the time that we want. A busy machine must not make the journeys fail. */
const MAX_LCP_MS = 15_000

export function describeSpeed({ openSignedIn }: ConsoleSetup): void {
  describe('Console: time until the largest part of a page is shown', () => {
    it('is printed for each page, loaded by a browser with an empty cache', async () => {
      for (const path of PAGES) {
        const { page, open } = await openSignedIn({ isNewContext: true })
        await page.addInitScript(`
          new PerformanceObserver((list) => {
            for (const { startTime } of list.getEntries()) globalThis.largestPaintMs = startTime
          }).observe({ type: 'largest-contentful-paint', buffered: true })`)
        await open(path)
        const paintMs = await page.evaluate<number>('globalThis.largestPaintMs')
        console.log(`largest contentful paint of ${path}: ${Math.round(paintMs)} ms`)
        expect(paintMs).toBeLessThan(MAX_LCP_MS)
      }
    })
  })
}
