// The fix plan: the next version of each package, the line that removes most urgency first. On a phone, a row shows the
// same facts in one cell.
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PlannedFix } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { CELL, TableHead } from '../../../kit/tables/table-head.tsx'
import { classNames } from '../../../text/class-names.ts'
import { formatNumber } from '../../../text/format.ts'
import { LevelBadge } from '../level-badge.tsx'
import { Limited } from '../limited.tsx'
import { SubjectLink } from '../subject-link.tsx'
import { describePath, findTopLevel } from './texts.ts'

const HEADERS = [
  { label: 'Level', className: 'w-24 max-md:hidden' },
  { label: 'Package', className: 'w-1/4 max-md:w-auto' },
  { label: 'Upgrade', className: 'w-1/5 max-md:hidden' },
  { label: 'Resolves', className: 'max-md:hidden' },
  { label: 'Remains', className: 'w-1/5 max-md:hidden' },
] as const

export function PlanTable({ plan }: { readonly plan: readonly PlannedFix[] }) {
  return (
    <Limited items={plan}>
      {(shown) => (
        <table className="w-full table-fixed border-collapse">
          <caption className="sr-only">Fix plan: the next version of each package, the most urgent first</caption>
          <TableHead headers={HEADERS} />
          <tbody>
            {shown.map((line) => (
              <PlanRow key={line.indexes.join(' ')} line={line} />
            ))}
          </tbody>
        </table>
      )}
    </Limited>
  )
}

const WIDE = classNames(CELL, 'max-md:hidden')

function PlanRow({ line }: { readonly line: PlannedFix }) {
  const level = <LevelBadge level={findTopLevel(line)} isShort />
  return (
    <tr className="border-t border-line hover:bg-soft/60">
      <td className={WIDE}>{level}</td>
      <td className={CELL}>
        <div className="flex items-start justify-between gap-2">
          <Package line={line} />
          <span className="md:hidden">{level}</span>
        </div>
        <div className="mt-1.5 space-y-1.5 md:hidden">
          <Step line={line} />
          <p className="text-xs text-ink-3">Resolves</p>
          <Resolved line={line} />
          <Rest line={line} />
        </div>
      </td>
      <td className={WIDE}>
        <Step line={line} />
      </td>
      <td className={WIDE}>
        <Resolved line={line} />
      </td>
      <td className={WIDE}>
        <Rest line={line} />
      </td>
    </tr>
  )
}

function Package({ line }: { readonly line: PlannedFix }) {
  const { vendor, product } = line.package
  const path = describePath(line)
  return (
    <div className="min-w-0 break-words">
      <span className="font-medium">{product}</span>
      {vendor !== null && <span className="block text-xs text-ink-3">{vendor}</span>}
      {path !== undefined && <span className="block text-xs text-ink-2">{path}</span>}
      {line.indexes.length > 1 && (
        <span className="block text-xs text-ink-3">{`${formatNumber(line.indexes.length)} components`}</span>
      )}
    </div>
  )
}

const KIND_TONES = { patch: 'neutral', minor: 'low', major: 'medium' } as const

function Step({ line: { from_version: from, to_version: to, kind, seen_in } }: { readonly line: PlannedFix }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 font-mono text-xs">
        <span className="break-all text-ink-2">{from}</span>
        <ArrowRight role="img" aria-label="to" size={13} className="shrink-0 text-ink-3" />
        <span className="font-semibold break-all">{to}</span>
        <Badge tone={KIND_TONES[kind]}>{kind}</Badge>
      </span>
      {seen_in === 'range_end' && (
        <span className="block text-xs text-ink-3">end of an affected range; check that it was released</span>
      )}
    </>
  )
}

function Resolved({ line: { resolves } }: { readonly line: PlannedFix }) {
  return (
    <ul className="space-y-1">
      {resolves.map(({ level, total, ids }) => (
        <li key={level ?? 'none'}>
          <Ids ids={ids} total={total}>
            <span className="font-semibold">{formatNumber(total)}</span> <LevelBadge level={level} isShort />
          </Ids>
        </li>
      ))}
    </ul>
  )
}

/** What the planned version does not resolve, and what it brings. */
function Rest({ line }: { readonly line: PlannedFix }) {
  const { remains_total, remains, introduces_total, introduces } = line
  return (
    <div className="space-y-1 text-sm">
      {remains_total === 0 ? (
        <p className="text-xs text-ink-2">no known match remains</p>
      ) : (
        <Ids ids={remains} total={remains_total}>
          <span className="text-high">{`${formatNumber(remains_total)} ${remains_total === 1 ? 'remains' : 'remain'}:`}</span>
        </Ids>
      )}
      {introduces_total > 0 && (
        <Ids ids={introduces} total={introduces_total}>
          <span className="text-high">{`brings ${formatNumber(introduces_total)} new:`}</span>
        </Ids>
      )}
    </div>
  )
}

const FIRST_IDS = 4

interface IdsProps {
  /** The ids that the answer lists, the most urgent first. */
  readonly ids: readonly string[]
  readonly total: number
  readonly children: ReactNode
}

/** Links for the first ids, and a button for the others. */
function Ids({ ids, total, children }: IdsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? ids : ids.slice(0, FIRST_IDS)
  const hidden = ids.length - FIRST_IDS
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      {children}
      {shown.map((id) => (
        <SubjectLink key={id} id={id} />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="min-h-6 rounded text-xs text-accent hover:underline"
        >
          {isOpen ? 'fewer' : `${formatNumber(hidden)} more`}
        </button>
      )}
      {(hidden <= 0 || isOpen) && total > ids.length && (
        <span className="text-xs text-ink-3">{`and ${formatNumber(total - ids.length)} that the answer does not list`}</span>
      )}
    </span>
  )
}
