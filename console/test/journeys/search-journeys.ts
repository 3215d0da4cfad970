// Journeys through the search field of the header by keyboard alone: where the focus is after Enter.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

export function describeSearchField({ openSignedIn }: ConsoleSetup): void {
  describe('Console: search field', () => {
    it('keeps the focus after a search, so that the words can be changed, and Escape leads to what was found', async () => {
      const { page, open, problems } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/')
      await page.keyboard.press('/')
      await page.keyboard.type('log4j')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/cves\?q=log4j$/)
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      const field = page.getByRole('combobox', { name: /^Search CVEs/ })
      await expect.poll(() => field.getAttribute('aria-expanded')).toBe('false')

      await page.keyboard.type('x')
      await page.keyboard.press('Backspace')
      for (let letters = 0; letters < 'log4j'.length; letters += 1) await page.keyboard.press('Backspace')
      await page.keyboard.type('log4shell')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/cves\?q=log4shell$/)
      expect(await field.inputValue()).toBe('log4shell')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()

      await page.keyboard.press('Escape')
      await page.locator('main:focus').waitFor()
      await page.keyboard.press('j')
      await page.locator('tbody tr[data-index="0"] a:focus').waitFor()
      await page.keyboard.press('/')
      await page.locator('[role=combobox][name=q]:focus').waitFor()
      expect(await field.inputValue()).toBe('log4shell')
      expect(problems).toEqual([])
    })

    it('moves the focus to the page that an entry opens', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/')
      await page.keyboard.press('/')
      await page.keyboard.type('cve-2021-44228')
      await page.keyboard.press('Enter')
      await page.locator('main:focus').waitFor()
      await page.getByRole('button', { name: 'Copy verdict' }).waitFor()
      await page.keyboard.press('Tab')
      await page.locator('main :focus').waitFor()
      expect(problems).toEqual([])
    })
  })
}
