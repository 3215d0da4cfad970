// Every page of the console, and every window that a page can open: no serious or critical finding of axe in light and
// dark, on a desktop and on a phone, and every control within reach of the Tab key. Each page is loaded once.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { createLinkToken } from '../../../service/test/support/members.ts'
import { createMember } from './account-journeys.ts'
import type { ConsoleSetup } from './journey-setup.ts'
import {
  findAccessibilityProblems,
  findColorProblems,
  findStructureProblems,
  findUnreachableControls,
  isWiderThanWindow,
} from './page-checks.ts'

interface Overlay {
  /** Name of the button that opens the menu or dialog. */
  readonly button: RegExp
  readonly role: 'menu' | 'dialog'
}

interface PageSpec {
  readonly path: string
  /** Whether the page is for people who manage the account. */
  readonly isForManagers?: boolean
  /** Menus and dialogs by the width of the window. */
  readonly overlays?: Readonly<Partial<Record<(typeof WIDTHS)[number], readonly Overlay[]>>>
}

const WIDTHS = [1440, 390] as const
/** The page of a sign-in link. The fragment of its address is a token. */
const ENTER = '/enter'
const OPEN_WINDOW = ':is([popover]:popover-open, [role=dialog])'
const ACCOUNT: Overlay = { button: /^Account /, role: 'menu' }

const PAGES: readonly PageSpec[] = [
  { path: '/sign-in' },
  { path: '/', overlays: { 1440: [ACCOUNT], 390: [ACCOUNT, { button: /^Open the menu$/, role: 'dialog' }] } },
  {
    path: '/cves?q=apache',
    overlays: { 1440: [{ button: /^Columns$/, role: 'menu' }], 390: [{ button: /^Filters/, role: 'dialog' }] },
  },
  {
    path: '/cves/CVE-2021-44228',
    overlays: {
      1440: [{ button: /^Who says so: Description/, role: 'dialog' }],
      390: [{ button: /^Who says so: KEV/, role: 'dialog' }],
    },
  },
  { path: '/kev' },
  { path: '/match' },
  { path: '/status' },
  { path: ENTER },
  { path: '/usage', isForManagers: true },
  { path: '/keys', isForManagers: true, overlays: { 390: [{ button: /^New key$/, role: 'dialog' }] } },
  { path: '/origins', isForManagers: true },
  { path: '/members', isForManagers: true, overlays: { 390: [{ button: /^Invite$/, role: 'dialog' }] } },
  { path: '/sessions', isForManagers: true, overlays: { 1440: [{ button: /^Sign out everywhere$/, role: 'dialog' }] } },
  { path: '/audit', isForManagers: true },
]

export function describeAccessibility(setup: ConsoleSetup): void {
  const { openPage, openSignedIn } = setup
  /** A member of an account with a key, so that every list of the account has an entry. */
  const createManager = async () => {
    const accountId = await setup.createAccount(
      account('pro').withKey(createTestKey()).withCreditsLeft(100).withOrigins('https://app.example'),
    )
    return (await createMember(setup, 'owner', accountId)).memberId
  }
  describe('Console: accessibility', () => {
    it.each(PAGES)(
      'has no serious axe findings, reaches every control with the Tab key, and complies with its policy: $path',
      async ({ path, overlays = {}, isForManagers = false }) => {
        const isPublic = path === '/sign-in' || path === ENTER
        const session = isForManagers ? { memberId: await createManager() } : {}
        const { page, problems, open } = await (isPublic ? openPage() : openSignedIn(session))
        const found: string[] = []
        await open(path === ENTER ? `${path}#${await createLinkToken(setup.databaseUrl, await createManager())}` : path)
        if (path === ENTER) await page.getByRole('button', { name: 'Sign in' }).waitFor()
        // An error has hardly any control, so it would pass every check below.
        expect(await page.getByRole('alert').filter({ hasText: /\S/ }).allInnerTexts()).toEqual([])
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme: 'light' })
          await expectNoSidewaysScroll(page, width)
          const light = await findAccessibilityProblems(page)
          for (const overlay of overlays[width] ?? []) await checkOverlay(page, overlay)
          if (width === WIDTHS[0] || overlays[width]) {
            expect(await findUnreachableControls(page), `${width} px`).toEqual([])
          }
          await page.emulateMedia({ colorScheme: 'dark' })
          // Dark differs from light in its colors only.
          const dark = await findColorProblems(page)
          found.push(...[...light, ...dark].map((finding) => `${width} px: ${finding}`))
        }
        expect(found).toEqual([])
        expect(problems).toEqual([])
      },
    )
  })
}

async function expectNoSidewaysScroll(page: Page, width: number): Promise<void> {
  // The list follows the width of the window a moment later.
  await expect
    .poll(() => isWiderThanWindow(page), { message: `${width} px: the page scrolls sideways`, timeout: 30_000 })
    .toBe(false)
}

/** Opens a menu or dialog by Enter, checks it in both color schemes, and closes it by Escape, which returns to its button. */
async function checkOverlay(page: Page, { button, role }: Overlay): Promise<void> {
  const trigger = page.getByRole('button', { name: button }).first()
  await trigger.focus()
  await page.keyboard.press('Enter')
  await page.getByRole(role).waitFor()
  expect(await findStructureProblems(page), String(button)).toEqual([])
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findColorProblems(page, OPEN_WINDOW), `${button} ${colorScheme}`).toEqual([])
  }
  expect(await isWiderThanWindow(page), String(button)).toBe(false)
  await page.keyboard.press('Escape')
  await page.getByRole(role).waitFor({ state: 'hidden' })
  await expect.poll(() => trigger.evaluate((each) => each === document.activeElement)).toBe(true)
}
