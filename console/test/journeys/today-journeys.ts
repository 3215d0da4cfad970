// Journeys through the page Today: what is new since the last visit.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createMember } from './account-journeys.ts'
import type { ConsoleSetup } from './journey-setup.ts'

const SEEN_PATH = '/console/api/v1/members/me'

export function describeToday(setup: ConsoleSetup): void {
  describe('Console: since the last visit', () => {
    it('marks what is new, and "Mark all seen" moves the marker', async () => {
      const { page, open } = await openAsReader(setup)
      await open('/')
      await page.getByText(/new since your last visit/).waitFor()
      const dots = page.getByText('New', { exact: true })
      expect(await dots.count()).toBeGreaterThan(0)

      const before = await readPosition(page)
      await page.getByRole('button', { name: 'Mark all seen' }).click()
      await page.getByText(/Nothing new since your last visit/).waitFor()
      expect(await dots.count()).toBe(0)
      expect(toNumber(await readPosition(page))).toBeGreaterThan(toNumber(before))
    })

    it('moves the marker by itself only when the page was left', async () => {
      const { page, open } = await openAsReader(setup)
      const before = await readPosition(page)
      await open('/')
      await page.getByText(/new since your last visit/).waitFor()
      expect(await readPosition(page)).toBe(before)

      await page.getByRole('link', { name: 'Usage', exact: true }).click()
      await expect.poll(async () => toNumber(await readPosition(page))).toBeGreaterThan(toNumber(before))
      await page.goBack()
      // The marker stays where it was while the console is open.
      await page.getByRole('button', { name: 'Mark all seen' }).waitFor()
      await open('/')
      await page.getByText(/Nothing new since your last visit/).waitFor()
    })

    it('marks nothing on a first visit', async () => {
      const { memberId } = await createMember(setup, 'viewer')
      const { page, open } = await setup.openSignedIn({ memberId })
      await open('/')
      await page.getByRole('heading', { name: 'What happened', exact: true }).waitFor()
      expect(await page.getByText(/since your last visit/).count()).toBe(0)
    })
  })
}

/** Opens a session of a member who has seen the beginning of the change log. */
async function openAsReader(setup: ConsoleSetup) {
  const { memberId } = await createMember(setup, 'viewer')
  const opened = await setup.openSignedIn({ memberId })
  await opened.open('/status')
  await opened.page.evaluate(`(async () => {
    const read = async (path, init) => (await (await fetch('/console/api/v1/' + path, init)).json()).data
    const { next_since: position } = await read('changes?since=2026-08-19T18:00:00Z&limit=1')
    const headers = { 'Content-Type': 'application/json' }
    await read('members/me/seen', { method: 'POST', headers, body: JSON.stringify({ position }) })
  })()`)
  return opened
}

function readPosition(page: Page): Promise<string> {
  return page.evaluate<string>(
    `fetch('${SEEN_PATH}').then((answer) => answer.json()).then(({ data }) => data.seen.position)`,
  )
}

const toNumber = (position: string) => Number(position.split(':')[0])
