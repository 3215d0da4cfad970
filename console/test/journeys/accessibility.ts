// Every page of the console: no serious or critical finding of axe in light and dark, on a desktop and on a phone, and
// every control within reach of the Tab key.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { findAccessibilityProblems, findUnreachableControls, isWiderThanWindow } from './page-checks.ts'

const PAGES = ['/sign-in', '/', '/cves?q=apache', '/cves/CVE-2021-44228', '/kev', '/status']
const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 390] as const

export function describeAccessibility({ key, openPage }: ConsoleSetup): void {
  describe('Console: accessibility', () => {
    for (const path of PAGES) {
      it(`has no serious finding of axe and no request that its policy forbids: ${path}`, async () => {
        const { page, problems, signIn, open } = await openPage()
        if (path !== '/sign-in') await signIn(key)
        const found: string[] = []
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme })
          await open(path)
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 })
            // The list follows the width of the window a moment later.
            const isTooWide = () => isWiderThanWindow(page)
            await expect
              .poll(isTooWide, { message: `${width} px: the page scrolls sideways`, timeout: 30_000 })
              .toBe(false)
            const findings = await findAccessibilityProblems(page)
            found.push(...findings.map((finding) => `${width} px, ${colorScheme}: ${finding}`))
          }
        }
        expect(found).toEqual([])
        expect(problems).toEqual([])
      })
    }

    it('reaches every control of each page with the Tab key', async () => {
      const { page, signIn, open } = await openPage({ viewport: { width: 1440, height: 900 } })
      await signIn(key)
      for (const path of PAGES) {
        await open(path)
        expect(await findUnreachableControls(page), path).toEqual([])
      }
    })
  })
}
