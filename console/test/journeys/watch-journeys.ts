// Journeys through watches: from a search to a watch, and from a publication to its event in the inbox.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { account } from '../../../service/test/support/builders.ts'
import { createMember } from './account-journeys.ts'
import { addToKev, judgeWatches } from './catalog-news.ts'
import type { ConsoleSetup } from './journey-setup.ts'
import { countClicks, findAccessibilityProblems, isWiderThanWindow } from './page-checks.ts'

const DESKTOP = { viewport: { width: 1440, height: 900 } }
/** A CVE of the sample that CISA does not list. */
const CVE_ID = 'CVE-2023-38545'

async function createPeople(setup: ConsoleSetup) {
  const accountId = await setup.createAccount(account('pro'))
  const { memberId: admin } = await createMember(setup, 'admin', accountId)
  const { memberId: viewer } = await createMember(setup, 'viewer', accountId)
  return { admin, viewer }
}

export function describeWatches(setup: ConsoleSetup): void {
  describe('Console: watches', () => {
    testFirstWatch(setup)
    testFirstEvent(setup)
    testBell(setup)
    testActions(setup)
    testQuestions(setup)
    testFeed(setup)
  })
}

function testFirstWatch(setup: ConsoleSetup): void {
  it('makes a watch from the list in three clicks, and says which filters it cannot have', async () => {
    const { admin } = await createPeople(setup)
    const { page, open, problems } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await open('/cves?product_vendor=apache')
    const count = await countClicks(page)
    await page.getByRole('button', { name: 'Watch this search' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watch this search' })
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Vendor: Apache')
    expect(await findAccessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^“Vendor: Apache” is watching\. \d+ CVEs match now\./).waitFor()
    expect(await count()).toBeLessThanOrEqual(3)

    await open('/cves?product_vendor=apache&modified_after=2026-01-01')
    await page.getByRole('button', { name: 'Watch this search' }).click()
    await dialog.getByText(/every edit of a record would be an event/).waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Apache, again')
    await dialog.getByRole('button', { name: 'Save without it' }).click()
    await page.getByText(/“Apache, again” is watching/).waitFor()
    expect(problems).toEqual([])
  })
}

function testFirstEvent(setup: ConsoleSetup): void {
  it('tells in the inbox what a publication brought, in words, and keeps the mark until it is left', async () => {
    const { admin, viewer } = await createPeople(setup)
    await judgeWatches(setup.databaseUrl)
    const { page, open } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await createWatch(page, open, `/cves?ids=${CVE_ID}`, 'curl')
    await addToKev(setup.databaseUrl, CVE_ID)
    await judgeWatches(setup.databaseUrl)

    // The number beside the link follows without loading a page.
    await page.getByRole('link', { name: /^Inbox\s*[1-9]\d* unread$/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const event = page.getByRole('article', { name: 'Event' })
    await event.getByRole('heading', { name: /exploited \(CISA\)/i }).waitFor()
    expect(await event.innerText()).toMatch(/In KEV since\s+before:\s+not listed\s+now:\s+2026-08-21/)
    expect(await event.innerText()).toContain('It is in the search. The watch tells when a CVE “becomes exploited”')
    expect(await page.getByText('Unread', { exact: true }).count()).toBeGreaterThan(1)
    expect(await findAccessibilityProblems(page)).toEqual([])

    await muteByKey(page)
    await readByKey(page)

    const reader = await setup.openSignedIn({ ...DESKTOP, memberId: viewer })
    await expectReadOnly(reader.page, reader.open)
  })
}

function testBell(setup: ConsoleSetup): void {
  it('asks the page of a CVE to tell, and stops', async () => {
    const { admin } = await createPeople(setup)
    const { page, open } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await open('/cves/CVE-2021-44228')
    await page.getByRole('button', { name: /^Watch\b/ }).click()
    const bell = page.getByRole('dialog', { name: 'Watch CVE-2021-44228' })
    expect(await findAccessibilityProblems(page)).toEqual([])
    await bell.getByRole('button', { name: 'Watch', exact: true }).click()
    await bell.getByText(/^It tells when CVE-2021-44228 becomes exploited/).waitFor()
    // Nobody chose this search as a view.
    expect(await page.getByRole('group', { name: 'Views' }).getByText('CVE-2021-44228').count()).toBe(0)
    await bell.getByRole('button', { name: 'Stop watching' }).click()
    await bell.getByRole('button', { name: 'Watch', exact: true }).waitFor()
  })
}

function testActions(setup: ConsoleSetup): void {
  it('snoozes, pauses, changes and removes a watch, at every width', async () => {
    const { admin } = await createPeople(setup)
    const { page, open } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await createWatch(page, open, '/cves?product=log4j', 'Log4j')
    await open('/watches')
    await chooseAction(page, 'Snooze')
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze', exact: true }).click()
    await findShown(page, 'Snoozed until 28 Aug 2026').waitFor()
    await chooseAction(page, 'End the snooze')
    await findShown(page, 'Watching').waitFor()
    await chooseAction(page, 'Pause')
    await findShown(page, 'Paused: tells nothing').waitFor()
    await chooseAction(page, 'Change')
    await page.getByLabel('Team (optional)').fill('network')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Log4j” was changed.').waitFor()
    await page.getByLabel('Team', { exact: true }).selectOption('network')
    await page.waitForURL(/team=network/)

    // The numbers of the bars are read by arrow keys.
    const bars = page.getByRole('slider', { name: 'Events of Log4j per day' })
    await bars.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await bars.getAttribute('aria-valuetext')).toBe('20 Aug: 0')
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await isWiderThanWindow(page), `${width}`).toBe(false)
      expect(await findAccessibilityProblems(page), `${width}`).toEqual([])
    }
    await chooseAction(page, 'Remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('“Log4j” was removed.').waitFor()
  })
}

function testQuestions(setup: ConsoleSetup): void {
  it('says how often a watch would have told, and which filter said no', async () => {
    const { admin } = await createPeople(setup)
    const { page, open } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await open('/cves?product_vendor=apache')
    await page.getByRole('button', { name: 'Watch this search' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watch this search' })
    await dialog.getByRole('button', { name: /^Count the last 30 days/ }).click()
    await dialog.getByText(/^(?:With what is chosen:|What is chosen did not happen)/).waitFor()
    expect(await findAccessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()

    await open('/watches')
    await page.getByRole('button', { name: /^More for / }).click()
    await page.getByRole('menuitem', { name: 'Why was I not told?' }).click()
    const panel = page.getByRole('region', { name: 'Why was I not told?' })
    await panel.getByLabel('CVE', { exact: true }).fill('cve-2024-3400')
    await panel.getByRole('button', { name: /^Explain/ }).click()
    await panel.getByText(/ The search does not find it now: “Vendor: Apache” does not hold\.$/).waitFor()
    expect(await findAccessibilityProblems(page)).toEqual([])
  })
}

function testFeed(setup: ConsoleSetup): void {
  it('shows the address of a feed once, gives it another one, and ends it', async () => {
    const { admin } = await createPeople(setup)
    const { page, open } = await setup.openSignedIn({ ...DESKTOP, memberId: admin })
    await createWatch(page, open, '/cves?product=log4j', 'Log4j')
    await open('/watches')
    await chooseAction(page, 'Make a feed')
    const dialog = page.getByRole('dialog', { name: 'Feed of “Log4j”' })
    await dialog.getByRole('button', { name: 'Make the feed' }).click()
    const first = await dialog.locator('code').first().innerText()
    expect((await fetch(first.replace(/^https?:\/\/[^/]+/, setup.url))).status).toBe(200)
    expect(await findAccessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(first)

    await chooseAction(page, 'Feed address')
    expect(await dialog.innerText()).not.toContain(first)
    await dialog.getByRole('button', { name: 'Make a new address' }).click()
    await expect.poll(() => dialog.locator('code').count()).toBe(2)
    expect(await dialog.locator('code').first().innerText()).not.toBe(first)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()

    await chooseAction(page, 'Feed address')
    await dialog.getByRole('button', { name: 'Remove the feed' }).click()
    await page.getByText('“Log4j” has no feed any more.').waitFor()
  })
}

type Open = (path: string) => Promise<void>

async function createWatch(page: Page, open: Open, path: string, name: string): Promise<void> {
  await open(path)
  await page.getByRole('button', { name: 'Watch this search' }).click()
  const dialog = page.getByRole('dialog', { name: 'Watch this search' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(`“${name}” is watching`).waitFor()
}

/** A narrow window shows the same words in another place. */
const findShown = (page: Page, text: string) => page.getByText(text, { exact: true }).filter({ visible: true })

async function chooseAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: /^More for / }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function muteByKey(page: Page): Promise<void> {
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: `Mute ${CVE_ID}` })
  await dialog.getByLabel('Reason (optional)').fill('Not reachable')
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByText(/^Muted in “curl” until 20 Sep 2026 unless .*Reason: Not reachable$/).waitFor()
  await page.getByRole('button', { name: 'Unmute' }).click()
  await expect.poll(() => page.getByText(/^Muted in “curl”/).count()).toBe(0)
}

async function readByKey(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Inbox' }).click()
  await page.keyboard.press('e')
  await page.getByText('nothing unread').waitFor()
  await expect
    .poll(() =>
      page
        .getByRole('link', { name: /^Inbox/ })
        .first()
        .innerText(),
    )
    .not.toContain('unread')
}

/** A viewer sees watches and events, and no button that the service would refuse. */
async function expectReadOnly(page: Page, open: Open): Promise<void> {
  await open('/watches')
  await findShown(page, 'Watching').waitFor()
  expect(await page.getByRole('button', { name: 'New watch' }).count()).toBe(0)
  await page.getByRole('button', { name: /^More for / }).click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Why was I not told?'])
  await open('/inbox')
  await page.getByRole('article', { name: 'Event' }).waitFor()
  expect(await page.getByRole('button', { name: /^(?:Mute|Snooze)/ }).count()).toBe(0)
  // The mark is the member's own.
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByText('nothing unread').waitFor()
  await open('/cves')
  expect(await page.getByRole('button', { name: 'Watch this search' }).count()).toBe(0)
}
