// Every kind of action of the console by keyboard alone: Tab to the control, press its keys, see the effect.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleSetup } from './journey-setup.ts'

interface KeyboardAction {
  readonly name: string
  readonly path: string
  /** Width of the window; without it, 1440 px. */
  readonly width?: number
  /** The control that Tab must reach. */
  readonly control: (page: Page) => Locator
  /** Keys to press on the control. */
  readonly keys: readonly string[]
  /** Waits for the effect. */
  readonly effect: (page: Page) => Promise<unknown>
}

/** More presses than any page needs from its start to its last control. */
const MAX_PRESSES = 150

const LIST = '/cves?q=apache&severity=critical'
const CVE = '/cves/CVE-2021-44228'

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first()
const label = (name: string) => (page: Page) => page.getByLabel(name, { exact: true }).first()
const address = (text: string) => (page: Page) => page.waitForURL((url) => url.search.includes(text))
const text = (content: string | RegExp) => (page: Page) => page.getByText(content).first().waitFor()

const ACTIONS: readonly KeyboardAction[] = [
  {
    name: 'skip to the content',
    path: LIST,
    control: (page) => page.getByRole('link', { name: 'Skip to the content' }),
    keys: ['Enter', 'Tab'],
    effect: (page) => page.locator('main :focus').waitFor(),
  },
  {
    name: 'follow a link of the navigation',
    path: LIST,
    control: (page) => page.getByRole('link', { name: 'Exploited (KEV)' }),
    keys: ['Enter'],
    effect: (page) => page.getByRole('heading', { name: /^Exploited/ }).waitFor(),
  },
  {
    name: 'sign out',
    path: LIST,
    control: button(/^Account /),
    keys: ['Enter'],
    effect: async (page) => {
      await pressInMenu(page, ['Enter'])
      await page.getByLabel('API key').waitFor()
    },
  },
  {
    name: 'choose an order',
    path: LIST,
    control: label('Order'),
    keys: ['ArrowDown'],
    effect: address('sort=published_asc'),
  },
  {
    name: 'choose a column',
    path: LIST,
    control: button('Columns'),
    keys: ['ArrowDown'],
    effect: async (page) => {
      await pressInMenu(page, ['End', 'ArrowUp', 'Space', 'Escape'])
      await address('columns=')(page)
    },
  },
  {
    name: 'save as CSV',
    path: LIST,
    control: button('CSV'),
    keys: [],
    effect: async (page) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe('cves.csv')
    },
  },
  {
    name: 'remove a filter',
    path: LIST,
    control: button('Remove filter severity: Critical'),
    keys: ['Enter'],
    effect: (page) => page.waitForURL((url) => !url.searchParams.has('severity')),
  },
  {
    name: 'remove all filters',
    path: LIST,
    control: button('Remove all'),
    keys: ['Space'],
    effect: (page) => page.waitForURL((url) => url.search === ''),
  },
  { name: 'choose a severity', path: LIST, control: label('High'), keys: ['Space'], effect: address('high') },
  {
    name: 'choose a value of a list',
    path: LIST,
    control: label('In CISA KEV'),
    keys: ['ArrowDown'],
    effect: address('kev=true'),
  },
  {
    name: 'enter a number',
    path: LIST,
    control: label('EPSS at least'),
    keys: ['5', '0', 'Enter'],
    effect: address('epss_min=0.5'),
  },
  {
    name: 'open further filters',
    path: LIST,
    control: (page) => page.locator('summary', { hasText: 'More filters' }).first(),
    keys: ['Enter'],
    effect: (page) => page.getByText('Status in NVD').first().waitFor(),
  },
  { name: 'sort by a column', path: LIST, control: button('EPSS'), keys: ['Enter'], effect: address('sort=epss_desc') },
  {
    name: 'move between rows and open one',
    path: '/cves?q=log4j&sort=published_asc',
    control: (page) => page.locator('tbody a').first(),
    keys: ['ArrowDown', 'Enter'],
    effect: (page) => page.getByRole('heading', { name: /^CVE-/ }).waitFor(),
  },
  {
    name: 'load more rows',
    path: '/cves',
    control: button('Load 50 more'),
    keys: ['Enter'],
    effect: text(/^(?:9\d|100) of \d+ loaded$/),
  },
  {
    name: 'change the tab of the program texts and copy the text',
    path: LIST,
    control: (page) => page.getByRole('tab', { name: 'curl' }),
    keys: ['ArrowRight', 'Enter', 'Tab', 'Tab', 'Enter'],
    effect: async (page) => {
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('visctl search')
    },
  },
  {
    name: 'show more overdue entries',
    path: '/kev',
    control: button('Show 100 more'),
    keys: ['Space'],
    effect: address('overdue=110'),
  },
  {
    name: 'sort the data sets',
    path: '/status',
    control: button('Records'),
    keys: ['Enter'],
    effect: (page) => page.locator('th[aria-sort=descending]', { hasText: 'Records' }).waitFor(),
  },
  {
    name: 'ask who says so and follow the list to its end',
    path: CVE,
    control: button(/^Who says so: Description/),
    keys: ['Enter'],
    effect: (page) => page.getByRole('dialog', { name: /^Who says so: Description/ }).waitFor(),
  },
  {
    name: 'change the CVSS version',
    path: CVE,
    control: (page) => page.getByRole('tab', { name: /^CVSS 3.1/ }),
    keys: ['ArrowRight', 'Enter'],
    effect: (page) => page.getByRole('tab', { name: /^CVSS 2.0/, selected: true }).waitFor(),
  },
  {
    name: 'show the JSON of the record',
    path: CVE,
    control: button('Show'),
    keys: ['Enter'],
    effect: (page) => page.getByLabel('JSON of the record').waitFor(),
  },
  {
    name: 'open the navigation of a phone and follow a link',
    path: '/',
    width: 390,
    control: button('Open the menu'),
    keys: ['Enter'],
    effect: async (page) => {
      const link = page.getByRole('dialog').getByRole('link', { name: 'Status' })
      await tabTo(page, link)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Status' }).waitFor()
    },
  },
  {
    name: 'open the filters of a phone and choose one',
    path: LIST,
    width: 390,
    control: button(/^Filters/),
    keys: ['Enter'],
    effect: async (page) => {
      await tabTo(page, page.getByRole('dialog').getByLabel('High', { exact: true }))
      await page.keyboard.press('Space')
      await address('high')(page)
    },
  },
]

export function describeKeyboard({ key, openPage, openSignedIn }: ConsoleSetup): void {
  describe('Console: actions by keyboard alone', () => {
    it.each(ACTIONS)('$name on $path', async ({ name, path, width = 1440, control, keys, effect }) => {
      // Signing out ends the session, so that action has one of its own.
      const { page, open, signIn, problems } = await (name === 'sign out' ? openPage() : openSignedIn())
      await page.setViewportSize({ width, height: 900 })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      if (name === 'sign out') await signIn(key)
      await open(path)
      await tabTo(page, control(page))
      for (const pressed of keys) await page.keyboard.press(pressed)
      await effect(page)
      expect(problems).toEqual([])
    })
  })
}

/** Presses keys as soon as the first entry of an open menu has the focus. */
async function pressInMenu(page: Page, keys: readonly string[]): Promise<void> {
  await page.locator('[role^=menuitem]:focus').waitFor()
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if (await element.evaluate((each) => each === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(element)}.`)
}
