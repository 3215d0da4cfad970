// The CVEs whose EPSS score rose, as a table. On a phone, a row shows the same facts in one cell.
import type { EpssMover, EpssMoverPage } from 'vis-sdk'
import { Badge, PriorityBadge } from '../../kit/badge.tsx'
import { CveLink } from '../../kit/cve-link.tsx'
import { Empty } from '../../kit/states/empty.tsx'
import { CELL, TableHead } from '../../kit/tables/table-head.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatProbability } from '../../text/format.ts'
import { describeMove } from './describe-move.ts'

const HEADERS = [
  { label: 'CVE', className: 'w-44 pl-4' },
  { label: 'Priority', className: 'w-28 max-md:hidden' },
  { label: 'Before', className: 'text-right max-md:hidden' },
  { label: 'After', className: 'text-right max-md:hidden' },
  { label: 'Rise', className: 'w-48 pr-4 text-right max-md:hidden' },
] as const

type MoversTableProps = Pick<EpssMoverPage, 'window' | 'items'>

export function MoversTable({ window, items }: MoversTableProps) {
  return (
    <>
      {window.not_comparable_reason === 'model_changed' && (
        <p className="px-4 pb-2 text-sm text-ink-2">
          The EPSS model changed within these days. Scores of two models cannot be compared, so only moves since the
          change are listed.
        </p>
      )}
      {items.length === 0 ? (
        <Empty title="No EPSS score rose">{describeWindow(window)}</Empty>
      ) : (
        <table className="w-full table-fixed border-collapse text-sm">
          <caption className="sr-only">{`Largest rises of EPSS from ${window.from} to ${window.to}`}</caption>
          <TableHead headers={HEADERS} />
          <tbody>
            {items.map((mover) => (
              <MoverRow key={mover.cve_id} mover={mover} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function describeWindow({ from, to }: EpssMoverPage['window']): string {
  return from === null || to === null
    ? 'The service does not have two releases of EPSS yet that it could compare.'
    : `The service compared the releases of ${from} and ${to}.`
}

function MoverRow({ mover }: { readonly mover: EpssMover }) {
  const { cve_id, earlier, later, in_kev, priority_level } = mover
  const marks = (
    <>
      {priority_level && <PriorityBadge level={priority_level} isShort />}
      {in_kev && <Badge tone="high">KEV</Badge>}
    </>
  )
  return (
    <tr className="border-t border-line hover:bg-soft/60">
      <td className={classNames(CELL, 'pl-4')}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <CveLink id={cve_id} />
          <span className="flex gap-1.5 md:hidden">{marks}</span>
        </span>
        <span className="block text-ink-2 md:hidden">
          EPSS {formatProbability(earlier.score)} to {formatProbability(later.score)}, {describeMove(mover)}
        </span>
      </td>
      <td className={classNames(CELL, 'max-md:hidden')}>
        <span className="flex flex-wrap gap-1.5">{marks}</span>
      </td>
      <td className={classNames(CELL, 'text-right whitespace-nowrap text-ink-2 max-md:hidden')}>
        {formatProbability(earlier.score)}
      </td>
      <td className={classNames(CELL, 'text-right font-semibold whitespace-nowrap max-md:hidden')}>
        {formatProbability(later.score)}
      </td>
      <td className={classNames(CELL, 'pr-4 text-right whitespace-nowrap max-md:hidden')}>{describeMove(mover)}</td>
    </tr>
  )
}
