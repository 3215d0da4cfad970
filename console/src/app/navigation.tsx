// The links of the console: a column on wide screens, a dialog on narrow ones.
import { Link } from '@tanstack/react-router'
import { Activity, BookOpen, Bug, House, type LucideIcon, ScanSearch, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { FreshnessBadge } from './freshness-badge.tsx'

const LINK =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-ink-2 hover:bg-soft hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent'

interface Destination {
  readonly to: string
  readonly label: string
  readonly icon: LucideIcon
  /** Whether only the address itself is marked as the current page, and not addresses below it. */
  readonly isExact?: boolean
}

const CATALOG: readonly Destination[] = [
  { to: '/', label: 'Overview', icon: House, isExact: true },
  { to: '/cves', label: 'CVEs', icon: Bug },
  { to: '/kev', label: 'Exploited (KEV)', icon: ShieldAlert },
  { to: '/match', label: 'Am I affected?', icon: ScanSearch },
]

interface NavigationProps {
  readonly title?: string
  /** Called when a link is followed. */
  readonly onNavigate?: () => void
}

export function Navigation({ title, onNavigate }: NavigationProps) {
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5">
      {title && <p className="px-2.5 pt-1 pb-3.5 leading-tight font-semibold">{title}</p>}
      {CATALOG.map((destination) => (
        <NavigationLink key={destination.to} {...destination} onNavigate={onNavigate} />
      ))}
      <p className="px-2.5 pt-4 pb-1 text-2xs tracking-wider text-ink-3 uppercase">Service</p>
      <NavigationLink to="/status" label="Status" icon={Activity} onNavigate={onNavigate}>
        <span className="ml-auto">
          <FreshnessBadge />
        </span>
      </NavigationLink>
      <a href="/docs" className={LINK}>
        <BookOpen aria-hidden size={16} /> API reference
      </a>
    </nav>
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
      <Icon aria-hidden size={16} /> {label}
      {children}
    </Link>
  )
}
