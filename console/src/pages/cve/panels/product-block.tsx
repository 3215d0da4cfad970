// One product with its affected versions: a table whose rows also show each range on the product's line.

import { useState } from 'react'
import { Badge } from '../../../kit/badge.tsx'
import { cutText, UpstreamText } from '../../../kit/upstream-text.tsx'
import { formatNumber } from '../../../text/format.ts'
import { joinProductName } from '../../../text/product-name.ts'
import { compareVersions } from '../../../text/verdict/version-order.ts'
import {
  describeRange,
  type FixedVersion,
  type ProductVersions,
  shortenVersion,
  type VersionRange,
} from '../model/product-versions.ts'
import { layOutVersions } from '../model/version-line.ts'
import { MoreList } from '../parts/more-list.tsx'
import { SourceChip } from '../parts/source-chip.tsx'
import { VersionBar } from './version-bar.tsx'

const FIRST_RANGES = 8

interface ProductBlockProps {
  readonly product: ProductVersions
  /** Products with the same versions. */
  readonly others?: readonly ProductVersions[]
}

export function ProductBlock({ product, others = [] }: ProductBlockProps) {
  const rows = toRows(product)
  return (
    <section className="border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
      <h3 className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <span className="text-ink-2">{cutText(product.vendor, 200)}</span>{' '}
          <span className="font-semibold">
            <UpstreamText text={product.product} first={300} />
          </span>
        </span>
        {product.kind && product.kind !== 'application' && <Badge>{product.kind}</Badge>}
        {!product.isVulnerable && <Badge>not vulnerable itself</Badge>}
        {product.isAffectedByDefault && <Badge tone="high">versions not listed are affected</Badge>}
      </h3>
      {others.length > 0 && <Others products={others} />}
      {product.packageUrl && <p className="mb-1 font-mono text-xs break-all text-ink-2">{product.packageUrl}</p>}
      <MoreList items={rows} first={FIRST_RANGES} noun="version ranges">
        {(shown) => (
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">{`Versions of ${product.vendor} ${product.product}`}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">State</th>
                <th scope="col">Versions</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <VersionRow key={row.key} row={row} />
              ))}
            </tbody>
          </table>
        )}
      </MoreList>
    </section>
  )
}

const MAX_NAMES = 200

/** The names of the other products of a group, folded because there can be hundreds. */
function Others({ products }: { readonly products: readonly ProductVersions[] }) {
  const rest = products.length - MAX_NAMES
  return (
    <details className="mb-1.5 text-xs text-ink-2">
      <summary className="w-fit rounded hover:text-ink">
        and {formatNumber(products.length)} more {products.length === 1 ? 'product' : 'products'} with the same versions
      </summary>
      <p className="mt-1 [overflow-wrap:anywhere]">
        {products
          .slice(0, MAX_NAMES)
          .map(({ vendor, product }) => cutText(joinProductName(vendor, product), 120))
          .join(', ')}
        {rest > 0 && ` and ${formatNumber(rest)} more`}
      </p>
    </details>
  )
}

interface Row {
  readonly key: string
  readonly label: 'Affected' | 'Not affected' | 'Fixed in'
  readonly versions: readonly string[]
  readonly remarks: readonly string[]
  readonly sources: readonly string[]
  readonly drawing: Parameters<typeof VersionBar>[0] | undefined
}

/**
 * Returns a row per range, one row for all single versions with the same remarks, and one row for the fixed versions.
 */
function toRows({ ranges, fixes }: ProductVersions): readonly Row[] {
  const line = layOutVersions(ranges, fixes)
  const fixedPlaces = line.fixes.filter((each) => each !== undefined)
  const rows: Row[] = []
  const exact = new Map<string, { range: VersionRange; versions: string[]; points: number[] }>()
  ranges.forEach((range, index) => {
    const remarks = listRemarks(range)
    if (range.kind !== 'exact') {
      const bar = line.bars[index]
      rows.push({
        key: String(index),
        label: range.isAffected ? 'Affected' : 'Not affected',
        versions: [describeRange(range)],
        remarks,
        sources: [],
        drawing: bar && { bar, fixes: fixedPlaces, isAffected: range.isAffected },
      })
      return
    }
    const key = JSON.stringify([range.isAffected, remarks])
    const group = exact.get(key) ?? { range, versions: [], points: [] }
    exact.set(key, group)
    group.versions.push(describeRange(range))
    const point = line.points[index]
    if (point !== undefined) group.points.push(point)
  })
  for (const [key, { range, versions, points }] of exact) {
    rows.push({
      key,
      label: range.isAffected ? 'Affected' : 'Not affected',
      versions: versions.toSorted(compareVersions),
      remarks: listRemarks(range),
      sources: [],
      drawing: points.length > 0 ? { points: mergeClose(points), isAffected: range.isAffected } : undefined,
    })
  }
  return fixes.length === 0 ? rows : [...rows, toFixRow(fixes, fixedPlaces)]
}

/** Points that are closer together than this fraction of the line would overlap. */
const POINT_DISTANCE = 1 / 200

/** Draws thousands of single versions with at most 200 points. */
function mergeClose(points: readonly number[]): readonly number[] {
  if (points.length < 1 / POINT_DISTANCE) return [...new Set(points)]
  return [...new Set(points.map((at) => Math.round(at / POINT_DISTANCE) * POINT_DISTANCE))]
}

function toFixRow(fixes: readonly FixedVersion[], places: readonly number[]): Row {
  return {
    key: 'fixed',
    label: 'Fixed in',
    versions: [...new Set(fixes.map((fix) => shortenVersion(fix, fix.version)))],
    remarks: [],
    sources: [...new Set(fixes.map(({ source }) => source))],
    drawing: places.length > 0 ? { fixes: [...new Set(places)] } : undefined,
  }
}

const IN_WORDS = 'versions the source names in words'

function listRemarks(range: VersionRange): readonly string[] {
  const { limits, isInverted, isByCommits, isCommit, isInWords, words } = range
  return [
    ...limits,
    ...(isInverted ? ['inverted: the range starts after its end, so no version lies in it'] : []),
    ...(isByCommits ? ['limited by commits only, so fixed versions are included'] : []),
    ...(isCommit ? ['commits, which have no order'] : []),
    ...(isInWords ? [words === undefined ? IN_WORDS : `${IN_WORDS}: “${cutText(words, 200)}”`] : []),
  ]
}

const FIRST_VERSIONS = 12

function VersionRow({ row }: { readonly row: Row }) {
  const { label, versions, remarks, sources, drawing } = row
  const tone = label === 'Affected' ? 'text-critical' : 'text-good'
  return (
    <tr className="align-top">
      <th scope="row" className={`w-24 py-1 pr-2 text-left text-xs leading-5 font-semibold ${tone}`}>
        {label}
      </th>
      <td className="py-1">
        <div className="items-start gap-x-4 sm:grid sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <div>
            <Versions versions={versions} />
            {sources.map((source) => (
              <span key={source} className="ml-1.5">
                <SourceChip source={source} />
              </span>
            ))}
          </div>
          <div>
            {drawing && (
              <div className="py-0.5">
                <VersionBar {...drawing} />
              </div>
            )}
            {remarks.length > 0 && <p className="text-xs text-ink-2">{remarks.join('; ')}</p>}
          </div>
        </div>
      </td>
    </tr>
  )
}

/** Collapsed at first, because a product can have thousands of single versions. */
function Versions({ versions }: { readonly versions: readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const left = versions.length - FIRST_VERSIONS
  const shown = isOpen ? versions : versions.slice(0, FIRST_VERSIONS)
  return (
    <span className="[overflow-wrap:anywhere]">
      {shown.join(', ')}
      {left > 0 && !isOpen && (
        <button
          type="button"
          className="ml-1 inline-block min-h-6 rounded text-accent hover:underline"
          onClick={() => setIsOpen(true)}
        >
          and {formatNumber(left)} more
        </button>
      )}
    </span>
  )
}
