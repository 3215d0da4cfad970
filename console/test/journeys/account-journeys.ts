// Journeys of people who manage their account: keys, usage, members, sessions.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../../sdk/src/generated/vocabulary.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { addMember } from '../../../service/test/support/members.ts'
import type { ConsoleSetup } from './journey-setup.ts'

/** Price of GET /api/v1/cve/{cve-id}. */
const CVE_CREDITS = 5

let people = 0

/** Adds a member to an account, or to a new one, and returns the ids. */
export async function createMember(setup: ConsoleSetup, role: string, knownAccount?: string) {
  const accountId = knownAccount ?? (await setup.createAccount(account('pro')))
  people += 1
  const email = `${role}${people}@example.org`
  return { accountId, email, memberId: await addMember(setup.databaseUrl, { accountId, email, role }) }
}

/** Calls the API with a key and returns the status. */
async function callApi(setup: ConsoleSetup, key: string, path = 'ping'): Promise<number> {
  return (await fetch(`${setup.url}/api/v1/${path}`, { headers: { 'X-API-Key': key } })).status
}

const dialog = (page: Page) => page.getByRole('dialog')

/** Reads the secret that the page shows once. */
async function storeSecret(page: Page, region: RegExp): Promise<string> {
  const panel = page.getByRole('region', { name: region })
  const secret = await panel.locator('code').innerText()
  await panel.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await panel.getByRole('button', { name: 'I have stored it' }).click()
  await panel.waitFor({ state: 'hidden' })
  expect(await page.content()).not.toContain(secret)
  return secret
}

async function expectAllScopes(page: Page): Promise<void> {
  const scopes = dialog(page).getByRole('group', { name: 'Scopes' })
  expect(await scopes.getByRole('checkbox').count()).toBe(Object.keys(SCOPES).length)
  for (const [scope, meaning] of Object.entries(SCOPES))
    expect(
      await scopes
        .locator('label')
        .filter({ has: page.locator(`[value=${scope}]`) })
        .innerText(),
    ).toBe(`${scope}\n${meaning}`)
}

export function describeKeys(setup: ConsoleSetup): void {
  describe('Console: keys', () => {
    it('creates a key that is shown once, rotates it with an overlap, and revokes it within seconds', async () => {
      const { memberId } = await createMember(setup, 'admin')
      const { page, open, problems } = await setup.openSignedIn({ memberId })
      await open('/keys')
      await page.getByText('There is no active key').waitFor()

      await page.getByRole('button', { name: 'New key' }).press('Enter')
      await dialog(page).locator('input[name=name]:focus').waitFor()
      await page.keyboard.type('build pipeline')
      await expectAllScopes(page)
      await dialog(page).locator('[value=watch]').check()
      await dialog(page).getByLabel('Allowed addresses (optional)').fill('everywhere')
      await dialog(page).getByLabel('Name').press('Enter')
      await dialog(page)
        .getByRole('alert')
        .getByText(/allowed_ips/)
        .waitFor()
      await dialog(page).getByLabel('Allowed addresses (optional)').fill('127.0.0.1, 10.0.0.0/8')
      await page.getByRole('button', { name: 'Create key' }).press('Enter')
      const first = await storeSecret(page, /^The new key/)
      expect(await callApi(setup, first)).toBe(200)
      await page.getByRole('cell', { name: 'read watch', exact: true }).waitFor()
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(first)

      await page.getByRole('button', { name: 'Rotate build pipeline' }).click()
      await dialog(page).getByLabel('The old key stays valid for').selectOption('24 hours')
      await page.getByRole('button', { name: 'Rotate key' }).click()
      const second = await storeSecret(page, /^The new key/)
      expect([await callApi(setup, first), await callApi(setup, second)]).toEqual([200, 200])

      const old = page.getByRole('row', { name: /replaced/ })
      expect(await old.getByRole('button', { name: /^Rotate/ }).count()).toBe(0)
      await old.getByRole('button', { name: /^Revoke/ }).click()
      await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
      await dialog(page).waitFor({ state: 'hidden' })
      const revokedAt = performance.now()
      await expect.poll(() => callApi(setup, first), { interval: 100 }).toBe(401)
      console.log(`the revoked key was refused after ${Math.round(performance.now() - revokedAt)} ms`)
      expect(await callApi(setup, second)).toBe(200)
      await page.getByText('1 key expired or revoked').waitFor()

      await open('/audit')
      const readActions = async () => {
        const texts = await page.locator('tbody tr').allInnerTexts()
        return texts.slice(0, 3).map((text) => /(?:created|rotated|revoked) .*/.exec(text)?.[0])
      }
      await expect
        .poll(readActions)
        .toEqual([
          'revoked the key “build pipeline”',
          'rotated the key “build pipeline”',
          'created the key “build pipeline”',
        ])
      expect(problems).toEqual([])
    })
  })
}

export function describeUsage(setup: ConsoleSetup): void {
  describe('Console: usage', () => {
    it('says that the credits are used up, and shows the day, the endpoint and the key that used them', async () => {
      const key = createTestKey()
      const fixture = account('pro').withKey(key, { name: 'scanner' }).withQuota(100).withCreditsLeft(CVE_CREDITS)
      const { memberId } = await createMember(setup, 'owner', await setup.createAccount(fixture))
      const path = 'cve/CVE-2021-44228'
      expect([await callApi(setup, key.key, path), await callApi(setup, key.key, path)]).toEqual([200, 429])
      const { page, open } = await setup.openSignedIn({ memberId })
      await open('/usage')
      const figures = page.locator('dl').first()
      expect(await figures.innerText()).toMatch(/Credits left\s+0\s+of 100/)
      expect(await figures.innerText()).toMatch(/Used\s+100\s+100\.0 % of the credits/)
      await page.getByRole('row', { name: `get-cve 1 ${CVE_CREDITS}` }).waitFor()
      await page.getByText('Show as a table').click()
      const today = page.getByRole('row').filter({ hasText: new Date().toISOString().slice(0, 10) })
      expect(await today.innerText()).toMatch(/\s100$/)
      await page.getByRole('link', { name: 'By key' }).click()
      await page.getByRole('row', { name: /^scanner \d+ 100$/ }).waitFor()
      await page.goBack()
      await page.getByRole('row', { name: /^get-cve/ }).waitFor()
    })
  })
}

export function describeInvitations(setup: ConsoleSetup): void {
  describe('Console: invitations', () => {
    it('invites a viewer with a link that survives a mail scanner and works once, and offers a viewer no management', async () => {
      const { memberId } = await createMember(setup, 'owner')
      const { page, open, problems } = await setup.openSignedIn({ memberId })
      await open('/members')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await dialog(page).getByLabel('E-mail').fill('viewer@example.net')
      await dialog(page).getByRole('button', { name: 'Invite' }).click()
      const link = await storeSecret(page, /^Invitation for viewer@example\.net$/)
      const path = `/console/enter${new URL(link).hash}`
      await page.getByRole('row', { name: /viewer@example\.net invited/ }).waitFor()

      // A mail scanner opens the address, and a browser does not send the part after the #.
      expect((await fetch(new URL(path, setup.url))).status).toBe(200)
      await page.context().clearCookies()
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url() + (request.headers()['referer'] ?? '')))
      await page.goto(path)
      await page.waitForURL(`${setup.url}/console/enter`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      const shown = page.locator('dl')
      expect(await shown.innerText()).toMatch(/E-mail\s+viewer@example\.net\s+Account\s+a pro account/)
      // Programs that check mails may also run the script of the page. The link still works.
      await page.goto('about:blank')
      await page.goto(path)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      const token = path.split('#')[1] ?? ''
      expect(requests.join()).not.toContain(token)
      expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(token)
      const links = page.getByRole('group', { name: 'Settings' }).getByRole('link')
      await expect
        .poll(async () => (await links.allInnerTexts()).map((text) => text.trim().split('\n')[0]))
        .toEqual(['Usage', 'Sessions', 'Status', 'API reference'])
      await open('/keys')
      await page.getByText('Your role may not open “Keys”').waitFor()

      await page.context().clearCookies()
      await page.goto('about:blank')
      await page.goto(path)
      await page.getByRole('alert').getByText('This link was used already').waitFor()
      expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0)
      expect(await page.content()).not.toContain('viewer@example.net')
      expect(problems).toEqual([])
    })
  })
}

export function describeMembers(setup: ConsoleSetup): void {
  describe('Console: members', () => {
    it('keeps the last owner, changes a role, and ends the session of a removed member', async () => {
      const owner = await createMember(setup, 'owner')
      const viewer = await createMember(setup, 'viewer', owner.accountId)
      const { page, open } = await setup.openSignedIn({ memberId: viewer.memberId })
      await open('/cves')
      const [viewerCookies, viewerCookie] = [await page.context().cookies(), await readCookies(page)]
      expect(await countSessions(setup, [viewerCookie])).toBe(1)

      await setup.openSignedIn({ memberId: owner.memberId })
      await open('/members')
      await page.getByRole('button', { name: `Remove ${owner.email}` }).click()
      await dialog(page).getByRole('button', { name: 'Remove member' }).click()
      await dialog(page)
        .getByRole('alert')
        .getByText(/is the last owner of the account/)
        .waitFor()
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      const role = page.getByLabel(`Role of ${viewer.email}`)
      await role.selectOption('admin')
      await expect.poll(() => role.inputValue()).toBe('admin')
      await page.getByRole('button', { name: `Remove ${viewer.email}` }).click()
      await dialog(page).getByRole('button', { name: 'Remove member' }).click()
      await page.getByRole('row', { name: viewer.email }).waitFor({ state: 'hidden' })
      await open('/audit')
      await page.getByText('the role admin').waitFor()

      await expect.poll(() => countSessions(setup, [viewerCookie])).toBe(0)
      await page.context().clearCookies()
      await page.context().addCookies(viewerCookies)
      await page.goto('/console/cves')
      await page.getByText('You are signed out.').waitFor()
    })
  })
}

export function describeSessions(setup: ConsoleSetup): void {
  describe('Console: sessions', () => {
    it('ends the session in another browser, and all sessions at once', async () => {
      const { memberId } = await createMember(setup, 'viewer')
      const { page, open } = await setup.openSignedIn({ memberId })
      const first = await readCookies(page)
      await setup.openSignedIn({ memberId })
      const second = await readCookies(page)
      await setup.openSignedIn({ memberId })
      await open('/sessions')
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3)
      await page.getByRole('row', { name: /this browser/ }).waitFor()
      await page
        .getByRole('button', { name: /^End the session of/ })
        .first()
        .click()
      await expect.poll(() => page.getByRole('button', { name: /^End the session of/ }).count()).toBe(1)
      await expect.poll(() => countSessions(setup, [first, second])).toBe(1)

      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await dialog(page).getByRole('button', { name: 'End all sessions' }).click()
      await page.getByLabel('API key').waitFor()
      await expect.poll(() => countSessions(setup, [first, second])).toBe(0)
    })
  })
}

/** Returns the Cookie header of the page. */
async function readCookies(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}

/** Returns how many of the cookies still have a session. */
async function countSessions(setup: ConsoleSetup, cookies: readonly string[]): Promise<number> {
  const answers = await Promise.all(
    cookies.map((cookie) => fetch(`${setup.url}/console/api/session`, { headers: { Cookie: cookie } })),
  )
  const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ data: { session: unknown } }>))
  return bodies.filter(({ data }) => data.session !== null).length
}
