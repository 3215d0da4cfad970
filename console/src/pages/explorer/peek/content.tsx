// What the preview says about a CVE besides its verdict. The list already has all of it.
import type { ReactNode } from 'react'
import { PRIORITY_WORDS } from 'vis-sdk/vocabulary'
import { Badge, PriorityBadge } from '../../../kit/badge.tsx'
import { capitalise, formatDay, formatScore } from '../../../text/format.ts'
import { findScoreVersion, toSeverityLevel } from '../../../text/severity.ts'
import { chooseFixWord } from '../../../text/verdict/fix-word.ts'
import { listExploitation } from '../exploitation.ts'
import { Epss } from '../list/epss-cell.tsx'
import { describeCve } from '../list/name.ts'
import { listProductNames } from '../products.ts'
import type { Row } from '../row.ts'

/** The facts of the row, until the record is there. */
export function PeekHead({ row }: { readonly row: Row }) {
  const { priority, published } = row
  const { title, summary } = describeCve(row)
  return (
    <section aria-busy className="space-y-3 rounded-[10px] border border-line bg-panel p-3.5 shadow-panel">
      <div className="flex items-start gap-3">
        {priority?.level && (
          <span className="mt-0.5 grid shrink-0 justify-items-center gap-0.5 text-xs text-ink-2">
            <PriorityBadge level={priority.level} isShort />
            {priority.level !== 'unrated' && PRIORITY_WORDS[priority.level]}
          </span>
        )}
        <div className="min-w-0">
          <h2 title={title} className="line-clamp-2 text-base leading-5 font-semibold break-words">
            {title}
          </h2>
          <p className="mt-0.5 text-xs text-ink-3">
            <span className="font-mono font-semibold">{row.cve_id}</span>{' '}
            {published && `published ${formatDay(published)}`}
          </p>
        </div>
      </div>
      {summary !== '' && (
        <p title={summary} className="line-clamp-3 text-sm break-words text-ink-2">
          {summary}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Gauge label="Exploited">
          <Exploited row={row} />
        </Gauge>
        <Gauge label="Fix">
          <Fixes row={row} />
        </Gauge>
        <Gauge label="EPSS">
          <Epss score={row.epss?.score} />
        </Gauge>
        <Gauge label="CVSS">
          <Score row={row} />
        </Gauge>
      </dl>
    </section>
  )
}

interface PeekBodyProps {
  readonly row: Row
  /** What the account has decided. */
  readonly children: ReactNode
}

/** What the verdict does not say: what the account has decided, why the level, and which products. */
export function PeekBody({ row, children }: PeekBodyProps) {
  return (
    <>
      {children}
      <section>
        <h3 className="mb-1 text-xs font-medium text-ink-3">Why this level</h3>
        <ul className="list-disc space-y-1 pl-4 text-sm text-ink-2 marker:text-ink-3">
          {(row.priority?.reasons ?? []).map((reason) => (
            <li key={reason} className="[overflow-wrap:anywhere]">
              {reason}
            </li>
          ))}
        </ul>
      </section>
      <ProductList row={row} />
    </>
  )
}

function Gauge({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="font-semibold break-words">{children}</dd>
    </div>
  )
}

function Exploited({ row }: { readonly row: Row }) {
  const facts = listExploitation(row)
  if (facts.length === 0) return <span className="font-normal text-ink-2">not known</span>
  return (
    <span className="flex flex-wrap gap-1 font-normal">
      {facts.map(({ id, label, title, isUsed }) => (
        <Badge key={id} tone={isUsed ? 'critical' : 'high'} title={title}>
          {label}
        </Badge>
      ))}
    </span>
  )
}

/** Fixes of distributions are left out, as long as there are fixes of the product itself. */
function Fixes({ row: { fixes = [], enrichment } }: { readonly row: Row }) {
  const own = fixes.filter(({ downstream }) => downstream !== true)
  const [first, ...others] = own.length > 0 ? own : fixes
  if (!first) return <span className="font-normal text-ink-2">{chooseFixWord({ fixes, enrichment })}</span>
  return (
    <>
      <span className="font-mono text-xs break-all">{first.version}</span>
      <span className="block text-xs font-normal text-ink-3">
        {first.product} {others.length > 0 && `and ${others.length} more`}
      </span>
    </>
  )
}

function Score({ row: { severity, cvss, priority } }: { readonly row: Row }) {
  if (typeof severity !== 'number') return <Badge tone="unrated">{priority?.awaiting ? 'awaited' : 'no score'}</Badge>
  const level = toSeverityLevel(severity, findScoreVersion(cvss))
  return (
    <>
      {formatScore(severity)} <span className="text-sm font-normal text-ink-2">{capitalise(level)}</span>
    </>
  )
}

const MAX_PRODUCTS = 6

function ProductList({ row }: { readonly row: Row }) {
  const names = listProductNames(row)
  if (names.length === 0) return null
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-ink-3">Products</h3>
      <ul className="space-y-0.5 text-sm">
        {names.slice(0, MAX_PRODUCTS).map(({ vendor, product }) => (
          <li key={`${vendor} ${product}`} className="break-words">
            {product} <span className="text-xs text-ink-3">{vendor}</span>
          </li>
        ))}
      </ul>
      {names.length > MAX_PRODUCTS && <p className="text-xs text-ink-3">{`and ${names.length - MAX_PRODUCTS} more`}</p>}
    </section>
  )
}
