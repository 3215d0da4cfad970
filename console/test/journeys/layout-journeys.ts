// The layout of every page at three widths: all text can be read, the page does not scroll sideways, and nothing moves while
// it loads.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { findUnreadableText, readLayoutShift } from './layout-checks.ts'
import { isWiderThanWindow } from './page-checks.ts'
import { findRoutesWithoutExample, openExample, PAGES, type PageSpec } from './page-list.ts'

const DESKTOP = 1440
const TABLET = 1024
const PHONE = 390
const MAX_LAYOUT_SHIFT = 0.05

/** Pages whose other tabs and states have a layout of their own. */
const MORE_PAGES: readonly PageSpec[] = [
  { path: '/cves/CVE-2024-3400' },
  { path: '/cves/CVE-2021-44228?tab=references' },
  { path: '/cves/CVE-2021-44228?tab=history' },
  { path: '/cves?peek=CVE-2021-44228' },
  { path: '/usage?by=key', isForManagers: true },
]

export function describeLayout(setup: ConsoleSetup): void {
  describe('Console: layout', () => {
    it('is checked on an example of every route', () => {
      expect(findRoutesWithoutExample()).toEqual([])
    })

    it.each([...PAGES, ...MORE_PAGES])(
      'cuts no text and no word, does not scroll sideways, and does not move while it loads: $path',
      async (spec) => {
        const found: string[] = []
        for (const width of [DESKTOP, PHONE]) {
          const { page } = await openExample(setup, spec, width)
          const shift = await readLayoutShift(page)
          if (shift > MAX_LAYOUT_SHIFT) found.push(`${width} px: the page moves by ${shift.toFixed(3)} while it loads`)
          found.push(...(await checkWidth(page, width)))
          // A tablet gets the layout of a narrow window, so the same page is checked again without loading it again.
          if (width === DESKTOP) found.push(...(await checkWidth(page, TABLET)))
        }
        expect(found).toEqual([])
      },
    )
  })
}

async function checkWidth(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 })
  // Charts and lists follow the width of the window a moment later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const found = [...(await findUnreadableText(page))]
  if (await isWiderThanWindow(page)) found.push('the page scrolls sideways')
  return found.map((each) => `${width} px: ${each}`)
}
