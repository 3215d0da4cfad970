// What everybody must be able to use, on a page that is open: no serious or critical finding of axe in light and dark, on
// the page and in every window that it can open, and every control within reach of the Tab key.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  findAccessibilityProblems,
  findColorProblems,
  findStructureProblems,
  findUnreachableControls,
  isWiderThanWindow,
} from './page-checks.ts'
import type { Overlay } from './page-list.ts'

const OPEN_WINDOW = ':is([popover]:popover-open, [role=dialog])'

/**
 * Checks a page at its width. The Tab key takes the same way on a phone as on a desktop, so it is pressed again only where
 * `overlays` says that a phone has a layout of its own.
 */
export async function checkAccessibility(page: Page, overlays: readonly Overlay[] | undefined): Promise<void> {
  // An error has hardly any control, so it would pass every check below.
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).allInnerTexts()).toEqual([])
  const light = await findAccessibilityProblems(page)
  for (const overlay of overlays ?? []) await checkOverlay(page, overlay)
  if (overlays) expect(await findUnreachableControls(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  // Dark differs from light in its colors only.
  expect({ light, dark: await findColorProblems(page) }).toEqual({ light: [], dark: [] })
  await page.emulateMedia({ colorScheme: 'light' })
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
