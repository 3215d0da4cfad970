// All pages of the console with an example address each, and the routes of the router that have none.
import { readFileSync } from 'node:fs'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { createLinkToken } from '../../../service/test/support/members.ts'
import { createMember } from './account-journeys.ts'
import type { ConsoleSetup } from './journey-setup.ts'

export interface Overlay {
  /** Name of the button that opens the menu or dialog. */
  readonly button: RegExp
  readonly role: 'menu' | 'dialog'
}

export interface PageSpec {
  readonly path: string
  /** Whether the page is for people who manage the account. */
  readonly isForManagers?: boolean
  /** Menus and dialogs by the width of the window. */
  readonly overlays?: Readonly<Partial<Record<1440 | 390, readonly Overlay[]>>>
}

/** The page of a sign-in link. The fragment of its address is a token. */
const ENTER = '/enter'
const ACCOUNT: Overlay = { button: /^Account /, role: 'menu' }

export const PAGES: readonly PageSpec[] = [
  { path: '/sign-in' },
  { path: '/', overlays: { 1440: [ACCOUNT], 390: [ACCOUNT, { button: /^More pages$/, role: 'dialog' }] } },
  {
    path: '/cves?q=apache',
    overlays: { 1440: [{ button: /^Columns$/, role: 'menu' }], 390: [{ button: /^Filters/, role: 'dialog' }] },
  },
  { path: '/cves/CVE-2021-44228' },
  { path: '/cves/CVE-2018-13379?tab=sources' },
  { path: '/cves/CVE-2021-44228?tab=exploits' },
  { path: '/alias/GHSA-jfh8-c2jp-5v3q' },
  { path: '/changes', overlays: { 1440: [{ button: /^Filter by priority$/, role: 'menu' }] } },
  { path: '/inbox', isForManagers: true, overlays: { 1440: [{ button: /^All kinds$/, role: 'menu' }] } },
  {
    path: '/watches',
    isForManagers: true,
    overlays: {
      1440: [{ button: /^Use Everything exploited$/, role: 'dialog' }],
      390: [{ button: /^New watch$/, role: 'dialog' }],
    },
  },
  { path: '/kev' },
  { path: '/no-such-page' },
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

/** Pages whose other tabs and states have a layout of their own. */
export const MORE_PAGES: readonly PageSpec[] = [
  { path: '/cves/CVE-2024-3400' },
  { path: '/cves/CVE-2021-44228?tab=references' },
  { path: '/cves/CVE-2021-44228?tab=history' },
  { path: '/cves?preview=CVE-2021-44228' },
  { path: '/cves?view=became-urgent' },
  { path: '/usage?by=key', isForManagers: true },
]

/** Addresses that lead to another page at once, and the page that only "npm run dev" has. */
const NO_PAGES = ['/cve/$cveId', '/kit']

/** Returns the routes of the router without an example in PAGES. */
export function findRoutesWithoutExample(): readonly string[] {
  const router = readFileSync(new URL('../../src/app/router.tsx', import.meta.url), 'utf8')
  const routes = [...router.matchAll(/(?:\bpage\(|\bpath:)\s*'(\/[^']*)'/g)].map(([, path = '']) => path)
  if (routes.length < NO_PAGES.length) throw new Error('router.tsx declares its routes in another way than expected')
  return routes.filter((route) => !NO_PAGES.includes(route) && !PAGES.some(({ path }) => matches(route, path)))
}

function matches(route: string, path: string): boolean {
  const [pathname = ''] = path.split('?')
  const [expected, parts] = [route.split('/'), pathname.split('/')]
  return expected.length === parts.length && expected.every((name, at) => name.startsWith('$') || name === parts[at])
}

/** Opens a page as somebody who may see it. */
export async function openExample(setup: ConsoleSetup, { path, isForManagers = false }: PageSpec, width = 1440) {
  const isPublic = path === '/sign-in' || path === ENTER
  const session = isForManagers ? { memberId: await createManager(setup) } : {}
  const viewport = { width, height: 900 }
  const opened = await (isPublic ? setup.openPage({ viewport }) : setup.openSignedIn({ ...session, viewport }))
  await opened.open(
    path === ENTER ? `${path}#${await createLinkToken(setup.databaseUrl, await createManager(setup))}` : path,
  )
  if (path === ENTER) await opened.page.getByRole('button', { name: 'Sign in' }).waitFor()
  return opened
}

/** A member of an account with a key, so that every list of the account has an entry. */
async function createManager(setup: ConsoleSetup): Promise<string> {
  const accountId = await setup.createAccount(
    account('pro').withKey(createTestKey()).withCreditsLeft(100).withOrigins('https://app.example'),
  )
  return (await createMember(setup, 'owner', accountId)).memberId
}
