// What people do by keyboard alone on the list, on the page of a CVE and on the board of exploited CVEs.
import { expect } from 'vitest'
import {
  address,
  button,
  expectCopied,
  heading,
  type KeyboardAction,
  label,
  link,
  noAddress,
  pressInMenu,
  summary,
  tabTo,
} from './keyboard.ts'

export const LIST_ACTIONS: readonly KeyboardAction[] = [
  {
    name: 'skip to the content',
    control: link('Skip to the content'),
    keys: ['Enter', 'Tab'],
    effect: (page) => page.locator('main :focus').waitFor(),
  },
  { name: 'choose an order', control: label('Order'), keys: ['ArrowDown'], effect: address('sort=level_desc') },
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
    keys: ['Enter'],
    effect: async (page) => {
      const [download] = await Promise.all([page.waitForEvent('download'), pressInMenu(page, ['End', 'Enter'])])
      expect(download.suggestedFilename()).toBe('cves.csv')
    },
  },
  {
    name: 'open all filters, enter a number, choose a vendor and a value of a list',
    control: button(/^Filters/),
    keys: ['Enter'],
    effect: async (page) => {
      const dialog = page.getByRole('dialog')
      await tabTo(page, dialog.getByLabel('In CISA KEV', { exact: true }))
      await page.keyboard.press('Space')
      await address('kev=true')(page)
      await tabTo(page, dialog.getByLabel('EPSS at least', { exact: true }))
      for (const key of ['5', '0', 'Enter']) await page.keyboard.press(key)
      await address('epss_min=0.5')(page)
      await tabTo(page, dialog.getByRole('combobox', { name: 'Find a vendor' }))
      await page.keyboard.type('apa')
      await page.getByRole('listbox').getByText('Apache').first().waitFor()
      await page.keyboard.press('Enter')
      await address('product_vendor=apache')(page)
      await tabTo(page, dialog.getByLabel('Apache', { exact: true }))
      await page.keyboard.press('Space')
      await noAddress('product_vendor')(page)
      await tabTo(page, dialog.getByLabel('Fixed version', { exact: true }))
      await page.keyboard.press('ArrowDown')
      await address('has_fix=true')(page)
      await page.keyboard.press('ArrowUp')
      await noAddress('has_fix')(page)
      await tabTo(page, dialog.locator('summary', { hasText: 'More filters' }))
      await page.keyboard.press('Enter')
      await page.getByText('Sources disagree about').first().waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    },
  },
  {
    name: 'remove a filter',
    control: button('Remove filter Severity: Critical'),
    keys: ['Enter'],
    effect: noAddress('severity'),
  },
  { name: 'show rejected CVEs', control: button('Show them'), keys: ['Enter'], effect: address('rejected=show') },
  { name: 'choose a severity', control: label('High'), keys: ['Space'], effect: address('severity=high') },
  {
    name: 'sort by a column',
    control: button(/^EPSS(, 90 days)?$/),
    keys: ['Enter'],
    effect: address('sort=epss_desc'),
  },
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
    name: 'choose rows, preview them, close the preview and clear the choice',
    control: (page) => page.locator('tbody a').first(),
    keys: ['x', 'j', 'j', 'Shift+X', 'Space'],
    effect: async (page) => {
      const ids = await page.locator('tbody a').allInnerTexts()
      await page.getByRole('complementary', { name: `Preview of ${ids[2]}` }).waitFor()
      await expect.poll(() => page.getByRole('checkbox', { name: /^Choose CVE-/, checked: true }).count()).toBe(3)
      await page.keyboard.press('k')
      await page.getByRole('complementary', { name: `Preview of ${ids[1]}` }).waitFor()
      await page.keyboard.press('Escape')
      await noAddress('preview=')(page)
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('checkbox', { name: /^Choose CVE-/, checked: true }).count()).toBe(0)
    },
  },
  {
    name: 'move between rows and open one',
    control: (page) => page.locator('tbody a').first(),
    keys: ['ArrowDown', 'o'],
    effect: heading(/^CVE-/),
  },
  {
    name: 'follow a link of the navigation',
    control: link('Exploited (KEV)'),
    keys: ['Enter'],
    effect: heading(/^Exploited/),
  },
]

export const CVE_ACTIONS: readonly KeyboardAction[] = [
  {
    name: 'copy the record as JSON',
    control: button('Copy JSON'),
    keys: ['Enter'],
    effect: (page) => expectCopied(page, '{\n  "cve_id": "CVE-2021-44228"'),
  },
  {
    name: 'copy the verdict',
    control: button('Copy verdict'),
    keys: ['Enter'],
    effect: (page) => expectCopied(page, 'P0, act now. Apache Log4j2: Attackers exploit it'),
  },
  {
    name: 'move between the dates of the timeline',
    control: (page) => page.locator('[id^="mark-"][tabindex="0"]'),
    keys: ['ArrowRight'],
    effect: (page) => page.getByRole('status').filter({ hasText: '10 Dec 2021' }).waitFor(),
  },
  {
    name: 'show the deadlines of federal agencies',
    control: summary('Deadlines of US federal agencies CISA BOD 26-04 and KEV'),
    keys: ['Enter'],
    effect: (page) => page.getByText('Due by KEV').waitFor(),
  },
  {
    name: 'choose a tab',
    control: (page) => page.getByRole('tab', { name: /^Fix/ }),
    keys: ['ArrowRight', 'Enter'],
    effect: address('tab=exploits'),
  },
  {
    name: 'open the notes of CISA',
    control: summary('Notes of CISA'),
    keys: ['Enter'],
    effect: (page) => page.locator('details[open]', { hasText: 'Notes of CISA' }).waitFor(),
  },
  {
    name: 'reach the source of an item of evidence',
    control: (page) =>
      page
        .getByRole('region', { name: /^Exploit evidence/ })
        .getByRole('link')
        .first(),
    keys: [],
    effect: (page) => page.locator('main a:focus[href^="https://"]').waitFor(),
  },
  {
    name: 'show the values on which sources differ',
    control: (page) => page.getByRole('tab', { name: /^Exploits/ }),
    keys: ['ArrowRight', 'Enter'],
    effect: async (page) => {
      await address('tab=sources')(page)
      await tabTo(page, button('Only differences')(page))
      await page.keyboard.press('Enter')
      await address('differ=true')(page)
    },
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

export const BOARD_ACTIONS: readonly KeyboardAction[] = [
  {
    name: 'show earlier months',
    control: button(/^Show earlier months/),
    keys: ['Space'],
    effect: address('months=6'),
  },
  { name: 'choose a catalog', control: label('Listed by'), keys: ['ArrowDown'], effect: address('catalog=cisa') },
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
