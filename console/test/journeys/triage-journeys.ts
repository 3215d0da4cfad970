// Journeys of people who decide about CVEs: saving and sharing a search, and setting states.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { account } from '../../../service/test/support/builders.ts'
import { createMember } from './account-journeys.ts'
import type { ConsoleSetup } from './journey-setup.ts'
import { countClicks, findAccessibilityProblems, findColorProblems } from './page-checks.ts'

const DESKTOP = { viewport: { width: 1440, height: 900 } } as const

const chips = (page: Page) =>
  page.locator('tbody tr[data-index]').getByText(/^(?:Not affected|Accepted|Fixed|Investigating)$/)

async function createPeople(setup: ConsoleSetup) {
  const accountId = await setup.createAccount(account('pro'))
  const admin = (await createMember(setup, 'admin', accountId)).memberId
  const viewer = (await createMember(setup, 'viewer', accountId)).memberId
  return { admin, viewer }
}

export function describeViews(setup: ConsoleSetup): void {
  describe('Console: views', () => {
    testSharing(setup)
    testCompleteness(setup)
  })
}

function testSharing(setup: ConsoleSetup): void {
  it('shares a search as a view with three clicks, marks changes, and a colleague finds it', async () => {
    const { admin, viewer } = await createPeople(setup)
    const { page, open, problems } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await open('/cves?product_vendor=fortinet&kev=true')
    const count = await countClicks(page)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Edge devices')
    await page.getByLabel(/^Share with the account/).click()
    expect(await findAccessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^Edge devices/ }).waitFor()
    expect(await count()).toBe(3)
    await page.waitForURL(/\/cves\?view=\d+$/)

    await page.getByRole('checkbox', { name: 'P0 act now' }).check()
    await page.getByText('changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('changed', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Change the view Edge devices' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Firewalls')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Firewalls/ }).waitFor()
    expect(problems).toEqual([])

    const other = await setup.openSignedIn({ ...DESKTOP, memberId: viewer })
    await other.open('/cves')
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: /Firewalls\s*shared/ }).click()
    await page.getByRole('button', { name: 'Remove filter Vendor: Fortinet' }).waitFor()
    await page.getByRole('button', { name: /^Remove filter Level: P0/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Change the view/ }).count()).toBe(0)
  })
}

function testCompleteness({ openSignedIn }: ConsoleSetup): void {
  it('finds the exploited CVEs of a product and a year with two clicks, all of them', async () => {
    const { page, open } = await openSignedIn(DESKTOP)
    await open('/cves?product=fortios')
    const count = await countClicks(page)
    await page.getByRole('checkbox', { name: 'Exploited', exact: true }).click()
    await page.waitForURL(/exploit_maturity=ransomware,active/)
    const year = page.getByRole('region', { name: 'Filters with counts' }).getByRole('checkbox', { name: /^\d{4}$/ })
    await year.first().click()
    await page.waitForURL(/published_after=/)
    expect(await count()).toBe(2)
    const listed = await page.locator('tbody tr[data-index] a').allInnerTexts()
    await expect
      .poll(async () => (await page.getByRole('heading', { level: 1 }).innerText()).split(/\s+/)[1])
      .toBe(String(listed.length))
    expect(listed.length).toBeGreaterThan(0)
  })
}

export function describeTriage(setup: ConsoleSetup): void {
  describe('Console: states', () => {
    it('sets states by keyboard and for several rows, and shows both versions after a conflict', async () => {
      const { admin, viewer } = await createPeople(setup)
      const { page, open, problems } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
      await open('/cves?q=apache&sort=priority_desc')
      const id = await setByKeyboard(page)
      await replaceChangeOfOthers(page, id)
      await setTwoMore(page)

      // The page of the CVE shows the state and every change.
      await open(`/cves/${id}`)
      await page.getByText('Accepted', { exact: true }).first().waitFor()
      expect(problems).toEqual([])

      const other = await setup.openSignedIn({ ...DESKTOP, memberId: viewer })
      await other.open('/cves?q=apache&sort=priority_desc')
      await expectNoWayToSet(other.page, id)
    })
  })
}

const stateDialog = (page: Page) => page.getByRole('dialog', { name: /^State of CVE-/ })
const firstId = (page: Page) => page.locator('tbody tr[data-index="0"] a')

/** Sets the state of the first CVE of the list without the mouse, and returns the id of the CVE. */
async function setByKeyboard(page: Page): Promise<string> {
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  const dialog = stateDialog(page)
  await dialog.getByLabel(/^Not affected/).check()
  await dialog.getByLabel('Why').selectOption('component_not_present')
  await dialog.getByLabel('Note').fill('Checked by the edge team')
  expect(await findAccessibilityProblems(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findColorProblems(page, '[role=dialog]')).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The state of 1 CVE was set.').waitFor()
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['Not affected'])
  return (await firstId(page).innerText()).trim()
}

/** Somebody else changes the entry while the dialog is open. */
async function replaceChangeOfOthers(page: Page, id: string): Promise<void> {
  const dialog = stateDialog(page)
  await firstId(page).focus()
  await page.keyboard.press('s')
  await dialog.getByLabel(/^Accepted/).check()
  const changed = await page.evaluate<number>(`fetch('/console/api/v1/triage', {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ cve_id: '${id}', scope: '*', state: 'fixed', revision: 1 }),
  }).then(({ status }) => status)`)
  expect(changed).toBe(200)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('alert').filter({ hasText: 'Nothing was saved.' }).waitFor()
  expect(await dialog.getByRole('region', { name: 'Now' }).innerText()).toContain('Fixed')
  expect(await dialog.getByRole('region', { name: 'Yours' }).innerText()).toContain('Accepted')
  await dialog.getByRole('button', { name: 'Replace with yours' }).click()
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['Accepted'])
}

async function setTwoMore(page: Page): Promise<void> {
  for (const row of [1, 2]) await page.locator(`tbody tr[data-index="${row}"] input`).check()
  await page
    .getByRole('toolbar', { name: '2 chosen' })
    .getByRole('button', { name: /^State/ })
    .click()
  await page.getByRole('dialog', { name: 'State of 2 CVEs' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The state of 2 CVEs was set.').waitFor()
  await expect.poll(() => chips(page).count()).toBe(3)
}

/** Checks that a viewer sees the states but cannot set one. */
async function expectNoWayToSet(page: Page, id: string): Promise<void> {
  await expect.poll(() => chips(page).count()).toBe(3)
  await firstId(page).focus()
  await page.keyboard.press('s')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Space')
  await page.getByRole('complementary', { name: `Preview of ${id}` }).waitFor()
  expect(await page.getByRole('button', { name: /^(?:Set|Change) state$/ }).count()).toBe(0)
}
