// Journeys through states that a person did not ask for: stale data, a node that restarts.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

export function describeStatus({ openPage, runSql }: ConsoleSetup): void {
  describe('Console: status', () => {
    it('is shown without signing in, with the last run and the age of each data set, and says that a feed is stale', async () => {
      const { page, open, problems } = await openPage()
      await runSql(`
        update catalog.dataset
           set last_success_at = last_success_at - interval '30 days', last_run_result = 'failed', rejected_count = 3
         where name = 'kev'`)
      try {
        await open('/status')
      } finally {
        await runSql(`
          update catalog.dataset
             set last_success_at = last_success_at + interval '30 days', last_run_result = 'succeeded', rejected_count = 0
           where name = 'kev'`)
      }
      await page.getByText(/^The service is degraded: \d+ data sets are stale$/).waitFor()
      const text = await page.getByRole('row', { name: /EU KEV/ }).innerText()
      expect(text).toContain('Up to date')
      expect(text).toContain('succeeded')
      expect(text).toMatch(/\d (?:days?|hours?|minutes?) old/)
      await page.getByRole('row', { name: /CISA KEV Stale: the last import failed/ }).waitFor()
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
      expect(problems).toEqual([])
    })
  })
}

export function describeErrors(setup: ConsoleSetup): void {
  const { openSignedIn } = setup
  describe('Console: errors', () => {
    it('explains that the service does not respond while a node restarts, and continues afterwards', async () => {
      const { page, open } = await openSignedIn()
      await open('/cves')
      await setup.stopNode()
      await page.keyboard.press('/')
      await page.keyboard.type('log4j')
      await page.keyboard.press('Enter')
      await page.getByText('The service does not answer').waitFor()
      await setup.restartNode()
      await page.getByRole('button', { name: 'Try again' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'CVE-2021-44228' }).waitFor()
    })
  })
}
