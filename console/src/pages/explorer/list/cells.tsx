// The cell contents of the list. A cell without a value shows a dash.
import type { ReactNode } from 'react'
import { Badge, PriorityBadge, SeverityBadge } from '../../../kit/badge.tsx'
import { useNow } from '../../../kit/now.ts'
import { StateChip } from '../../../kit/triage/state-chip.tsx'
import { formatDay } from '../../../text/format.ts'
import { findScoreVersion } from '../../../text/severity.ts'
import { formatShortAge } from '../../../text/short-age.ts'
import { chooseFixWord } from '../../../text/verdict/fix-word.ts'
import type { ColumnId } from '../columns.ts'
import { listExploitation } from '../exploitation.ts'
import { listProductNames } from '../products.ts'
import { joinFacts, listDecidingFacts } from '../reasons.ts'
import { hasNamedFix, type Row } from '../row.ts'
import { Dash } from './dash.tsx'
import { EpssCell } from './epss-cell.tsx'

export const CELLS: Readonly<Record<ColumnId, (row: Row, isNarrow: boolean) => ReactNode>> = {
  priority: (row) => <LevelCell row={row} />,
  products: (row) => <Products row={row} />,
  exploitation: (row) => <Exploitation row={row} />,
  epss: (row, isNarrow) => <EpssCell row={row} isNarrow={isNarrow} />,
  severity: ({ severity, cvss }) =>
    typeof severity === 'number' ? (
      <SeverityBadge score={severity} version={findScoreVersion(cvss)} isShort />
    ) : (
      <Dash means="no score" />
    ),
  fix: (row) => <Fix row={row} />,
  state: ({ triage = [] }, isNarrow) =>
    triage.length === 0 ? <Dash means="no state" /> : <StateChip entries={triage} isShort={isNarrow} />,
  reasons: (row) => <Reasons row={row} />,
  exploited: ({ kev }) => (kev ? <Day time={kev.dateAdded} /> : <Dash means="not in KEV" />),
  vector: ({ enrichment }) => enrichment?.attack_vector ?? <Dash means="not stated" />,
  status: ({ status }) => status ?? <Dash means="not stated" />,
  modified: ({ modified }) => (modified ? <Day time={modified} /> : <Dash means="not stated" />),
  published: (row) => <Age row={row} />,
}

/** The level, with its first reason as the title. */
export function LevelCell({ row: { priority } }: { readonly row: Row }) {
  const level = priority?.level
  if (!level) return <Dash means="no level" />
  return (
    <span title={priority.reasons[0]}>
      <PriorityBadge level={level} isShort />
    </span>
  )
}

/** The vendor above the product, and how many more products there are. The title lists them. */
function Products({ row }: { readonly row: Row }) {
  const names = listProductNames(row)
  const [first, ...others] = names
  if (!first) return <Dash means="no product named" />
  const all = names.slice(0, 20).map(({ vendor, product }) => `${vendor} ${product}`)
  return (
    <span className="block" title={all.join('\n')}>
      <span className="block truncate">{first.vendor}</span>
      <span className="flex gap-1 text-xs text-ink-3">
        <span className="truncate" title={first.product}>
          {first.product}
        </span>
        {others.length > 0 && <span>{`+${others.length}`}</span>}
      </span>
    </span>
  )
}

export function Exploitation({ row }: { readonly row: Row }) {
  const facts = listExploitation(row)
  if (facts.length === 0) return <Dash means="no exploitation known" />
  return (
    <span title={facts.map(({ label }) => label).join(' ')} className="flex max-h-11 flex-wrap gap-0.5 overflow-hidden">
      {facts.map(({ id, label, title, isUsed }) => (
        <Badge key={id} tone={isUsed ? 'critical' : 'high'} title={title}>
          {label}
        </Badge>
      ))}
    </span>
  )
}

export function Fix({ row }: { readonly row: Row }) {
  if (!hasNamedFix(row)) return <Dash means="no fix named" />
  const versions = (row.fixes ?? []).map(({ product, version }) => `${product} ${version}`.trim())
  return (
    <Badge
      tone={versions.length > 0 ? 'good' : 'neutral'}
      title={versions.length > 0 ? versions.join('\n') : 'A source says that a fix exists, but names no version.'}
    >
      {chooseFixWord(row)}
    </Badge>
  )
}

/** The deciding facts, then the API's sentences, strongest first. Only sentences are truncated. */
export function Reasons({ row }: { readonly row: Row }) {
  const facts = joinFacts(listDecidingFacts(row)).replaceAll(' %', '\u{a0}%')
  const sentences = row.priority?.reasons ?? []
  return (
    <span className="line-clamp-2 text-xs leading-4 break-words" title={sentences.join('\n')}>
      {facts !== '' && <span className="font-medium text-ink">{facts}</span>}{' '}
      <span className="text-ink-2">{sentences.join(' ')}</span>
    </span>
  )
}

export function Age({ row: { published } }: { readonly row: Row }) {
  const now = useNow()
  if (!published) return <Dash means="publication day not stated" />
  return (
    <time dateTime={published} title={`published ${formatDay(published)}`} className="whitespace-nowrap text-ink-3">
      {formatShortAge(published, now)}
    </time>
  )
}

function Day({ time }: { readonly time: string }) {
  return <span className="whitespace-nowrap text-ink-2">{formatDay(time)}</span>
}
