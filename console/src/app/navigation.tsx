// The links of the console: a column on wide screens, a bar and a dialog on narrow ones.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { sessionQuery } from '../data/queries.ts'
import { viewsQuery } from '../data/views.ts'
import { type Destination, listSettings, WORK } from './destinations.ts'
import { FreshnessBadge } from './freshness-badge.tsx'
import { InboxCount } from './inbox-count.tsx'
import { ViewLinks } from './view-links.tsx'

const LINK =
  'flex h-7.5 items-center gap-2 rounded-md px-2 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent max-lg:h-10'

interface NavigationProps {
  readonly onNavigate?: () => void
}

/** The links of the column and of the menu on a phone. */
export function Navigation({ onNavigate }: NavigationProps) {
  const { data, isPending } = useQuery(sessionQuery)
  const session = data?.session ?? undefined
  const views = useQuery({ ...viewsQuery, enabled: session !== undefined })
  // The settings stand below the views, so they wait for them. A read that fails does not hold them up.
  const isKnown = !isPending && !(views.isLoading && views.failureCount === 0)
  return (
    <nav aria-label="Main" className="flex flex-col gap-px">
      <LinkGroup title="Work" isTitleHidden links={WORK} onNavigate={onNavigate} />
      {session && <ViewLinks className={LINK} onNavigate={onNavigate} />}
      {isKnown && (
        <LinkGroup title="Settings" links={listSettings(session)} onNavigate={onNavigate}>
          <a href="/docs" className={LINK}>
            <BookOpen aria-hidden size={16} /> API reference
          </a>
        </LinkGroup>
      )}
    </nav>
  )
}

interface LinkGroupProps {
  readonly title: string
  readonly isTitleHidden?: boolean
  readonly links: readonly Destination[]
  readonly onNavigate: (() => void) | undefined
  readonly children?: ReactNode
}

function LinkGroup({ title, isTitleHidden = false, links, onNavigate, children }: LinkGroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form.
    <div role="group" aria-labelledby={id} className="flex flex-col gap-px">
      <p id={id} className={isTitleHidden ? 'sr-only' : 'px-2 pt-4 pb-1 text-xs text-ink-3'}>
        {title}
      </p>
      {links.map((destination) => (
        <NavigationLink key={destination.to} {...destination} onNavigate={onNavigate}>
          {destination.to === '/inbox' && <InboxCount />}
          {destination.to === '/status' && (
            <span className="ml-auto">
              <FreshnessBadge />
            </span>
          )}
        </NavigationLink>
      ))}
      {children}
    </div>
  )
}

type NavigationLinkProps = Destination & {
  readonly onNavigate: (() => void) | undefined
  readonly children?: ReactNode
}

function NavigationLink({ to, label, icon: Icon, isExact = false, onNavigate, children }: NavigationLinkProps) {
  return (
    <Link
      to={to}
      className={LINK}
      activeOptions={{ exact: isExact, includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      {...(onNavigate ? { onClick: onNavigate } : {})}
    >
      <Icon aria-hidden size={16} className="shrink-0" /> {label}
      {children}
    </Link>
  )
}
