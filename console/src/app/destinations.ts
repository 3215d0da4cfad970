// The pages of the navigation: what people work with every day, and apart from it the settings of the account.
import {
  Activity,
  Bell,
  Bug,
  ChartColumn,
  Flame,
  Globe,
  History,
  House,
  Inbox,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  ScanSearch,
  ScrollText,
  Users,
} from 'lucide-react'
import { mayManage } from '../data/role.ts'
import type { Session } from '../data/session.ts'

export interface Destination {
  readonly to: string
  readonly label: string
  /** Label where there is little space. */
  readonly shortLabel?: string
  readonly icon: LucideIcon
  /** Whether only this exact address counts as the current page, without the addresses below it. */
  readonly isExact?: boolean
  /** Letter that opens the page after `g`. */
  readonly letter?: string
  /** Whether the bar at the bottom of narrow screens has it. */
  readonly isInPhoneBar?: boolean
  /** Further words by which the page is found. */
  readonly words?: string
}

export const WORK: readonly Destination[] = [
  {
    to: '/',
    label: 'Today',
    icon: House,
    isExact: true,
    letter: 't',
    isInPhoneBar: true,
    words: 'start overview home',
  },
  { to: '/inbox', label: 'Inbox', icon: Inbox, letter: 'i', isInPhoneBar: true, words: 'events unread news told' },
  {
    to: '/cves',
    label: 'CVEs',
    icon: Bug,
    letter: 'c',
    isInPhoneBar: true,
    words: 'search list explorer vulnerabilities',
  },
  { to: '/changes', label: 'Changes', icon: History, letter: 'h', words: 'week log history what changed' },
  {
    to: '/kev',
    label: 'Exploited (KEV)',
    shortLabel: 'Exploited',
    icon: Flame,
    letter: 'k',
    words: 'board known exploited ransomware',
  },
  {
    to: '/watches',
    label: 'Watches',
    icon: Bell,
    letter: 'w',
    isInPhoneBar: true,
    words: 'alerts notify subscribe tell me feed',
  },
  {
    to: '/match',
    label: 'Am I affected?',
    icon: ScanSearch,
    letter: 'a',
    words: 'scan match sbom components versions',
  },
]

type SettingsPage = Destination & {
  readonly isForManagers?: boolean
  /** Whether the page is there without a session. */
  readonly isPublic?: boolean
}

const SETTINGS: readonly SettingsPage[] = [
  { to: '/usage', label: 'Usage', icon: ChartColumn, words: 'credits month' },
  { to: '/keys', label: 'Keys', icon: KeyRound, isForManagers: true, words: 'api key create rotate revoke' },
  { to: '/origins', label: 'Origins', icon: Globe, isForManagers: true, words: 'cors browser' },
  { to: '/members', label: 'Members', icon: Users, isForManagers: true, words: 'invite roles people' },
  { to: '/sessions', label: 'Sessions', icon: MonitorSmartphone, words: 'signed in browsers' },
  { to: '/audit', label: 'Audit log', icon: ScrollText, isForManagers: true, words: 'who did what' },
  { to: '/status', label: 'Status', icon: Activity, isPublic: true, words: 'feeds freshness data sets' },
]

/** Lists the settings that the person's role may use. */
export function listSettings(session: Session | undefined): readonly Destination[] {
  return SETTINGS.filter(
    ({ isForManagers, isPublic }) =>
      isPublic === true || (session !== undefined && (!isForManagers || mayManage(session.role))),
  )
}
