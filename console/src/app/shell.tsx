// The frame around every page: navigation, search field, keys, theme, account.
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { sessionQuery } from '../data/queries.ts'
import { useSession } from '../data/use-session.ts'
import { useLiveUnread } from '../data/watch/use-unread.ts'
import { useCommands } from '../kit/commands.ts'
import { useKeyListener, useKeys } from '../kit/keys.ts'
import { NowContext } from '../kit/now.ts'
import { AccountFoot } from './account-foot.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { type Destination, listSettings, WORK } from './destinations.ts'
import { KeyHelp } from './key-help.tsx'
import { Navigation } from './navigation.tsx'
import { PhoneBar } from './phone-bar.tsx'
import { SearchField } from './search/search-field.tsx'
import { ThemeButton } from './theme-button.tsx'
import { useViewCommands } from './view-links.tsx'

export function Shell({ children = <Outlet /> }: { readonly children?: ReactNode }) {
  const { data } = useQuery(sessionQuery)
  const offsetMs = data?.clockOffsetMs ?? 0
  const getNow = useMemo(() => () => new Date(Date.now() + offsetMs), [offsetMs])
  useKeyListener()
  useLiveUnread(useRouterState({ select: ({ location }) => location.pathname }))
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] print:block">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <div className="hidden border-r border-line bg-panel lg:block print:hidden">
        <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto px-2 py-3">
          <Brand />
          <Navigation />
          <div className="mt-auto pt-3">
            <AccountFoot />
          </div>
        </div>
      </div>
      <div className="min-w-0">
        <header className="sticky top-0 z-20 flex h-13 items-center gap-1 border-b border-line bg-canvas px-3 sm:gap-2 lg:px-6 print:hidden">
          <SearchField />
          <div className="-mr-2 ml-auto flex items-center gap-1 lg:-mr-3">
            <KeyHelp />
            <ThemeButton />
            <AccountMenu />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="max-w-[97.5rem] px-3 pt-3 pb-24 outline-none lg:px-6 lg:pt-5 lg:pb-10">
          <NowContext value={getNow}>{children}</NowContext>
        </main>
      </div>
      <PhoneBar />
      <PageCommands />
    </div>
  )
}

/** Offers the pages to the search field, and opens those for every day with `g` and a letter. */
function PageCommands() {
  const navigate = useNavigate()
  const session = useSession()
  const open = ({ to }: Destination) => void navigate({ to })
  const pages = [...WORK, ...listSettings(session)]
  useViewCommands(session !== undefined)
  useKeys(
    'Go to',
    pages.flatMap((page) =>
      page.letter === undefined ? [] : [{ keys: `g ${page.letter}`, label: page.label, run: () => open(page) }],
    ),
  )
  useCommands(
    'Pages',
    pages.map((page) => ({
      id: page.to,
      label: page.label,
      ...(page.words === undefined ? {} : { words: page.words }),
      ...(page.letter === undefined ? {} : { keys: `g ${page.letter}` }),
      run: () => open(page),
    })),
  )
  return null
}
