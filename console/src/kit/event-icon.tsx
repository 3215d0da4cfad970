import { CodeXml, Flag, Flame, type LucideIcon, Pencil, TrendingUp, Wrench } from 'lucide-react'
import type { EventKind } from '../text/event.ts'

const ICONS: Readonly<Record<EventKind, readonly [icon: LucideIcon, tone: string]>> = {
  exploited: [Flame, 'text-critical'],
  exploit: [CodeXml, 'text-high'],
  trend: [TrendingUp, 'text-high'],
  level: [Flag, 'text-high'],
  fix: [Wrench, 'text-good'],
  other: [Pencil, 'text-ink-3'],
}

/** The sign of an event. The words beside it say the same. */
export function EventIcon({ kind }: { readonly kind: EventKind }) {
  const [Icon, tone] = ICONS[kind]
  return <Icon aria-hidden size={16} className={`shrink-0 ${tone}`} />
}
