// Journeys through the pages of the console, as a person makes them.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { countClicks } from './page-checks.ts'

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
      const credits = (limit: string) => page.getByRole('link', { name: `of ${limit} used this month` })
      await credits('30,000').waitFor()
      await endSession(page, setup.url)

      // The page stays open, so that its cache could still answer.
      await page.getByRole('link', { name: 'Exploited (KEV)' }).click()
      await page.getByText('You are signed out.').waitFor()
      await page.getByLabel('API key').fill(await createKey('business'))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Exploited (KEV)' }).waitFor()
      await page.getByRole('link', { name: 'Today' }).click()
      await credits('200,000').waitFor()
      expect(await credits('30,000').count()).toBe(0)
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
      await page.getByRole('button', { name: 'Remove filter Severity: Critical' }).click()
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
      await page.getByText('CISA KEV since 10 Dec 2021; not in EU KEV').waitFor()
      await page.waitForURL(`${setup.url}/console/cves/CVE-2021-44228`)
      expect(problems).toEqual([])
    })
  })
}

export function describePriority({ openSignedIn }: ConsoleSetup): void {
  describe('Console: priority', () => {
    it('shows why a CVE has its level, its deadlines and who states each input', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/cve/CVE-2021-44228')
      await page.waitForURL(/\/cves\/CVE-2021-44228/)
      const why = page.getByRole('region', { name: /^Why P0/ })
      await why.getByText(/KEV catalog since 2021-12-10/).waitFor()
      await why.getByText('Technical impact').waitFor()
      await page.getByText('Deadlines of US federal agencies').click()
      await page.getByText('Due by KEV').waitFor()
      await page.getByRole('tab', { name: /^Exploits/ }).click()
      const evidence = page.getByRole('region', { name: /^Exploit evidence/ })
      await evidence.getByText('used by ransomware').first().waitFor()
      expect(problems).toEqual([])
    })

    it('filters and sorts the list by priority', async () => {
      const { page, open, problems } = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/cves?sort=priority_desc')
      await page.getByRole('columnheader', { name: 'Level' }).waitFor()
      expect(await page.locator('tbody tr[data-index="0"]').innerText()).toContain('P0')
      await page.getByLabel('P1 this week').check()
      await page.waitForURL(/priority=P1/)
      await expect.poll(() => page.locator('tbody tr[data-index="0"]').innerText()).toContain('P1')
      expect(problems).toEqual([])
    })

    it('lists CVEs that became P0 or P1 on the overview, and leads to their changes', async () => {
      const { page, open } = await openSignedIn()
      await open('/')
      const events = page.getByRole('region', { name: /^What happened/ })
      const first = events.getByRole('link', { name: /CVE-/ }).first()
      await first.waitFor()
      const count = await countClicks(page)
      await first.click()
      await page.getByRole('button', { name: 'Copy verdict' }).waitFor()
      expect(await count(), 'clicks from Today to the verdict on an urgent CVE').toBe(1)
      await page.goBack()
      await page.getByRole('link', { name: /^Became P0 or P1/ }).click()
      await page.waitForURL(/types=became_urgent/)
      await page.getByRole('button', { name: 'Remove filter Became urgent' }).waitFor()
    })
  })
}

export function describeBoard({ openSignedIn }: ConsoleSetup): void {
  describe('Console: exploited CVEs', () => {
    it('lists recent additions by month first, and counts what is due soon instead of what is overdue', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/kev')
      const month = page.getByRole('region', { name: /^August 2026/ })
      await month.getByRole('link', { name: 'CVE-2026-73570' }).waitFor()
      await month
        .getByText(/^P[0-4]/)
        .filter({ visible: true })
        .first()
        .waitFor()
      await month.getByRole('cell', { name: '2026-08-18', exact: true }).waitFor()
      expect(await page.getByText(/overdue/i).count()).toBe(0)
      await page.getByRole('link', { name: /^Due within seven days/ }).click()
      await page.waitForURL(/due=soon/)
      await page.getByText('due in 3 days').filter({ visible: true }).waitFor()
      await page.getByRole('button', { name: 'Remove filter Due within seven days' }).click()
      await page.getByRole('button', { name: /^Show earlier months/ }).click()
      await page.waitForURL(/months=6/)
      expect(problems).toEqual([])
    })

    it("takes the date from the service, not from the browser's clock", async () => {
      const { page, open } = await openSignedIn()
      await page.clock.setFixedTime('2027-03-01T12:00:00Z')
      await open('/kev')
      await page.getByText('due in 3 days').filter({ visible: true }).waitFor()
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
      await page.keyboard.press('ArrowDown')
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

export function describeChanges({ openSignedIn }: ConsoleSetup): void {
  describe('Console: changes', () => {
    it('shows with one click what changed this week, filters by kind, and saves what is shown', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/')
      const count = await countClicks(page)
      await page.getByRole('link', { name: 'Changes', exact: true }).first().click()
      await page.getByRole('heading', { name: /^Changes/, level: 1 }).waitFor()
      await page.getByText(/^This service records changes since/).waitFor()
      expect(await count()).toBe(1)
      await page.getByRole('link', { name: 'Added to EU KEV', exact: true }).click()
      await page.waitForURL(/types=eu_kev_added/)
      await page.getByRole('button', { name: 'Remove filter Added to EU KEV' }).waitFor()
      const all = page
        .getByRole('row', { name: /^Added to EU KEV/ })
        .getByRole('cell')
        .last()
      const counted = Number(await all.innerText())
      expect(counted).toBeGreaterThan(0)
      await expect
        .poll(() =>
          page
            .getByRole('main')
            .getByText(/^CVE-\d{4}-\d+/)
            .count(),
        )
        .toBe(counted)
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).click()
      expect((await saved).suggestedFilename()).toMatch(/^changes-2026-08-15-2026-08-21\.csv$/)
      await page.getByRole('link', { name: 'Week before' }).click()
      await page.waitForURL(/week=2026-08-14/)
      expect(problems).toEqual([])
    })
  })
}

export function describeOverview({ openSignedIn }: ConsoleSetup): void {
  describe('Console: today', () => {
    it("shows what happened, KEV per month with its values by arrow key, and the data's freshness", async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/')
      await page
        .getByRole('main')
        .getByRole('link', { name: /^New in CISA KEV/ })
        .waitFor()
      const months = page.getByRole('group', { name: /^Entries added to CISA KEV per month/ })
      await months.getByRole('link', { name: /^August 2026: / }).focus()
      await page.keyboard.press('ArrowLeft')
      expect(await months.locator(':focus').getAttribute('aria-label')).toMatch(/^July 2026: \d+ with known ransomware/)
      await page.getByRole('button', { name: 'Table: Added to CISA KEV' }).click()
      await page.getByRole('cell', { name: 'August 2026' }).waitFor()
      await page.getByText(/\d of \d+ data sets are up to date/).waitFor()
      expect(problems).toEqual([])
    })
  })
}
