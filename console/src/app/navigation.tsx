// The links of the console: a column on wide screens, a dialog on narrow ones.
import { Link } from '@tanstack/react-router'
import {
  Activity,
  BookOpen,
  Bug,
  ChartColumn,
  Globe,
  House,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  ScanSearch,
  ScrollText,
  ShieldAlert,
  Users,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { mayManage } from '../data/role.ts'
import { useSession } from '../data/use-session.ts'
import { FreshnessBadge } from './freshness-badge.tsx'

const LINK =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-ink-2 hover:bg-soft hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent'

interface Destination {
  readonly to: string
  readonly label: string
  readonly icon: LucideIcon
  /** Whether only this exact address counts as the current page, without the addresses below it. */
  readonly isExact?: boolean
}

const EXPLORE: readonly Destination[] = [
  { to: '/', label: 'Overview', icon: House, isExact: true },
  { to: '/cves', label: 'CVEs', icon: Bug },
  { to: '/kev', label: 'Exploited (KEV)', icon: ShieldAlert },
  { to: '/match', label: 'Am I affected?', icon: ScanSearch },
]

const ACCOUNT: readonly (Destination & { readonly isForManagers?: boolean })[] = [
  { to: '/usage', label: 'Usage', icon: ChartColumn },
  { to: '/keys', label: 'Keys', icon: KeyRound, isForManagers: true },
  { to: '/origins', label: 'Origins', icon: Globe, isForManagers: true },
  { to: '/members', label: 'Members', icon: Users, isForManagers: true },
  { to: '/sessions', label: 'Sessions', icon: MonitorSmartphone },
  { to: '/audit', label: 'Audit log', icon: ScrollText, isForManagers: true },
]

interface NavigationProps {
  readonly title?: string
  readonly onNavigate?: () => void
}

export function Navigation({ title, onNavigate }: NavigationProps) {
  const session = useSession()
  // Hides pages that the person's role may not use.
  const account = session ? ACCOUNT.filter((each) => !each.isForManagers || mayManage(session.role)) : []
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5">
      {title && <p className="px-2.5 pt-1 pb-1 leading-tight font-semibold">{title}</p>}
      <LinkGroup title="Explore" links={EXPLORE} onNavigate={onNavigate} />
      {account.length > 0 && <LinkGroup title="Account" links={account} onNavigate={onNavigate} />}
      <LinkGroup title="Service" links={[]} onNavigate={onNavigate}>
        <NavigationLink to="/status" label="Status" icon={Activity} onNavigate={onNavigate}>
          <span className="ml-auto">
            <FreshnessBadge />
          </span>
        </NavigationLink>
        <a href="/docs" className={LINK}>
          <BookOpen aria-hidden size={16} /> API reference
        </a>
      </LinkGroup>
    </nav>
  )
}

interface LinkGroupProps {
  readonly title: string
  readonly links: readonly Destination[]
  readonly onNavigate: (() => void) | undefined
  readonly children?: ReactNode
}

function LinkGroup({ title, links, onNavigate, children }: LinkGroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form.
    <div role="group" aria-labelledby={id} className="flex flex-col gap-0.5">
      <p id={id} className="px-2.5 pt-3 pb-1 text-2xs tracking-wider text-ink-3 uppercase">
        {title}
      </p>
      {links.map(({ to, label, icon, isExact = false }) => (
        <NavigationLink key={to} to={to} label={label} icon={icon} isExact={isExact} onNavigate={onNavigate} />
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
      <Icon aria-hidden size={16} /> {label}
      {children}
    </Link>
  )
}
