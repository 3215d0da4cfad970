// Journeys through the actions of the list: columns, the CSV file, and CVEs that the list hides by default.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

const DESKTOP = { viewport: { width: 1440, height: 900 } } as const

const listHeaders = (page: Page) => page.getByRole('columnheader').allInnerTexts()
const listIds = (page: Page) => page.locator('tbody').getByRole('link').allInnerTexts()

export function describeListActions({ openSignedIn }: ConsoleSetup): void {
  describe('Console: list actions', () => {
    it('shows and hides columns while the menu stays open, and resets them', async () => {
      const { page, open, problems } = await openSignedIn(DESKTOP)
      await open('/cves?q=log4j')
      const before = await listHeaders(page)
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'CVSS' }).click()
      await page.waitForURL(/columns=/)
      await page.getByRole('menuitemcheckbox', { name: 'Fix' }).click()
      await page.getByRole('columnheader', { name: 'CVSS' }).waitFor()
      await expect
        .poll(() => listHeaders(page))
        .toEqual(before.flatMap((each) => (each.startsWith('EPSS') ? [each, 'CVSS'] : each === 'Fix' ? [] : [each])))

      await page.reload()
      await page.getByRole('columnheader', { name: 'CVSS' }).waitFor()
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('menuitem', { name: 'Reset columns' }).click()
      await page.waitForURL((address) => !address.searchParams.has('columns'))
      await expect.poll(() => listHeaders(page)).toEqual(before)
      await expect.poll(() => page.getByRole('menu').count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('saves the loaded rows as a CSV file in the order of the list', async () => {
      const { page, open, problems } = await openSignedIn(DESKTOP)
      await open('/cves?q=apache&sort=epss_desc')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: 'CSV' })
          .click()
          .then(() => page.getByRole('menuitem', { name: /^(?:The \d+ loaded|All \d+) rows, free$/ }).click()),
      ])
      const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
      expect(lines[0]).toMatch(/^\u{FEFF}cve_id,published,modified,severity,status,epss_score,/u)
      const ids = lines.slice(1, -1).map((line) => line.split(',', 1)[0])
      expect(ids.length).toBeGreaterThan(3)
      expect(ids).toEqual(await listIds(page))
      expect(problems).toEqual([])
    })
  })
}

/** What the list leaves out, and its order by priority. */
export function describeListContent({ openSignedIn, runSql }: ConsoleSetup): void {
  describe('Console: list content', () => {
    it('says that rejected CVEs are hidden, shows them, and hides them again', async () => {
      // The oldest CVE of the sample.
      const setStatus = (status: string) =>
        runSql(`update catalog.cve set status = '${status}' where cve_key = (select min(cve_key) from catalog.cve)`)
      const { page, open, problems } = await openSignedIn(DESKTOP)
      await setStatus('Rejected')
      try {
        await open('/cves?sort=published_asc')
        const oldest = page.getByRole('link', { name: 'CVE-2008-4250' })
        await page.getByText('Rejected CVEs are hidden.').waitFor()
        expect(await oldest.count()).toBe(0)
        await page.getByRole('button', { name: 'Show them' }).click()
        await oldest.waitFor()
        await page.waitForURL((address) => address.searchParams.get('rejected') === 'show')
        await page.getByText('Rejected CVEs are shown.').waitFor()
        await page.getByRole('button', { name: 'Hide them' }).click()
        await oldest.waitFor({ state: 'detached' })
      } finally {
        await setStatus('Analyzed')
      }
      expect(problems).toEqual([])
    })

    it('ranks the entries of the board by priority, with the reasons', async () => {
      const { page, open, problems } = await openSignedIn(DESKTOP)
      await open('/kev?vendor=Fortinet')
      const onBoard = await listIds(page)
      await page.getByRole('link', { name: `Rank these ${onBoard.length} CVEs by priority, with reasons` }).click()
      await page.getByRole('columnheader', { name: 'Why this level' }).waitFor()
      await page.getByText('Within a level, CVEs used in ransomware campaigns come first').waitFor()
      await expect.poll(async () => (await listIds(page)).toSorted()).toEqual(onBoard.toSorted())
      const levels = await page.locator('tbody td:nth-child(2)').allInnerTexts()
      expect(levels).toEqual(levels.toSorted())
      expect(problems).toEqual([])
    })
  })
}
