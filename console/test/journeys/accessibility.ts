// Every page of the console, and every window that a page can open: no serious or critical finding of axe in light and
// dark, on a desktop and on a phone, and every control within reach of the Tab key. Each page is loaded once.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import {
  findAccessibilityProblems,
  findColorProblems,
  findStructureProblems,
  findUnreachableControls,
  isWiderThanWindow,
} from './page-checks.ts'
import { type Overlay, openExample, PAGES } from './page-list.ts'

const WIDTHS = [1440, 390] as const
const OPEN_WINDOW = ':is([popover]:popover-open, [role=dialog])'

export function describeAccessibility(setup: ConsoleSetup): void {
  describe('Console: accessibility', () => {
    it.each(PAGES)(
      'has no serious axe findings, reaches every control with the Tab key, and complies with its policy: $path',
      async ({ path, overlays = {}, isForManagers = false }) => {
        const { page, problems } = await openExample(setup, { path, isForManagers })
        const found: string[] = []
        // An error has hardly any control, so it would pass every check below.
        expect(await page.getByRole('alert').filter({ hasText: /\S/ }).allInnerTexts()).toEqual([])
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme: 'light' })
          await expectNoSidewaysScroll(page, width)
          const light = await findAccessibilityProblems(page)
          for (const overlay of overlays[width] ?? []) await checkOverlay(page, overlay)
          if (width === WIDTHS[0] || overlays[width]) {
            expect(await findUnreachableControls(page), `${width} px`).toEqual([])
          }
          await page.emulateMedia({ colorScheme: 'dark' })
          // Dark differs from light in its colors only.
          const dark = await findColorProblems(page)
          found.push(...[...light, ...dark].map((finding) => `${width} px: ${finding}`))
        }
        expect(found).toEqual([])
        expect(problems).toEqual([])
      },
    )
  })
}

async function expectNoSidewaysScroll(page: Page, width: number): Promise<void> {
  // The list follows the width of the window a moment later.
  await expect
    .poll(() => isWiderThanWindow(page), { message: `${width} px: the page scrolls sideways`, timeout: 30_000 })
    .toBe(false)
}

/** Opens a menu or dialog by Enter, checks it in both color schemes, and closes it by Escape, which returns to its button. */
async function checkOverlay(page: Page, { button, role }: Overlay): Promise<void> {
  const trigger = page.getByRole('button', { name: button }).first()
  await trigger.focus()
  await page.keyboard.press('Enter')
  await page.getByRole(role).waitFor()
  expect(await findStructureProblems(page), String(button)).toEqual([])
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findColorProblems(page, OPEN_WINDOW), `${button} ${colorScheme}`).toEqual([])
  }
  expect(await isWiderThanWindow(page), String(button)).toBe(false)
  await page.keyboard.press('Escape')
  await page.getByRole(role).waitFor({ state: 'hidden' })
  await expect.poll(() => trigger.evaluate((each) => each === document.activeElement)).toBe(true)
}
