// Parts of actions by keyboard alone: controls that Tab must reach, keys, and effects to wait for.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export interface KeyboardAction {
  readonly name: string
  /** The control that Tab must reach. */
  readonly control: (page: Page) => Locator
  /** Keys to press on the control. */
  readonly keys: readonly string[]
  /** Waits for the effect. */
  readonly effect: (page: Page) => Promise<unknown>
}

/** More presses than any page needs from its start to its last control. */
const MAX_PRESSES = 150

export const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first()
export const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first()
export const label = (name: string) => (page: Page) => page.getByLabel(name, { exact: true }).first()
export const summary = (text: string) => (page: Page) => page.locator('summary', { hasText: text }).first()
export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { level: 1, name }).waitFor()
export const address = (text: string) => (page: Page) => page.waitForURL((url) => url.search.includes(text))
export const noAddress = (text: string) => (page: Page) => page.waitForURL((url) => !url.search.includes(text))

export async function perform(page: Page, { name, control, keys, effect }: KeyboardAction): Promise<void> {
  try {
    await tabTo(page, control(page))
    for (const key of keys) await page.keyboard.press(key)
    await effect(page)
  } catch (error) {
    throw new Error(`The action "${name}" fails by keyboard.`, { cause: error })
  }
}

/** Waits until the clipboard holds a text with this beginning. */
export async function expectCopied(page: Page, beginning: string): Promise<void> {
  const read = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(async () => (await read()).slice(0, beginning.length)).toBe(beginning)
}

/** Presses keys as soon as the first entry of an open menu has the focus. */
export async function pressInMenu(page: Page, keys: readonly string[]): Promise<void> {
  await page.locator('[role^=menuitem]:focus').waitFor()
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  let handle = await element.elementHandle()
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    // A search by role or label takes longer than all else here, so it is repeated only if the page replaced the element.
    const state = await handle?.evaluate((each) =>
      each === each.ownerDocument.activeElement ? 'focused' : each.isConnected ? 'waiting' : 'replaced',
    )
    if (state === 'focused') return
    if (state === 'replaced') handle = await element.elementHandle()
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(element)}.`)
}
