// Journeys through the pages of the console, as a person makes them.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

export function describeSignIn(setup: ConsoleSetup): void {
  const { createKey, openPage } = setup
  describe('Console: sign-in', () => {
    it('rejects a wrong key, signs in with a valid one by keyboard alone, and opens the requested page', async () => {
      const { page, problems } = await openPage()
      await page.goto('/console/kev')
      await page.getByRole('heading', { name: 'Vulnerability Intelligence' }).waitFor()
      await page.getByLabel('API key').fill('vis_test_wrong')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText(/key/).waitFor()
      await expect.poll(() => page.getByLabel('API key').inputValue()).toBe('')
      await page.getByLabel('API key').focus()
      await page.keyboard.type(setup.key)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Exploited (KEV)' }).waitFor()
      await page.waitForURL(`${setup.url}/console/kev`)
      expect(
        await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'),
      ).not.toContain(setup.key)
      expect(problems).toEqual([])
    })

    it('asks to sign in again after the session ended elsewhere, and then opens the requested page', async () => {
      const { page, signIn, open } = await openPage()
      await signIn(setup.key)
      await open('/kev?vendor=Fortinet')
      await endSession(page, setup.url)
      await page.reload()
      await page.getByLabel('API key').fill(setup.key)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Exploited (KEV)' }).waitFor()
      await page.waitForURL(`${setup.url}/console/kev?vendor=Fortinet`)
    })

    it('shows nothing from the first account to a user who signs in with another account', async () => {
      const { page, signIn } = await openPage()
      await signIn(await createKey('pro'))
      const credits = page.getByRole('region', { name: 'Credits left' })
      await credits.getByText('of 30,000').waitFor()
      await endSession(page, setup.url)

      // The page stays open, so that its cache could still answer.
      await page.keyboard.press('/')
      await page.keyboard.type('log4j')
      await page.keyboard.press('Enter')
      await page.getByText('You are signed out.').waitFor()
      await page.getByLabel('API key').fill(await createKey('business'))
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      await page.getByRole('link', { name: 'Overview' }).click()
      await credits.getByText('of 200,000').waitFor()
      expect(await page.getByText('30,000').count()).toBe(0)
    })
  })
}

/** Ends the session of a page from outside of its browser. */
async function endSession(page: Page, url: string): Promise<void> {
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const { status } = await fetch(`${url}/console/api/session`, {
    method: 'DELETE',
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
  })
  expect(status).toBe(204)
}

export function describeCves(setup: ConsoleSetup): void {
  const { openSignedIn } = setup
  describe('Console: CVEs', () => {
    it('searches and filters, and "back" and "forward" keep the state', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/')
      await page.keyboard.press('/')
      await page.keyboard.type('log4j')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      expect(await page.getByLabel('Order').locator('option:checked').innerText()).toBe('Relevance')
      await page.goto('/console/cves?q=log4j&severity=critical&kev=true')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      await page.getByRole('button', { name: 'Remove filter severity: Critical' }).click()
      await page.waitForURL((address) => !address.searchParams.has('severity'))
      await page.goBack()
      await page.waitForURL((address) => address.searchParams.get('severity') === 'critical')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      await page.goForward()
      await page.waitForURL((address) => !address.searchParams.has('severity'))
      expect(new URL(page.url()).searchParams.get('q')).toBe('log4j')
      expect(problems).toEqual([])
    })

    it('shows one CVE with its KEV entry after a search for its id', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('cve-2021-44228')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /CVE-2021-44228/ }).waitFor()
      await page
        .getByText(/2021-12-24/)
        .first()
        .waitFor()
      await page.waitForURL(`${setup.url}/console/cves/CVE-2021-44228`)
      expect(problems).toEqual([])
    })
  })
}

export function describePriority({ openSignedIn }: ConsoleSetup): void {
  describe('Console: priority', () => {
    it("shows a CVE's verdict with reasons, deadlines and who states each input", async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/cve/CVE-2021-44228')
      await page.waitForURL(/\/cves\/CVE-2021-44228/)
      const verdict = page.getByRole('region', { name: /^Priority P0/ })
      await verdict.getByText(/KEV catalog since 2021-12-10/).waitFor()
      await verdict.getByText('Technical impact').waitFor()
      await verdict.getByRole('button', { name: /^Who says so: KEV/ }).click()
      await page.getByRole('dialog', { name: 'Who says so: KEV' }).waitFor()
      const evidence = page.getByRole('region', { name: /^Exploit evidence/ })
      await evidence.getByText('used by ransomware').first().waitFor()
      expect(problems).toEqual([])
    })

    it('filters and sorts the list by priority', async () => {
      const { page, open, problems } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/cves?sort=priority_desc')
      await page.getByRole('columnheader', { name: 'Priority' }).waitFor()
      expect(await page.locator('tbody tr[data-index="0"]').innerText()).toContain('P0')
      await page.getByLabel('P1 this week').check()
      await page.waitForURL(/priority=P1/)
      await expect.poll(() => page.locator('tbody tr[data-index="0"]').innerText()).toContain('P1')
      expect(problems).toEqual([])
    })

    it('lists new P0 and P1 CVEs on the overview', async () => {
      const { page, open } = await openSignedIn()
      await open('/')
      const urgent = page.getByRole('region', { name: 'New P0 and P1' })
      await urgent.getByRole('link', { name: /^CVE-/ }).first().waitFor()
      await urgent.getByRole('link', { name: 'All P0 and P1' }).click()
      await page.getByRole('button', { name: /^Remove filter priority: P0/ }).waitFor()
    })
  })
}

export function describeBoard({ openSignedIn }: ConsoleSetup): void {
  describe('Console: exploited CVEs', () => {
    it('groups the KEV catalog by due date: overdue, this week, later by month', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/kev')
      const week = page.getByRole('region', { name: /^This week/ })
      await week.getByRole('link', { name: 'CVE-2026-73570' }).waitFor()
      await expect.poll(() => week.getByText('due in 3 days').filter({ visible: true }).count()).toBe(1)
      await week
        .getByText(/^P[0-4]/)
        .filter({ visible: true })
        .first()
        .waitFor()
      await week.getByRole('cell', { name: '2026-08-18', exact: true }).waitFor()
      const later = page.getByRole('region', { name: /^Later/ })
      await later.getByRole('heading', { name: /September 2026/ }).waitFor()
      const overdue = page.getByRole('region', { name: /^Overdue/ })
      await expect.poll(() => overdue.locator('tbody tr').count()).toBe(10)
      await overdue.getByRole('button', { name: 'Show the other 64' }).click()
      await expect.poll(() => overdue.locator('tbody tr').count()).toBe(74)
      expect(problems).toEqual([])
    })

    it("takes the date from the service, not from the browser's clock", async () => {
      const { page, open } = await openSignedIn()
      await page.clock.setFixedTime('2027-03-01T12:00:00Z')
      await open('/kev')
      await page
        .getByRole('region', { name: /^This week/ })
        .getByText('due in 3 days')
        .filter({ visible: true })
        .waitFor()
    })

    it('filters by vendor, catalog and ransomware by keyboard alone, with the state in the address', async () => {
      const { page, open } = await openSignedIn()
      await open('/kev')
      await page.getByLabel('Vendor or product').focus()
      await page.keyboard.type('Fortinet')
      await page.waitForURL(/vendor=Fortinet/)
      await expect.poll(() => page.locator('tbody tr').count()).toBe(5)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.waitForURL(/ransomware=true/)
      await page.goBack()
      await page.waitForURL((address) => !address.searchParams.has('ransomware'))
      await expect.poll(() => page.getByLabel('Vendor or product').inputValue()).toBe('Fortinet')

      await open('/kev?catalog=eu')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
      await page.getByRole('link', { name: 'CVE-2026-73570' }).focus()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /CVE-2022-26134/ }).waitFor()
    })

    it('says that no entry matches', async () => {
      const { page, open } = await openSignedIn()
      await open('/kev?vendor=no-such-vendor')
      await page.getByText('No exploited CVE matches').waitFor()
    })
  })
}

export function describeOverview({ openSignedIn }: ConsoleSetup): void {
  describe('Console: overview', () => {
    it('shows the newest KEV entries, critical CVEs, the freshness of the data and the credits left', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/')
      await page.getByRole('region', { name: 'New in KEV' }).getByRole('link', { name: /^CVE-/ }).first().waitFor()
      const critical = page.getByRole('region', { name: 'Newest critical CVEs' })
      await critical.getByRole('link', { name: /^CVE-/ }).first().waitFor()
      await page.getByText(/^\d+ of \d+ data sets are stale: CVE List,/).waitFor()
      await page.getByRole('region', { name: 'Credits left' }).getByText('of 30,000').waitFor()
      expect(problems).toEqual([])
    })
  })
}
