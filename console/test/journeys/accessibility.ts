// Every page of the console, and every window that a page can open: no serious or critical finding of axe in light and
// dark, on a desktop and on a phone, and every control within reach of the Tab key.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { COLOR_RULES, findAccessibilityProblems, findUnreachableControls, isWiderThanWindow } from './page-checks.ts'

const PAGES = ['/sign-in', '/', '/cves?q=apache', '/cves/CVE-2021-44228', '/kev', '/status']
const SCHEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 390] as const

export function describeAccessibility({ openPage, openSignedIn }: ConsoleSetup): void {
  describe('Console: accessibility', () => {
    for (const path of PAGES) {
      it(`has no serious finding of axe and no request that its policy forbids: ${path}`, async () => {
        const { page, problems, open } = await (path === '/sign-in' ? openPage() : openSignedIn())
        const found: string[] = []
        await open(path)
        // An error has hardly any control, so it would pass every check below.
        expect(await page.getByRole('alert').filter({ hasText: /\S/ }).allInnerTexts()).toEqual([])
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          // The list follows the width of the window a moment later.
          const isTooWide = () => isWiderThanWindow(page)
          await expect
            .poll(isTooWide, { message: `${width} px: the page scrolls sideways`, timeout: 30_000 })
            .toBe(false)
          for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme })
            // Dark differs from light in its colors only.
            const findings = await findAccessibilityProblems(page, colorScheme === 'dark' ? COLOR_RULES : undefined)
            found.push(...findings.map((finding) => `${width} px, ${colorScheme}: ${finding}`))
          }
        }
        expect(found).toEqual([])
        expect(problems).toEqual([])
      })
    }

    it.each(WIDTHS)('reaches every control of each page with the Tab key in a window of %i px', async (width) => {
      const { page, open } = await openSignedIn({ viewport: { width, height: 900 } })
      for (const path of PAGES) {
        await open(path)
        expect(await findUnreachableControls(page), path).toEqual([])
      }
    })
  })
}

interface Overlay {
  readonly path: string
  readonly width: (typeof WIDTHS)[number]
  /** Name of the button that opens the menu or dialog. */
  readonly button: RegExp
  readonly role: 'menu' | 'dialog'
}

const OVERLAYS: readonly Overlay[] = [
  { path: '/', width: 1440, button: /^Account /, role: 'menu' },
  { path: '/', width: 390, button: /^Account /, role: 'menu' },
  { path: '/', width: 390, button: /^Open the menu$/, role: 'dialog' },
  { path: '/cves', width: 1440, button: /^Columns$/, role: 'menu' },
  { path: '/cves', width: 390, button: /^Filters/, role: 'dialog' },
  { path: '/cves/CVE-2021-44228', width: 1440, button: /^Who says so: Description/, role: 'dialog' },
  { path: '/cves/CVE-2021-44228', width: 390, button: /^Who says so: KEV/, role: 'dialog' },
]

export function describeOverlays({ openSignedIn }: ConsoleSetup): void {
  describe('Console: menus and dialogs', () => {
    it.each(OVERLAYS)(
      'opens at $width px of $path by Enter without a finding of axe, and Escape returns to its button: $button',
      async ({ path, width, button, role }) => {
        const { page, open, problems } = await openSignedIn({ viewport: { width, height: 900 } })
        await open(path)
        const trigger = page.getByRole('button', { name: button }).first()
        await trigger.focus()
        await page.keyboard.press('Enter')
        await page.getByRole(role).waitFor()
        expect(await findAccessibilityProblems(page)).toEqual([])
        expect(await isWiderThanWindow(page)).toBe(false)
        await page.keyboard.press('Escape')
        await page.getByRole(role).waitFor({ state: 'hidden' })
        await expect.poll(() => trigger.evaluate((each) => each === document.activeElement)).toBe(true)
        expect(problems).toEqual([])
      },
    )
  })
}
