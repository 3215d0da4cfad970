// Every kind of action of the console by keyboard alone: Tab to the control, press its keys, see the effect. The actions of
// a page run one after the other on the same page, in the order of its controls.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

interface KeyboardAction {
  readonly name: string
  /** The control that Tab must reach. */
  readonly control: (page: Page) => Locator
  /** Keys to press on the control. */
  readonly keys: readonly string[]
  /** Waits for the effect. */
  readonly effect: (page: Page) => Promise<unknown>
}

interface KeyboardJourney {
  readonly path: string
  /** Width of the window; without it, 1440 px. */
  readonly width?: number
  readonly actions: readonly KeyboardAction[]
}

/** More presses than any page needs from its start to its last control. */
const MAX_PRESSES = 150

const LIST = '/cves?q=apache&severity=critical'

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first()
const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first()
const label = (name: string) => (page: Page) => page.getByLabel(name, { exact: true }).first()
const summary = (text: string) => (page: Page) => page.locator('summary', { hasText: text }).first()
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor()
const address = (text: string) => (page: Page) => page.waitForURL((url) => url.search.includes(text))
const noAddress = (text: string) => (page: Page) => page.waitForURL((url) => !url.search.includes(text))

const LIST_ACTIONS: readonly KeyboardAction[] = [
  {
    name: 'skip to the content',
    control: link('Skip to the content'),
    keys: ['Enter', 'Tab'],
    effect: (page) => page.locator('main :focus').waitFor(),
  },
  { name: 'choose an order', control: label('Order'), keys: ['ArrowDown'], effect: address('sort=priority_desc') },
  {
    name: 'choose a column',
    control: button('Columns'),
    keys: ['ArrowDown'],
    effect: async (page) => {
      await pressInMenu(page, ['End', 'ArrowUp', 'Space', 'Escape'])
      await address('columns=')(page)
    },
  },
  {
    name: 'reset the columns',
    control: button('Columns'),
    keys: ['Enter'],
    effect: async (page) => {
      await pressInMenu(page, ['End', 'Enter'])
      await noAddress('columns=')(page)
    },
  },
  {
    name: 'save as CSV',
    control: button('CSV'),
    keys: [],
    effect: async (page) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe('cves.csv')
    },
  },
  {
    name: 'remove a filter',
    control: button('Remove filter severity: Critical'),
    keys: ['Enter'],
    effect: noAddress('severity'),
  },
  { name: 'show rejected CVEs', control: button('Show them'), keys: ['Enter'], effect: address('rejected=show') },
  { name: 'choose a severity', control: label('High'), keys: ['Space'], effect: address('severity=high') },
  { name: 'choose a fact', control: label('In CISA KEV'), keys: ['Space'], effect: address('kev=true') },
  {
    name: 'enter a number',
    control: label('EPSS at least'),
    keys: ['5', '0', 'Enter'],
    effect: address('epss_min=0.5'),
  },
  {
    name: 'choose a suggested vendor and remove it',
    control: (page) => page.getByRole('combobox', { name: 'Find a vendor' }),
    keys: [...'apa'],
    effect: async (page) => {
      await page.getByRole('listbox').getByText('apache').first().waitFor()
      await page.keyboard.press('Enter')
      await address('product_vendor=apache')(page)
      await tabTo(page, label('apache')(page))
      await page.keyboard.press('Space')
      await noAddress('product_vendor')(page)
    },
  },
  {
    name: 'choose a value of a list, and any value again',
    control: label('Fixed version'),
    keys: ['ArrowDown'],
    effect: async (page) => {
      await address('has_fix=true')(page)
      await page.keyboard.press('ArrowUp')
      await noAddress('has_fix')(page)
    },
  },
  {
    name: 'open further filters',
    control: summary('More filters'),
    keys: ['Enter'],
    effect: (page) => page.getByText('Sources disagree about').first().waitFor(),
  },
  { name: 'sort by a column', control: button('EPSS'), keys: ['Enter'], effect: address('sort=epss_desc') },
  {
    name: 'copy the search as curl, as visctl and as TypeScript',
    control: (page) => page.getByRole('tab', { name: 'curl' }),
    keys: ['Tab', 'Tab', 'Enter'],
    effect: async (page) => {
      await expectCopied(page, 'curl --get')
      for (const beginning of ['visctl search', "import { createClient } from 'vis-sdk'"]) {
        for (const key of ['Shift+Tab', 'Shift+Tab', 'ArrowRight', 'Enter', 'Tab', 'Tab', 'Enter'])
          await page.keyboard.press(key)
        await expectCopied(page, beginning)
      }
    },
  },
  {
    name: 'remove all filters',
    control: button('Remove all'),
    keys: ['Space'],
    effect: (page) => page.getByText(/^50 of \d+ loaded$/).waitFor(),
  },
  {
    name: 'skip the filters',
    control: link('Skip the filters'),
    keys: ['Enter', 'Tab'],
    effect: (page) => page.locator('#list :focus').waitFor(),
  },
  {
    name: 'move between rows and open one',
    control: (page) => page.locator('tbody a').first(),
    keys: ['ArrowDown', 'Enter'],
    effect: heading(/^CVE-/),
  },
  {
    name: 'follow a link of the navigation',
    control: link('Exploited (KEV)'),
    keys: ['Enter'],
    effect: heading(/^Exploited/),
  },
]

const CVE_ACTIONS: readonly KeyboardAction[] = [
  {
    name: 'copy the record as JSON',
    control: button('Copy JSON'),
    keys: ['Enter'],
    effect: (page) => expectCopied(page, '{\n  "cve_id": "CVE-2021-44228"'),
  },
  {
    name: 'ask who says so and close the list',
    control: button(/^Who says so: Description/),
    keys: ['Enter'],
    effect: async (page) => {
      const dialog = page.getByRole('dialog', { name: /^Who says so: Description/ })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    },
  },
  {
    name: 'open the notes of CISA',
    control: summary('Notes of CISA'),
    keys: ['Enter'],
    effect: (page) => page.locator('details[open]', { hasText: 'Notes of CISA' }).waitFor(),
  },
  {
    name: 'reach the source of an event in the table of the timeline',
    control: (page) =>
      page
        .getByRole('region', { name: /^Exploit evidence/ })
        .getByRole('link')
        .first(),
    keys: [],
    effect: (page) => page.locator('main a:focus[href^="https://"]').waitFor(),
  },
  {
    name: 'change the CVSS version',
    control: (page) => page.getByRole('tab', { name: /^CVSS 3.1/ }),
    keys: ['ArrowRight', 'Enter'],
    effect: (page) => page.getByRole('tab', { name: /^CVSS 2.0/, selected: true }).waitFor(),
  },
  {
    name: 'copy the vector of CVSS 2.0',
    control: button('Copy the vector'),
    keys: ['Space'],
    effect: (page) => expectCopied(page, 'AV:N/'),
  },
  {
    name: 'show the JSON of the record',
    control: button('Show'),
    keys: ['Enter'],
    effect: (page) => page.getByLabel('JSON of the record').waitFor(),
  },
]

const BOARD_ACTIONS: readonly KeyboardAction[] = [
  { name: 'choose a catalog', control: label('Listed by'), keys: ['ArrowDown'], effect: address('catalog=cisa') },
  {
    name: 'show more overdue entries',
    control: button(/^Show the other/),
    keys: ['Space'],
    effect: address('overdue=110'),
  },
  {
    name: 'enter a vendor',
    control: label('Vendor or product'),
    keys: [...'Fortinet'],
    effect: address('vendor=Fortinet'),
  },
  {
    name: 'choose ransomware only, and all again',
    control: label('Ransomware known'),
    keys: ['Space'],
    effect: async (page) => {
      await address('ransomware=true')(page)
      await page.keyboard.press('Space')
      await noAddress('ransomware')(page)
    },
  },
  {
    name: 'rank the entries by priority',
    control: link(/^Rank these 5 CVEs/),
    keys: ['Enter'],
    effect: address('sort=priority_desc'),
  },
]

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
        control: button('Open the menu'),
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

async function perform(page: Page, { name, control, keys, effect }: KeyboardAction): Promise<void> {
  try {
    await tabTo(page, control(page))
    for (const key of keys) await page.keyboard.press(key)
    await effect(page)
  } catch (error) {
    throw new Error(`The action "${name}" fails by keyboard.`, { cause: error })
  }
}

/** Waits until the clipboard holds a text with this beginning. */
async function expectCopied(page: Page, beginning: string): Promise<void> {
  const read = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(async () => (await read()).slice(0, beginning.length)).toBe(beginning)
}

/** Presses keys as soon as the first entry of an open menu has the focus. */
async function pressInMenu(page: Page, keys: readonly string[]): Promise<void> {
  await page.locator('[role^=menuitem]:focus').waitFor()
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  let handle = await element.elementHandle()
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    // A search by role or label takes longer than all else here, so it is repeated only if the page replaced the element.
    const state = await handle?.evaluate((each) =>
      each === each.ownerDocument.activeElement ? 'focused' : each.isConnected ? 'waiting' : 'replaced',
    )
    if (state === 'focused') return
    if (state === 'replaced') handle = await element.elementHandle()
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(element)}.`)
}
