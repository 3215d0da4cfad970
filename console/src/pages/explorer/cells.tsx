// The cell contents of the list.
import type { ReactNode } from 'react'
import { PriorityBadge, SeverityBadge } from '../../kit/badge.tsx'
import { Absent } from '../../kit/states/absent.tsx'
import { classNames } from '../../text/class-names.ts'
import { formatDay, formatProbability } from '../../text/format.ts'
import { findScoreVersion } from '../../text/severity.ts'
import { toSummary } from '../../text/summary.ts'
import type { ColumnId, Row } from './columns.ts'
import { listProducts } from './products.ts'
import { joinFacts, listDecidingFacts } from './reasons.ts'

export const CELLS: Readonly<Record<ColumnId, (row: Row) => ReactNode>> = {
  priority: ({ priority }) => <Priority priority={priority} />,
  severity: ({ severity, cvss }) => <Score score={severity} version={findScoreVersion(cvss)} />,
  products: (row) => (
    <span className="text-xs leading-4">
      <Products row={row} />
    </span>
  ),
  summary: ({ description }) => <Clipped text={toSummary(description)} />,
  reasons: (row) => <Reasons row={row} />,
  epss: ({ epss }) => <Epss score={epss?.score} />,
  exploited: ({ kev }) => <Exploited kev={kev} />,
  published: ({ published }) => <Day time={published} />,
  modified: ({ modified }) => <Day time={modified} />,
  status: ({ status }) => status,
  vector: ({ enrichment }) => enrichment?.attack_vector ?? <Absent text="unknown" />,
  exploit: ({ enrichment }) => (enrichment?.exploit_flag ? 'public' : <Absent text="none known" />),
  fix: ({ enrichment }) => (enrichment?.patch_available ? 'named' : <Absent text="none named" />),
}

interface ReasonsProps {
  readonly row: Row
  readonly className?: string
}

/** The deciding facts, then the API's sentences, strongest first. Only sentences are truncated. */
export function Reasons({ row, className = 'line-clamp-2 text-xs leading-4' }: ReasonsProps) {
  const facts = joinFacts(listDecidingFacts(row)).replaceAll(' %', '\u{a0}%')
  const sentences = row.priority?.reasons ?? []
  return (
    <span className={classNames('break-words', className)} title={sentences.join('\n')}>
      {facts !== '' && <span className="font-medium text-ink">{facts}</span>}{' '}
      <span className="text-ink-2">{sentences.join(' ')}</span>
    </span>
  )
}

/** The level, with its first reason as the title. */
export function Priority({ priority }: { readonly priority: Row['priority'] }) {
  const level = priority?.level
  if (!level) return <Absent text="none" />
  return (
    <span title={priority.reasons[0]}>
      <PriorityBadge level={level} isShort />
    </span>
  )
}

/** "None" would be the severity of a score of 0.0, so a CVE without a score gets a different text. */
function Score({ score, version }: { readonly score: Row['severity']; readonly version: string | undefined }) {
  if (typeof score !== 'number') return <Absent text="no score" />
  return <SeverityBadge score={score} version={version} isShort />
}

/** The first product and how many more there are, on at most two lines. The title lists them all. */
export function Products({ row }: { readonly row: Row }) {
  const names = listProducts(row)
  const [first, ...others] = names
  if (first === undefined) return <Absent text="unknown" />
  return (
    <span className="line-clamp-2 break-words" title={names.slice(0, 20).join('\n')}>
      {first} {others.length > 0 && <span className="text-ink-3">+{others.length}</span>}
    </span>
  )
}

/** The beginning of a text, on two lines. The title shows more of it. */
function Clipped({ text }: { readonly text: string }) {
  return (
    <span className="line-clamp-2 text-xs leading-4 break-words" title={text.slice(0, 600)}>
      {text}
    </span>
  )
}

interface EpssProps {
  readonly score: number | undefined
  readonly isBarHidden?: boolean
}

export function Epss({ score, isBarHidden = false }: EpssProps) {
  if (score === undefined) {
    return (
      <span className="block text-right">
        <Absent text="no value" />
      </span>
    )
  }
  if (isBarHidden) return <span className="whitespace-nowrap">{formatProbability(score)}</span>
  return (
    <span className="flex items-center justify-end gap-1 whitespace-nowrap">
      <svg aria-hidden viewBox="0 0 20 6" className="h-1.5 w-5 shrink-0 rounded-full bg-soft">
        <rect width={Math.max(1, score * 20)} height="6" rx="3" className="fill-high" />
      </svg>
      <span className="w-16 text-right">{formatProbability(score)}</span>
    </span>
  )
}

export function Exploited({ kev }: { readonly kev: Row['kev'] }) {
  if (!kev) return <Absent text="no" />
  return (
    <span className="flex flex-wrap gap-x-1.5 leading-4 whitespace-nowrap">
      {formatDay(kev.dateAdded)}
      {kev.knownRansomware && <span className="text-2xs font-semibold text-critical">Ransomware</span>}
    </span>
  )
}

function Day({ time }: { readonly time: string | null | undefined }) {
  return time ? <span className="whitespace-nowrap text-ink-2">{formatDay(time)}</span> : <Absent text="unknown" />
}
