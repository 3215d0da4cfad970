// Journeys of people who sign in as members: by a link in an e-mail, at an OpenID provider, and by signing up.
import { describe, expect, it } from 'vitest'
import { createMember } from './account-journeys.ts'
import type { ConsoleSetup } from './journey-setup.ts'

export function describeMemberSignIn(setup: ConsoleSetup): void {
  describe('Console: sign-in of members', () => {
    it('signs in by a link in an e-mail, by keyboard alone', async () => {
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
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('button', { name: /^Account / }).click()
      await page.getByText(email).waitFor()
    })

    it('signs in at an OpenID provider, and opens the page that was asked for', async () => {
      const { email } = await createMember(setup, 'viewer')
      const node = await setup.startMemberNode()
      node.chooseIdentity(email)
      const { page } = await setup.openPage()
      await page.goto(`${node.url}/console/sessions`)
      await page.getByRole('link', { name: /^Sign in with / }).click()
      await page.getByRole('row', { name: /OpenID provider this browser/ }).waitFor()
      await page.getByText(`The browsers in which ${email} is signed in.`).waitFor()
    })

    it('gives an account of its own to a person who signs up, who owns it', async () => {
      const node = await setup.startMemberNode()
      const { page } = await setup.openPage()
      await page.goto(`${node.url}/console/sign-in`)
      await page.getByText(/^New here\?/).waitFor()
      await page.getByLabel('E-mail').fill('new@example.com')
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await page.goto(`${node.url}${await node.receiveLink('new@example.com')}`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('row', { name: /new@example\.com you/ }).waitFor()
      expect(await page.getByLabel('Role of new@example.com').inputValue()).toBe('owner')
    })
  })
}
