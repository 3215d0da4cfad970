// What to upgrade to, by branch, and the way to the check of one's own version.
import { Link } from '@tanstack/react-router'
import { ScanSearch } from 'lucide-react'
import type { Cve } from 'vis-sdk'
import { formatNumber } from '../../text/format.ts'
import { describeSource } from '../../text/source-names.ts'
import { buildFixStrip, type FixRow, type FixStrip as Strip } from '../../text/verdict/fix-rows.ts'
import { toMatchText } from '../../text/verdict/match-text.ts'
import { OTHERS_NOT_CONSIDERED } from '../../text/verdict/sentence.ts'
import { Badge } from '../badge.tsx'
import { buttonClasses } from '../controls/button.tsx'

const MAX_ROWS = 3

export function FixStrip({ cve, missing }: { readonly cve: Cve; readonly missing: string }) {
  const strip = buildFixStrip(cve, MAX_ROWS)
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">Fix</h3>
        {strip && (
          <span className="min-w-0 text-xs text-ink-2 [overflow-wrap:anywhere]">
            <bdi>{strip.product}</bdi>, named by {listSources(strip)}
          </span>
        )}
        <CheckLink cve={cve} />
      </div>
      {strip ? <Rows strip={strip} /> : <p className="text-sm text-ink-2">{missing}</p>}
    </div>
  )
}

function listSources({ rows }: Strip): string {
  return [...new Set(rows.map(({ source }) => describeSource(source)))].join(', ')
}

function CheckLink({ cve }: { readonly cve: Cve }) {
  const text = toMatchText(cve)
  if (text === undefined) return null
  return (
    <Link
      to="/match"
      search={{ check: text, cve: cve.cve_id }}
      className={`${buttonClasses('primary')} ml-auto print:hidden`}
    >
      <ScanSearch aria-hidden size={14} />
      Check my version
    </Link>
  )
}

function Rows({ strip: { product, rows, moreBranches, moreProducts } }: { readonly strip: Strip }) {
  const hasBranches = rows.some(({ branch }) => branch !== undefined)
  const more = [
    moreBranches > 0 && `${formatNumber(moreBranches)} more ${moreBranches === 1 ? 'branch' : 'branches'}`,
    moreProducts > 0 && `${formatNumber(moreProducts)} more ${moreProducts === 1 ? 'product' : 'products'}`,
  ].filter((each) => typeof each === 'string')
  return (
    <>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{`Fixed versions of ${product}`}</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-ink-3">
            {hasBranches && (
              <th scope="col" className="py-1 pr-4 font-medium">
                Branch
              </th>
            )}
            <th scope="col" className="w-full py-1 font-medium">
              Fixed in
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} hasBranches={hasBranches} />
          ))}
        </tbody>
      </table>
      <p className="mt-1 text-xs text-ink-2">{OTHERS_NOT_CONSIDERED}</p>
      {more.length > 0 && <p className="mt-1 text-xs text-ink-2">And {more.join(' and ')} under Fix.</p>}
    </>
  )
}

function Row({
  row: { branch, version, isDoubted, isDerived },
  hasBranches,
}: {
  readonly row: FixRow
  readonly hasBranches: boolean
}) {
  return (
    <tr className="border-b border-line last:border-b-0">
      {hasBranches && <td className="py-1 pr-4 font-mono text-xs font-semibold whitespace-nowrap">{branch ?? '–'}</td>}
      <td className="py-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-mono text-xs font-semibold [overflow-wrap:anywhere]">{version}</span>
          {isDoubted && <Badge tone="high">contradicted</Badge>}
          {isDerived && <Badge>read from a text</Badge>}
        </span>
      </td>
    </tr>
  )
}
