// Journeys through the counts beside the filters, the suggestions while a person types, and the ids of advisories.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { findAccessibilityProblems } from './page-checks.ts'

const DESKTOP = { viewport: { width: 1440, height: 900 } } as const

/** Returns the value of a facet with its number as screen readers read it: `Critical` and `57 CVEs`. */
const readCount = (page: Page, value: string) =>
  page
    .getByRole('checkbox', { name: value, exact: true })
    .evaluate((box) => box.ownerDocument.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent)

const readTotal = async (page: Page) =>
  Number((await page.getByRole('heading', { level: 1 }).innerText()).split(/\s/)[1])

export function describeFacets({ openSignedIn }: ConsoleSetup): void {
  describe('Console: counts next to the filters', () => {
    it('follow the filters, lead to as many CVEs as they state, and are read together', async () => {
      const { page, open, problems } = await openSignedIn(DESKTOP)
      const reads: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/cves/facets')) reads.push(request.url())
      })
      await open('/cves')
      await page.getByText('Counts of all 102').waitFor()
      // Facets that come in sight later, while a slow machine builds the page, are read in a second call.
      const facets = reads.flatMap((url) => new URL(url).searchParams.get('facets')?.split(',') ?? [])
      expect(reads.length).toBeLessThanOrEqual(2)
      expect(facets.length).toBeGreaterThanOrEqual(5)
      expect(facets).toEqual([...new Set(facets)])
      await expect.poll(() => readCount(page, 'Critical')).toBe('57 CVEs')
      const count = await readCount(page, 'Microsoft')
      await page.getByRole('checkbox', { name: 'Microsoft', exact: true }).check()
      await page.waitForURL(/product_vendor=microsoft/)
      await expect.poll(async () => `${await readTotal(page)} CVEs`).toBe(count)
      await page.getByText(`Counts of all ${count?.split(' ')[0]}`).waitFor()
      await expect.poll(() => readCount(page, 'Critical')).toMatch(/^(?!57 )\d+ CVEs?$/)
      // The vendors are alternatives, so the other ones keep their numbers.
      await expect.poll(() => readCount(page, 'Apache')).toBe('12 CVEs')

      const year = page
        .getByRole('region', { name: 'Filters with counts' })
        .getByRole('checkbox', { name: '2021', exact: true })
      await year.check()
      await page.getByRole('button', { name: 'Remove filter published in 2021' }).click()
      await page.waitForURL((address) => !address.searchParams.has('published_after'))
      await expect.poll(() => year.isChecked()).toBe(false)
      await page.goBack()
      await expect.poll(() => year.isChecked()).toBe(true)
      expect(problems).toEqual([])
    })

    it('leave the list unchanged if they cannot be read, and are read again at the press of a button', async () => {
      const { page, open } = await openSignedIn(DESKTOP)
      const reads = '**/api/v1/cves/facets?**'
      await page.route(reads, (route) => route.fulfill({ status: 500, body: '{}' }))
      await open('/cves?q=log4j')
      await page.getByText('Counts could not be read.').waitFor()
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      await page.getByRole('checkbox', { name: 'High', exact: true }).check()
      await page.waitForURL(/severity=high/)
      // The read for the new search fails too, before reads succeed again.
      await page.getByText('Counting …').waitFor()
      await page.getByText('Counts could not be read.').waitFor()
      await page.unroute(reads)
      await page.getByRole('button', { name: 'Read the counts again' }).click()
      await expect.poll(() => readCount(page, 'Critical')).toMatch(/^\d+ CVEs?$/)
    })
  })
}

export function describeSuggestions({ openSignedIn }: ConsoleSetup): void {
  describe('Console: suggestions', () => {
    it('find names while a user types, with few reads, and name the right vendor after a wrong one', async () => {
      const { page, open, problems } = await openSignedIn(DESKTOP)
      const reads: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/suggest?')) reads.push(request.url())
      })
      await open('/cves?product_vendor=apach')
      await page.getByRole('link', { name: 'Apache', exact: true }).click()
      await page.waitForURL(/product_vendor=apache$/)
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
      await page.getByRole('button', { name: 'Remove filter Vendor: Apache' }).click()

      reads.length = 0
      await page.getByRole('button', { name: /^Filters/ }).click()
      const field = page.getByRole('combobox', { name: 'Find a weakness' })
      await field.pressSequentially('deserial', { delay: 20 })
      const options = page.getByRole('listbox', { name: 'Find a weakness' }).getByRole('option')
      await options.filter({ hasText: 'CWE-502' }).waitFor()
      expect(reads.length).toBeLessThan(4)
      expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
      expect(await findAccessibilityProblems(page)).toEqual([])
      await page.keyboard.press('Enter')
      await page.waitForURL(/cwe=CWE-502/)
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: /^CWE-502 / })
        .uncheck()

      // Enter before the suggestions are there chooses the first of them.
      await page.getByRole('combobox', { name: 'Find a product' }).pressSequentially('log4', { delay: 0 })
      await page.keyboard.press('Enter')
      await page.waitForURL(/product=log4j/)
      expect(problems).toEqual([])
    })
  })
}

export function describeAliases({ openSignedIn }: ConsoleSetup): void {
  describe('Console: advisory ids', () => {
    it('lead from the search box to the CVE, and from the CVE to the advisory', async () => {
      const { page, open, problems } = await openSignedIn()
      await open('/status')
      await page.keyboard.press('/')
      await page.keyboard.type('ghsa-jfh8-c2jp-5v3q')
      await page.keyboard.press('Enter')
      await page.getByText('One CVE has this id.').waitFor()
      expect(await findAccessibilityProblems(page)).toEqual([])
      await page.getByRole('link', { name: 'CVE-2021-44228' }).click()
      await page.getByRole('tab', { name: /^References/ }).click()
      const panel = page.getByRole('region', { name: /^Advisories and other ids/ })
      await panel.getByRole('link', { name: 'GHSA-jfh8-c2jp-5v3q', exact: true }).click()
      await page.getByRole('heading', { name: 'GHSA-jfh8-c2jp-5v3q' }).waitFor()

      await open('/alias/GHSA-2222-2222-2222')
      await page.getByText('No CVE is known by the id GHSA-2222-2222-2222').waitFor()
      expect(problems).toEqual([])
    })
  })
}
