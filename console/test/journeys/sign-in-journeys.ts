// Journeys of people who sign in as members: by a link in an e-mail, at an OpenID provider, and by signing up.
import { describe, expect, it } from 'vitest'
import { createMember } from './account-journeys.ts'
import type { ConsoleSetup } from './journey-setup.ts'

export function describeLinks(setup: ConsoleSetup): void {
  describe('Console: sign-in links', () => {
    it('signs in through a link in an e-mail, by keyboard alone', async () => {
      const { email } = await createMember(setup, 'viewer')
      const node = await setup.startMemberNode()
      const { page } = await setup.openPage()
      await page.goto(`${node.url}/console/kev`)
      await page.getByLabel('E-mail').fill(email)
      await page.keyboard.press('Enter')
      await page.getByText(`If ${email} may sign in here, a link is on its way.`).waitFor()
      await page.goto(`${node.url}${await node.receiveLink(email)}`)
      await page.getByRole('button', { name: 'Sign in' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      await page.getByRole('button', { name: /^Account / }).click()
      await page.getByText(email).waitFor()
    })

    it("tells a signed-in user that a link leads to another person's account", async () => {
      const [own, stranger] = [await createMember(setup, 'viewer'), await createMember(setup, 'owner')]
      await setup.runSql(`update accounts.account set name = 'Account of a stranger' where id = ${stranger.accountId}`)
      const node = await setup.startMemberNode()
      const { page } = await setup.openPage()
      const open = async (email: string) => {
        await page.goto(`${node.url}/console/sign-in`)
        await page.getByLabel('E-mail').fill(email)
        await page.getByRole('button', { name: 'Send me a link' }).click()
        await page.goto(`${node.url}${await node.receiveLink(email)}`)
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
      }
      await open(own.email)
      expect(await page.getByText('This browser is signed in').count()).toBe(0)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      await open(stranger.email)

      expect(await page.locator('dl').innerText()).toMatch(/Account of a stranger/)
      await page.getByText(`This browser is signed in as ${own.email} to a pro account at the moment`).waitFor()
      // The person has not pressed the button, so the earlier session is still valid.
      await page.goto(`${node.url}/console/sessions`)
      await page.getByText(`The browsers in which ${own.email} is signed in.`).waitFor()
    })
  })
}

export function describeMemberSignIn(setup: ConsoleSetup): void {
  describe('Console: member sign-in', () => {
    it('signs in through an OpenID provider, and opens the requested page', async () => {
      const { email } = await createMember(setup, 'viewer')
      const node = await setup.startMemberNode()
      node.chooseIdentity(email)
      const { page } = await setup.openPage()
      await page.goto(`${node.url}/console/sessions`)
      await page.getByRole('link', { name: /^Sign in with / }).click()
      await page
        .getByRole('row', { name: /this browser/ })
        .filter({ hasText: 'OpenID provider' })
        .waitFor()
      await page.getByText(`The browsers in which ${email} is signed in.`).waitFor()
    })

    it('gives a person who signs up a new account that they own', async () => {
      const node = await setup.startMemberNode()
      const { page } = await setup.openPage()
      await page.goto(`${node.url}/console/sign-in`)
      await page.getByText(/^New here\?/).waitFor()
      await page.getByLabel('E-mail').fill('new@example.com')
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await page.goto(`${node.url}${await node.receiveLink('new@example.com')}`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('row', { name: /new@example\.com you/ }).waitFor()
      expect(await page.getByLabel('Role of new@example.com').inputValue()).toBe('owner')
    })
  })
}
