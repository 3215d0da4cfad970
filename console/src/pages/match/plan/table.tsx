// The fix plan: the next version of each package, the line that removes most urgency first. A row opens to list the
// findings. On a phone, a row shows the same facts in one cell.
import { ArrowRight, ChevronRight } from 'lucide-react'
import { type MouseEvent, type ReactNode, useId, useState } from 'react'
import type { PlannedFix } from 'vis-sdk'
import { Badge } from '../../../kit/badge.tsx'
import { CELL, TableHead } from '../../../kit/tables/table-head.tsx'
import { classNames } from '../../../text/class-names.ts'
import { formatNumber } from '../../../text/format.ts'
import { LevelBadge } from '../level-badge.tsx'
import { Limited } from '../limited.tsx'
import type { Answer, Match } from '../result.ts'
import { SubjectLink } from '../subject-link.tsx'
import { LevelBar } from './level-bar.tsx'
import { describeInBranch, describePath, describeUnnamed, describeUrgency, findTopLevel, isDoubtful } from './texts.ts'

const HEADERS = [
  { label: 'Level', className: 'w-22 max-md:hidden' },
  { label: 'Package', className: '' },
  { label: 'Upgrade', className: 'w-[30%] max-md:hidden' },
  { label: 'Share by level', className: 'w-36 max-lg:hidden' },
  { label: 'CVEs and advisories', className: 'w-36 max-md:hidden' },
] as const

export function PlanTable({ answer }: { readonly answer: Answer }) {
  return (
    <Limited items={answer.fix_plan}>
      {(shown) => (
        <table className="w-full table-fixed border-collapse">
          <caption className="sr-only">Fix plan: the next version of each package, the most urgent first</caption>
          <TableHead headers={HEADERS} />
          <tbody>
            {shown.map((line) => (
              <PlanRow key={line.indexes.join(' ')} line={line} components={answer.components} />
            ))}
          </tbody>
        </table>
      )}
    </Limited>
  )
}

const WIDE = classNames(CELL, 'max-md:hidden')

interface LineProps {
  readonly line: PlannedFix
  readonly components: Answer['components']
}

function PlanRow({ line, components }: LineProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  /** The button does the same for the keyboard. A link keeps its own meaning, and text can be selected. */
  const toggleByClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a, button') !== null) return
    if (getSelection()?.isCollapsed === false) return
    setIsOpen(!isOpen)
  }
  const level = <LevelBadge level={findTopLevel(line)} isShort />
  const step = (
    <Step line={line} inBranch={describeInBranch(line, components)} isDoubtful={isDoubtful(line, components)} />
  )
  const counts = <Counts line={line} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} detailsId={id} />
  return (
    <>
      <tr className="cursor-pointer border-t border-line hover:bg-hover" onClick={toggleByClick}>
        <td className={WIDE}>{level}</td>
        <td className={CELL}>
          <div className="flex items-start gap-2.5">
            <span className="md:hidden">{level}</span>
            <Package line={line} components={components} />
          </div>
          <div className="mt-1.5 space-y-1.5 md:hidden">
            {step}
            {counts}
          </div>
        </td>
        <td className={WIDE}>{step}</td>
        <td className={classNames(CELL, 'max-lg:hidden')}>
          <span className="block pt-1.5">
            <LevelBar counts={line.resolves} />
          </span>
        </td>
        <td className={WIDE}>{counts}</td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={HEADERS.length} className="bg-soft/60 px-4 py-3">
            <Details line={line} />
          </td>
        </tr>
      )}
    </>
  )
}

/** The package, and why its most urgent finding matters. */
function Package({ line, components }: LineProps) {
  const { vendor, product } = line.package
  const path = describePath(line)
  const top = findTopMatch(line, components)
  return (
    <div className="min-w-0 break-words">
      <span className="font-semibold">{product}</span>{' '}
      {vendor !== null && <span className="text-xs text-ink-3">{vendor}</span>}
      {top && (
        <span className="block text-xs text-ink-2">
          <SubjectLink id={top.id} /> {describeUrgency(top)}
        </span>
      )}
      {path !== undefined && <span className="block text-xs text-ink-3">{path}</span>}
      {line.indexes.length > 1 && (
        <span className="block text-xs text-ink-3">{`${formatNumber(line.indexes.length)} components`}</span>
      )}
    </div>
  )
}

function findTopMatch({ resolves: [first], indexes }: PlannedFix, components: Answer['components']): Match | undefined {
  const id = first?.ids[0]
  return components
    .filter(({ index }) => indexes.includes(index))
    .flatMap(({ matches }) => matches)
    .find((match) => match.id === id)
}

const KIND_TONES = { patch: 'neutral', minor: 'low', major: 'medium' } as const

interface StepProps {
  readonly line: PlannedFix
  /** A version in the installed branch, beside the planned one. */
  readonly inBranch: string | undefined
  /** Whether more may remain than is known: the version is then not green. */
  readonly isDoubtful: boolean
}

function Step({ line, inBranch, isDoubtful: hasDoubt }: StepProps) {
  const { from_version: from, to_version: to, kind } = line
  const unnamed = describeUnnamed(line)
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 font-mono text-xs">
        <span className="break-all text-ink-3">{from}</span>
        <ArrowRight role="img" aria-label="to" size={13} className="shrink-0 text-ink-3" />
        <span className={classNames('font-semibold break-all', !hasDoubt && 'text-good')}>{to}</span>
        <Badge tone={KIND_TONES[kind]}>{kind}</Badge>
      </span>
      {unnamed !== undefined && <span className="block text-xs text-ink-3">{unnamed}</span>}
      {inBranch !== undefined && <span className="block text-xs text-ink-2">{inBranch}</span>}
    </>
  )
}

interface CountsProps {
  readonly line: PlannedFix
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly detailsId: string
}

function Counts({ line, isOpen, onToggle, detailsId }: CountsProps) {
  const { resolves_total: gone, remains_total: remaining, introduces_total: added } = line
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId : undefined}
      onClick={onToggle}
      className="flex min-h-6 w-full items-start justify-between gap-2 rounded text-left hover:text-accent"
    >
      <span>
        <span className="font-semibold">{formatNumber(gone)}</span> {gone === 1 ? 'goes' : 'go'}
        {remaining > 0 && (
          <span className="block text-xs text-high">{`${formatNumber(remaining)} ${remaining === 1 ? 'remains' : 'remain'}`}</span>
        )}
        {added > 0 && <span className="block text-xs text-high">{`brings ${formatNumber(added)} new`}</span>}
        <span className="sr-only">{`: findings of ${line.package.product}`}</span>
      </span>
      <ChevronRight aria-hidden size={16} className={classNames('mt-0.5 shrink-0 text-ink-3', isOpen && 'rotate-90')} />
    </button>
  )
}

/** The findings that go, remain and come, by id. */
function Details({ line }: { readonly line: PlannedFix }) {
  const { resolves, remains, remains_total, introduces, introduces_total } = line
  return (
    <div className="space-y-1.5">
      {resolves.map(({ level, total, ids }) => (
        <Ids key={level ?? 'none'} ids={ids} total={total}>
          <span className="font-semibold">{formatNumber(total)}</span> <LevelBadge level={level} isShort /> go:
        </Ids>
      ))}
      {remains_total === 0 ? (
        <p className="text-sm text-ink-2">No known match remains.</p>
      ) : (
        <Ids ids={remains} total={remains_total}>
          <span className="text-high">{`${formatNumber(remains_total)} ${remains_total === 1 ? 'remains' : 'remain'}:`}</span>
        </Ids>
      )}
      {introduces_total > 0 && (
        <Ids ids={introduces} total={introduces_total}>
          <span className="text-high">{`The version brings ${formatNumber(introduces_total)} new:`}</span>
        </Ids>
      )}
    </div>
  )
}

const FIRST_IDS = 12

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
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-sm">
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
    </p>
  )
}
