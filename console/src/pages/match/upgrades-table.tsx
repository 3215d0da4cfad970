// The affected components, each with the version to upgrade to.
import { ArrowRight } from 'lucide-react'
import { Badge } from '../../kit/badge.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { ComponentName } from './component-name.tsx'
import { Limited } from './limited.tsx'
import type { Upgrade } from './result.ts'

const TONES = {
  P0: 'critical',
  P1: 'high',
  P2: 'medium',
  unrated: 'medium',
  P3: 'low',
  P4: 'neutral',
  none: 'neutral',
} as const

const COLUMNS: readonly Column<Upgrade>[] = [
  {
    id: 'component',
    header: 'Component',
    cell: (upgrade) => (
      <>
        <ComponentName component={upgrade.component} />
        <span className="mt-1 block md:hidden">
          <Counts {...upgrade} />
        </span>
      </>
    ),
    className: 'min-w-36',
  },
  { id: 'upgrade', header: 'Upgrade to', cell: (upgrade) => <Target {...upgrade} /> },
  { id: 'matches', header: 'Matches', cell: (upgrade) => <Counts {...upgrade} />, className: 'max-md:hidden' },
]

export function UpgradesTable({ upgrades }: { readonly upgrades: readonly Upgrade[] }) {
  return (
    <Limited items={upgrades}>
      {(shown) => (
        <Table
          caption="Affected components with the version to upgrade to"
          columns={COLUMNS}
          rows={shown}
          getKey={({ component }) => String(component.index)}
        />
      )}
    </Limited>
  )
}

function Target({ component: { upgrade_to: target } }: Upgrade) {
  if (!target || (target.version === null && target.clean_version === null)) return <Absent text="no version known" />
  if (target.version === null) return <CleanVersion {...target} />
  return (
    <>
      <span className="inline-flex items-center gap-1.5 font-mono text-xs font-semibold break-all text-good">
        <ArrowRight aria-hidden size={13} className="shrink-0" /> {target.version}
      </span>
      {target.seen_in === 'range_end' && (
        <span className="block text-xs text-ink-3">end of an affected range; check that it was released</span>
      )}
      {target.clean_version !== target.version && <CleanVersion {...target} />}
    </>
  )
}

function CleanVersion({ clean_version: version, branch }: NonNullable<Upgrade['component']['upgrade_to']>) {
  if (version === null) return null
  return (
    <span className="block text-xs text-ink-2">
      <span className="font-mono font-semibold break-all text-good">{version}</span>
      {branch === null ? ' ' : ` in branch ${branch} `}has no known match at P0 to P2
    </span>
  )
}

function Counts({ counts }: Upgrade) {
  if (counts.length === 0) return <Absent text="none of the chosen levels" />
  return (
    <span className="flex flex-wrap gap-1">
      {counts.map(([level, count]) => (
        <Badge key={level} tone={TONES[level]}>
          {`${count} ${level === 'none' ? 'without a level' : level}`}
        </Badge>
      ))}
    </span>
  )
}
