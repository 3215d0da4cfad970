// Journeys through the past of CVEs: EPSS history, changes, the record of a day, and what happened in a week.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { findAccessibilityProblems, findColorProblems, isWiderThanWindow } from './page-checks.ts'

export function describeHistory(setup: ConsoleSetup): void {
  describe('Console: history', () => {
    testEpssHistory(setup)
    testChanges(setup)
    testEvents(setup)
  })
}

function testEpssHistory({ openSignedIn }: ConsoleSetup): void {
  it("shows a CVE's EPSS scores as a chart with a table and a mark for the new model, and other periods by keyboard", async () => {
    const { page, open, problems } = await openSignedIn()
    await open('/cves/CVE-2022-21449?tab=exploits')
    const panel = page.getByRole('region', { name: /^EPSS history/ })
    await panel.scrollIntoViewIfNeeded()
    await panel.getByText('model v2026.06.15 replaced model v2025.03.14').waitFor()
    await panel.getByRole('figure', { name: /^EPSS from 2026-05-30 to 2026-08-15: between/ }).waitFor()
    const rows = panel.getByRole('table', { name: 'EPSS scores, newest first' }).getByRole('row')
    expect(await rows.nth(1).innerText()).toMatch(/2026-08-15\s+60\.3 %\s+99\.06 %/)
    await panel.getByRole('button', { name: /^Show \d+ more$/ }).click()
    await expect.poll(() => rows.count()).toBe(13)

    await panel.getByRole('radio', { name: '90 days' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/epss=1y/)
    await panel.getByText('model v2026.06.15 replaced model v2025.03.14').waitFor()
    await page.goBack()
    await page.waitForURL((address) => !address.searchParams.has('epss'))
    expect(problems).toEqual([])
  })
}

function testChanges({ openSignedIn }: ConsoleSetup): void {
  it("describes in words what changed, and compares the record of a day with today's record", async () => {
    const { page, open, problems } = await openSignedIn()
    await open('/cves/CVE-2026-72529?tab=history')
    const changes = page.getByRole('region', { name: /^Changes/ })
    await changes.scrollIntoViewIfNeeded()
    const newest = changes.getByRole('listitem').first()
    await newest.getByText('Added to KEV').waitFor()
    expect(await newest.innerText()).toMatch(/^2026-08-21/)
    expect(await newest.getByText('Priority P3').innerText()).toMatch(/^Priority P3 next cycle\s+P0 act now$/)

    const past = page.getByRole('region', { name: /^As known on a day/ })
    await past.getByLabel('Day').fill('2026-08-20')
    await page.keyboard.press('Enter')
    await page.waitForURL(/as_of=2026-08-20/)
    await past.getByText(/^2026-08-20 23:59 UTC: \d+ of \d+ values were different from today\.$/).waitFor()
    expect(await past.getByRole('row', { name: /^KEV not listed/ }).innerText()).toMatch(
      /not listed different\s+since 2026-08-20/,
    )
    const found = await findAccessibilityProblems(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 900 })
    expect([...found, ...(await findColorProblems(page))]).toEqual([])
    expect(await isWiderThanWindow(page)).toBe(false)

    await past.getByLabel('Day').fill('2026-08-01')
    await page.keyboard.press('Enter')
    const refusal = past.getByRole('alert')
    await refusal.getByText(/was not published on 2026-08-01, but later, on 2026-08-19/).waitFor()
    await refusal.getByText(/^req_/).waitFor()
    expect(problems).toEqual([])
  })
}

function testEvents({ openSignedIn }: ConsoleSetup): void {
  it('lists what happened on the overview, and reads it again after a failure without losing the other panels', async () => {
    const { page, open, problems } = await openSignedIn()
    const reads = /\/api\/v1\/changes\?/
    await page.route(reads, (route) => route.abort())
    await open('/')
    const events = page.getByRole('region', { name: /^What happened/ })
    await events.getByText('The service does not answer').waitFor()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^New in CISA KEV \d/ })
      .waitFor()
    await page.unroute(reads)
    await events.getByRole('button', { name: 'Try again' }).click()
    const row = events.getByRole('listitem').filter({ hasText: 'CVE-2026-72529' })
    await row.getByText('P0').waitFor()
    expect(await row.innerText()).toContain('KEV')
    expect(problems).toEqual([])
  })
}
