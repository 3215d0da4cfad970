// The routes of the console. Each page is a separate chunk that is loaded on demand.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { ErrorState } from '../kit/states/error-state.tsx'
import { Loading } from '../kit/states/loading.tsx'
import { managersOnly } from './managers-only.tsx'
import { NotFound } from './not-found.tsx'
import { type PlainSearch, parseSearch, stringifySearch } from './search-string.ts'
import { Shell } from './shell.tsx'

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  // Every query parameter is a string. Each page parses and checks its own parameters.
  validateSearch: (search: Record<string, unknown>) => search as PlainSearch,
})

const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })

const page = <Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => shellRoute, path, component })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../pages/sign-in/page.tsx'), 'SignInPage'),
})

/** The page that links in e-mails lead to. */
const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enter',
  component: lazyRouteComponent(() => import('../pages/enter/page.tsx'), 'EnterPage'),
})

/** The API path of a CVE, for people who know it from there. */
const apiPathRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cve/$cveId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/cves/$cveId', params, replace: true })
  },
})

const pages = [
  page(
    '/',
    lazyRouteComponent(() => import('../pages/today/page.tsx'), 'TodayPage'),
  ),
  page(
    '/cves',
    lazyRouteComponent(() => import('../pages/explorer/page.tsx'), 'ExplorerPage'),
  ),
  page(
    '/cves/$cveId',
    lazyRouteComponent(() => import('../pages/cve/page.tsx'), 'CvePage'),
  ),
  page(
    '/alias/$alias',
    lazyRouteComponent(() => import('../pages/alias/page.tsx'), 'AliasPage'),
  ),
  page(
    '/inbox',
    lazyRouteComponent(() => import('../pages/inbox/page.tsx'), 'InboxPage'),
  ),
  page(
    '/watches',
    lazyRouteComponent(() => import('../pages/watches/page.tsx'), 'WatchesPage'),
  ),
  page(
    '/kev',
    lazyRouteComponent(() => import('../pages/exploited/page.tsx'), 'ExploitedPage'),
  ),
  page(
    '/changes',
    lazyRouteComponent(() => import('../pages/changes/page.tsx'), 'ChangesPage'),
  ),
  page(
    '/match',
    lazyRouteComponent(() => import('../pages/match/page.tsx'), 'MatchPage'),
  ),
  page(
    '/usage',
    lazyRouteComponent(() => import('../pages/usage/page.tsx'), 'UsagePage'),
  ),
  page(
    '/keys',
    managersOnly(
      'Keys',
      lazyRouteComponent(() => import('../pages/keys/page.tsx'), 'KeysPage'),
    ),
  ),
  page(
    '/origins',
    managersOnly(
      'Origins',
      lazyRouteComponent(() => import('../pages/origins/page.tsx'), 'OriginsPage'),
    ),
  ),
  page(
    '/members',
    managersOnly(
      'Members',
      lazyRouteComponent(() => import('../pages/members/page.tsx'), 'MembersPage'),
    ),
  ),
  page(
    '/sessions',
    lazyRouteComponent(() => import('../pages/sessions/page.tsx'), 'SessionsPage'),
  ),
  page(
    '/audit',
    managersOnly(
      'Audit log',
      lazyRouteComponent(() => import('../pages/audit/page.tsx'), 'AuditPage'),
    ),
  ),
  page(
    '/status',
    lazyRouteComponent(() => import('../pages/status/page.tsx'), 'StatusPage'),
  ),
]

/** The kit's page exists only under "npm run dev"; the build removes it. */
const developmentPages = import.meta.env.DEV
  ? [
      page(
        '/kit',
        lazyRouteComponent(() => import('../pages/kit/page.tsx'), 'KitPage'),
      ),
    ]
  : []

export function createConsoleRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      shellRoute.addChildren([...pages, ...developmentPages]),
      signInRoute,
      enterRoute,
      apiPathRoute,
    ]),
    basepath: '/console',
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultPendingComponent: () => <Loading label="Loading the page" />,
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
    notFoundMode: 'root',
  })
}
