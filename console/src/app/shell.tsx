// The frame around every page: navigation, search box, account.
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { sessionQuery } from '../data/queries.ts'
import { NowContext } from '../kit/now.ts'
import { AccountFoot } from './account-foot.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Navigation } from './navigation.tsx'
import { PhoneMenu } from './phone-menu.tsx'
import { SearchBox } from './search-box.tsx'

export function Shell() {
  const { data } = useQuery(sessionQuery)
  const offsetMs = data?.clockOffsetMs ?? 0
  const getNow = useMemo(() => () => new Date(Date.now() + offsetMs), [offsetMs])
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <div className="hidden border-r border-line bg-panel lg:block">
        <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto px-3 py-4">
          <Navigation title="Vulnerability Intelligence" />
          <AccountFoot />
        </div>
      </div>
      <div className="min-w-0">
        <header className="sticky top-0 z-20 flex items-center gap-2 border-b border-line bg-panel px-3 py-2.5 sm:gap-3 sm:px-5 lg:px-7">
          <PhoneMenu />
          <SearchBox />
          <AccountMenu />
        </header>
        <main id="main" tabIndex={-1} className="max-w-[90rem] px-3 pt-4 pb-16 outline-none sm:px-5 lg:px-7 lg:pt-5">
          <NowContext value={getNow}>
            <Outlet />
          </NowContext>
        </main>
      </div>
    </div>
  )
}
