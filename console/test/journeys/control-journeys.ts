// Journeys through single controls: fields that keep the focus, lists that are read again, and actions that fail.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type ConsoleSetup, SAMPLE_TIME } from './journey-setup.ts'

const MINUTE_MS = 60_000

/** Returns the name of the control that has the focus. */
function readFocus(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.labels?.[0]?.innerText ?? document.activeElement.name ?? ""')
}

export function describeFields({ openSignedIn }: ConsoleSetup): void {
  describe('Console: fields', () => {
    it('keeps the focus in a number field after Enter', async () => {
      const { page, open } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/cves')
      await page.getByRole('button', { name: /^Filters/ }).click()
      const field = page.getByRole('spinbutton', { name: 'EPSS at least' })
      await field.fill('50')
      await page.keyboard.press('Enter')
      await page.waitForURL(/epss_min=0\.5/)
      expect(await readFocus(page)).toBe('EPSS at least')
      await page.goBack()
      await page.waitForURL((address) => !address.searchParams.has('epss_min'))
      await expect.poll(() => field.inputValue()).toBe('')
    })

    it('says which numbers a filter accepts, and does not change the list', async () => {
      const { page, open } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/cves?epss_min=0.5')
      await page.getByRole('button', { name: /^Filters/ }).click()
      const field = page.getByRole('spinbutton', { name: 'EPSS at least' })
      await field.fill('150')
      await page.keyboard.press('Enter')
      await page.getByText('Enter a number from 0 to 100.').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(new URL(page.url()).searchParams.get('epss_min')).toBe('0.5')
    })

    it('keeps the cursor in place while a user types in the middle of the vendor', async () => {
      const { page, open } = await openSignedIn()
      await open('/kev?vendor=Fortinet')
      await page.getByLabel('Vendor or product').focus()
      await page.keyboard.press('Home')
      for (const letter of 'New ') {
        await page.keyboard.type(letter)
        await page.waitForURL((address) => address.searchParams.get('vendor')?.includes(letter) === true)
      }
      expect(await page.getByLabel('Vendor or product').inputValue()).toBe('New Fortinet')
      await page.getByRole('button', { name: /^Remove filter/ }).click()
      await expect.poll(() => page.getByLabel('Vendor or product').inputValue()).toBe('')
    })
  })
}

export function describeReads({ openSignedIn }: ConsoleSetup): void {
  describe('Console: reads', () => {
    it('loads 50 more rows, and reads a single-page list again after ten minutes', async () => {
      const { page, open } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/cves')
      await page.getByRole('button', { name: 'Load 50 more' }).click()
      await page.getByText(/^100 of \d+ loaded$/).waitFor()

      await open('/cves?severity=critical')
      await page.getByText('as of just now').waitFor()
      await page.getByRole('link', { name: 'Today' }).click()
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      await page.clock.setFixedTime(Date.parse(SAMPLE_TIME) + 11 * MINUTE_MS)
      const readAgain = page.waitForRequest(
        (request) => request.url().includes('/api/v1/cves?') && request.url().includes('limit=50'),
      )
      await page.goBack()
      await readAgain
    })

    it('says that EU KEV is not loaded if it cannot be read, and reads it again', async () => {
      const { page, open } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      const reads = /kev_in=eu/
      await page.route(reads, (route) => route.abort())
      await open('/kev?catalog=eu')
      await page.getByText('The service does not answer').waitFor()
      await page.getByRole('button', { name: 'Remove filter EU KEV' }).click()
      await page.getByText('EU KEV could not be read.').waitFor()
      expect(await page.locator('tbody tr').first().innerText()).toContain('not loaded')
      await page.unroute(reads)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => page.getByText('not loaded').count()).toBe(0)
    })
  })
}

export function describeRefusedReads(setup: ConsoleSetup): void {
  describe('Console: refused reads', () => {
    it('say when reading resumes, and are repeated once after that', async () => {
      const url = await setup.startLimitedNode()
      const key = await setup.createKey()
      const { page } = await setup.openSignedIn({ key, viewport: { width: 1440, height: 900 } })
      const reads: string[] = []
      page.on('request', (request) => reads.push(new URL(request.url()).pathname))
      const refusal = page.getByRole('alert').filter({ hasText: 'Too many reads in a minute' }).first()
      // All reads of a page count as one. A read is allowed if the minute ends meanwhile.
      const openUntilRefused = async () => {
        await page.goto(`${url}/console/cves`)
        await page.getByRole('button', { name: 'Load 50 more' }).or(refusal).first().waitFor()
        await page.goto(`${url}/console/kev`)
        await page.locator('tbody tr').or(refusal).first().waitFor()
        return refusal.count()
      }
      await expect.poll(openUntilRefused, { timeout: 120_000 }).toBe(1)
      expect(await refusal.innerText()).toMatch(/\d s\b/)
      expect(await refusal.getByRole('button', { name: 'Read again' }).isDisabled()).toBe(true)
      reads.length = 0
      await page.clock.setFixedTime(Date.parse(SAMPLE_TIME) + MINUTE_MS)
      await expect.poll(() => reads.filter((path) => path.endsWith('/kev')).length).toBeGreaterThan(0)
      await page.waitForLoadState('networkidle')
      expect(reads.filter((path) => path.endsWith('/kev'))).toHaveLength(1)
    })
  })
}

export function describeFailedActions(setup: ConsoleSetup): void {
  const { openPage, openSignedIn, startClosedNode } = setup
  describe('Console: failed actions', () => {
    it('says that a text was not copied if the browser has no clipboard', async () => {
      const { page, open } = await openSignedIn()
      await open('/cves/CVE-2021-44228')
      // Browsers hide the clipboard from pages over plain HTTP.
      await page.evaluate('delete Navigator.prototype.clipboard')
      await page.getByRole('button', { name: 'Copy JSON' }).first().click()
      await page.getByText('Not copied').waitFor()
    })

    it('says that the sign-out failed, and signs out once the connection is back', async () => {
      const { page, signIn } = await openPage()
      await signIn(setup.key)
      const signOut = async () => {
        await page.getByRole('button', { name: /^Account / }).click()
        await page.getByRole('menuitem', { name: 'Sign out' }).click()
      }
      await page.context().setOffline(true)
      await signOut()
      await page.getByRole('alert').filter({ hasText: 'Sign-out failed. Try again.' }).waitFor()
      await page.context().setOffline(false)
      await signOut()
      await page.getByLabel('API key').waitFor()
      await page.goBack()
      await page.getByLabel('API key').waitFor()
    })

    it('names the setting that enables sign-in, and links to the guide and the status', async () => {
      const { page } = await openPage()
      await page.goto(await startClosedNode())
      await page.getByText('Sign-in is turned off on this service.').waitFor()
      await page.getByText('CONSOLE_KEY_SIGN_IN=on').waitFor()
      expect(await page.getByLabel('API key').count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Guide' }).getAttribute('href')).toBe('/docs/guide')
      await page.getByRole('link', { name: 'Status' }).click()
      await page.getByRole('heading', { name: 'Status' }).first().waitFor()
    })
  })
}
