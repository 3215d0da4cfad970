// Every kind of action of the console by keyboard alone: Tab to the control, press its keys, see the effect. The actions of
// a page run one after the other on the same page, in the order of its controls.
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'
import { address, button, heading, type KeyboardAction, perform, pressInMenu, tabTo } from './keyboard.ts'
import { BOARD_ACTIONS, CVE_ACTIONS, LIST_ACTIONS } from './keyboard-actions.ts'

interface KeyboardJourney {
  readonly path: string
  /** Width of the window; without it, 1440 px. */
  readonly width?: number
  readonly actions: readonly KeyboardAction[]
}

const LIST = '/cves?q=apache&severity=critical'

const JOURNEYS: readonly KeyboardJourney[] = [
  { path: LIST, actions: LIST_ACTIONS },
  {
    path: '/cves',
    actions: [
      {
        name: 'load more rows',
        control: button('Load 50 more'),
        keys: ['Enter'],
        effect: (page) => page.getByText(/^(?:9\d|100) of \d+ loaded$/).waitFor(),
      },
    ],
  },
  { path: '/cves/CVE-2021-44228', actions: CVE_ACTIONS },
  { path: '/kev', actions: BOARD_ACTIONS },
  {
    path: '/status',
    actions: [
      {
        name: 'sort the data sets',
        control: button('Records'),
        keys: ['Enter'],
        effect: (page) => page.locator('th[aria-sort=descending]', { hasText: 'Records' }).waitFor(),
      },
    ],
  },
  {
    path: LIST,
    width: 390,
    actions: [
      {
        name: 'open the filters on a phone, choose one and close them',
        control: button(/^Filters/),
        keys: ['Enter'],
        effect: async (page) => {
          const dialog = page.getByRole('dialog')
          await tabTo(page, dialog.getByLabel('High', { exact: true }))
          await page.keyboard.press('Space')
          await address('high')(page)
          await tabTo(page, dialog.getByRole('combobox', { name: 'Find a vendor' }))
          await page.keyboard.type('apa')
          await dialog.getByRole('option').first().waitFor()
          // Escape closes the suggestions, then empties the field, then closes the filters.
          await page.keyboard.press('Escape')
          await dialog.getByRole('option').first().waitFor({ state: 'hidden' })
          await page.keyboard.press('Escape')
          await page.keyboard.press('Escape')
          await dialog.waitFor({ state: 'hidden' })
        },
      },
      {
        name: 'open the navigation on a phone and follow a link',
        control: button('More pages'),
        keys: ['Enter'],
        effect: async (page) => {
          await tabTo(page, page.getByRole('dialog').getByRole('link', { name: 'Status' }))
          await page.keyboard.press('Enter')
          await heading('Status')(page)
        },
      },
    ],
  },
]

export function describeKeyboard(setup: ConsoleSetup): void {
  describe('Console: actions by keyboard alone', () => {
    it.each(JOURNEYS)('performs every action on $path', async ({ path, width = 1440, actions }) => {
      const { page, open, problems } = await setup.openSignedIn({ viewport: { width, height: 900 } })
      await open(path)
      for (const action of actions) await perform(page, action)
      expect(problems).toEqual([])
    })

    it('signs out', async () => {
      // Signing out ends the session, so this journey has one of its own.
      const { page, signIn, problems } = await setup.openPage()
      await signIn(setup.key)
      await perform(page, {
        name: 'sign out',
        control: button(/^Account /),
        keys: ['Enter'],
        effect: async () => {
          await pressInMenu(page, ['Enter'])
          await page.getByLabel('API key').waitFor()
        },
      })
      expect(problems).toEqual([])
    })
  })
}
