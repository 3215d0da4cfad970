// The affected components: their matches by level, the version without a listed match, and the databases that judged
// them.
import { ArrowRight } from 'lucide-react'
import { Absent } from '../../kit/states/absent.tsx'
import { type Column, Table } from '../../kit/tables/table.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatNumber } from '../../text/format.ts'
import { ComponentName } from './component-name.tsx'
import { JudgedBy } from './coverage/judged-by.tsx'
import { LevelBadge } from './level-badge.tsx'
import { Limited } from './limited.tsx'
import { describeUnnamed } from './plan/texts.ts'
import type { Upgrade } from './result.ts'

const COLUMNS: readonly Column<Upgrade>[] = [
  {
    id: 'component',
    header: 'Component',
    cell: (upgrade) => (
      <>
        <ComponentName component={upgrade.component} />
        <div className="mt-1 space-y-1 md:hidden">
          <Counts {...upgrade} />
          <div>
            <span className="text-xs text-ink-3">Without a listed match: </span>
            <Target {...upgrade} />
          </div>
          <JudgedBy component={upgrade.component} />
        </div>
      </>
    ),
    className: 'min-w-36',
  },
  { id: 'matches', header: 'Matches', cell: (upgrade) => <Counts {...upgrade} />, className: 'max-md:hidden' },
  {
    id: 'upgrade',
    header: 'Version without a listed match',
    cell: (upgrade) => <Target {...upgrade} />,
    className: 'max-md:hidden',
  },
  {
    id: 'judged',
    header: 'Judged by',
    cell: ({ component }) => <JudgedBy component={component} />,
    className: 'max-md:hidden',
  },
]

export function UpgradesTable({ upgrades }: { readonly upgrades: readonly Upgrade[] }) {
  return (
    <Limited items={upgrades}>
      {(shown) => (
        <Table
          caption="Affected components with the version that has no listed match"
          columns={COLUMNS}
          rows={shown}
          getKey={({ component }) => String(component.index)}
        />
      )}
    </Limited>
  )
}

function Target({ component }: Upgrade) {
  const target = component.upgrade_to
  if (!target || (target.version === null && target.clean_version === null)) return <Absent text="no version known" />
  const version = { tone: findTone(component), ...target }
  if (target.version === null) return <CleanVersion {...version} />
  const unnamed = describeUnnamed(target)
  return (
    <>
      <span
        className={classNames(
          'inline-flex items-center gap-1.5 font-mono text-xs font-semibold break-all',
          version.tone,
        )}
      >
        <ArrowRight aria-hidden size={13} className="shrink-0" /> {target.version}
      </span>
      {unnamed !== undefined && <span className="block text-xs text-ink-3">{unnamed}</span>}
      {target.clean_version !== target.version && <CleanVersion {...version} />}
    </>
  )
}

/** Green would call the version safe, which only complete and current databases can. */
function findTone({ coverage_gap }: Upgrade['component']): string {
  return coverage_gap === null ? 'text-good' : ''
}

type CleanVersionProps = NonNullable<Upgrade['component']['upgrade_to']> & { readonly tone: string }

function CleanVersion({ clean_version: version, branch, tone }: CleanVersionProps) {
  if (version === null) return null
  return (
    <span className="block text-xs text-ink-2">
      <span className={classNames('font-mono font-semibold break-all', tone)}>{version}</span>
      {branch === null ? ' ' : ` in branch ${branch} `}has no known match at P0 to P2
    </span>
  )
}

function Counts({ counts }: Upgrade) {
  if (counts.length === 0) return <Absent text="none of the chosen levels" />
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {counts.map(([level, count]) => (
        <span key={level} className="inline-flex items-center gap-1 text-sm">
          <span className="font-semibold">{formatNumber(count)}</span>
          <LevelBadge level={level === 'none' ? null : level} isShort />
        </span>
      ))}
    </span>
  )
}
