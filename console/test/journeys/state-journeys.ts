// Journeys through states that a person did not ask for: stale data, the limit of reads, a node that restarts.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

export function describeStatus({ openPage, runSql }: ConsoleSetup): void {
  describe('Console: status', () => {
    it('is shown without sign-in, with the last run and the age of each data set', async () => {
      const { page, open, problems } = await openPage()
      await open('/status')
      await page.getByText(/^The service is degraded: \d+ data sets are stale$/).waitFor()
      const row = page.getByRole('row', { name: /EU KEV/ })
      const text = await row.innerText()
      expect(text).toContain('Up to date')
      expect(text).toContain('succeeded')
      expect(text).toMatch(/\d (?:days?|hours?|minutes?) old/)
      expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(1)
      expect(problems).toEqual([])
    })

    it('says in words that a feed is stale', async () => {
      const { page, open } = await openPage()
      await runSql(`
        update catalog.dataset
           set last_success_at = last_success_at - interval '30 days', last_run_result = 'failed', rejected_count = 3
         where name = 'kev'`)
      try {
        await open('/status')
        await page.getByRole('row', { name: /CISA KEV Stale: the last import failed/ }).waitFor()
      } finally {
        await runSql(`
          update catalog.dataset
             set last_success_at = last_success_at + interval '30 days', last_run_result = 'succeeded', rejected_count = 0
           where name = 'kev'`)
      }
    })
  })
}

export function describeErrors(setup: ConsoleSetup): void {
  const { openPage, openSignedIn } = setup
  describe('Console: errors', () => {
    it('shows the limit of reads with the time until it is reset, and reads again after it', async () => {
      // The overview sends several reads at once, so one of them exceeds the limit in whatever minute it is sent.
      const limited = await setup.startNode({ CONSOLE_READS_PER_MINUTE: '1' })
      const { page } = await openPage({ url: limited.url, hasRunningClock: true })
      await page.goto('/console/sign-in')
      await page.getByLabel('API key').fill(await setup.createKey())
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      const alert = page.getByRole('alert').filter({ hasText: 'Too many reads in a minute' })
      await alert.first().waitFor()
      expect(await alert.first().innerText()).toMatch(/\d s\b/)
      expect(await alert.first().getByRole('button', { name: 'Read again' }).isDisabled()).toBe(true)

      await limited.restart({})
      await page.clock.fastForward(60_000)
      await page.getByRole('region', { name: 'New in KEV' }).getByRole('link', { name: /^CVE-/ }).first().waitFor()
      await expect.poll(() => alert.count()).toBe(0)
    })

    it('explains that the service does not answer while a node restarts, and continues after it', async () => {
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
