// Affected products with their version ranges, grouped by vendor and product.
import { type ReactNode, useMemo, useState } from 'react'
import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { formatNumber } from '../../../text/format.ts'
import { joinProductName } from '../../../text/product-name.ts'
import { describeSource } from '../../../text/source-names.ts'
import { type Fix, groupCpeMatches } from '../model/cpe-products.ts'
import { groupEqualRanges } from '../model/equal-ranges.ts'
import type { ProductVersions } from '../model/product-versions.ts'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { ProductBlock } from './product-block.tsx'

const FIRST_PRODUCTS = 5
/** From this number of products on, a filter is worth the space. */
const FILTER_FROM = 9
const MAX_VENDOR_BUTTONS = 12

interface ProductsPanelProps {
  readonly cve: Cve
  /** The products as their source names them, which need a read of their own. */
  readonly named: ReactNode
}

export function ProductsPanel({ cve, named }: ProductsPanelProps) {
  const fixes = useMemo(() => listFixes(cve), [cve])
  const products = useMemo(() => groupCpeMatches(cve.cpe, fixes), [cve.cpe, fixes])
  const source = cve.enrichment?.cpe_source
  return (
    <Panel title="Affected versions" note={source ? `products in CPE: ${describeSource(source)}` : undefined}>
      <Remarks cve={cve} />
      {products.length > 0 && <ProductList products={products} />}
      {products.length === 0 && !areProductsNamed(cve) && <Missing>{explainMissingProducts(cve)}</Missing>}
      {named}
      {products.length > 0 && <Legend />}
    </Panel>
  )
}

export function listFixes({ fixes = [] }: Cve): readonly Fix[] {
  return fixes.map(({ vendor, product, version, is_commit, source }) => ({
    vendor,
    product,
    version,
    isCommit: is_commit,
    source,
  }))
}

/** Whether a source names affected products, with or without CPE. */
export function areProductsNamed({ sources }: Cve): boolean {
  return (sources?.products?.stated_by.length ?? 0) > 0
}

/** Products without a CPE are named only in the detail record, which not every CVE has. */
export function explainMissingProducts(cve: Cve): string {
  if (areProductsNamed(cve))
    return 'Sources name products, but not in CPE. This CVE has no detail record that lists them.'
  const { kev } = cve
  const inKev = joinProductName(kev?.vendorProject ?? '', kev?.product ?? '').trim()
  return inKev === ''
    ? 'No loaded source names affected products.'
    : `No loaded source names affected versions. The product in KEV: ${inKev}.`
}

/** Explains each type of mark on the CPE matches once. */
function Remarks({ cve: { cpe } }: { readonly cve: Cve }) {
  const remarks = [
    cpe.some(({ derived }) => derived) &&
      'This service derived these products from the names and versions that a source gives. Nobody has verified them.',
    cpe.some(({ unmapped }) => unmapped) &&
      'Some of the derived names do not occur in the data of NVD: an inventory with the names of NVD will not find them.',
    cpe.some(({ by_commits }) => by_commits) &&
      'A source limits the affected versions by commits only. “Any version” includes fixed versions.',
    cpe.some(({ unknown_versions }) => unknown_versions) &&
      'A source names affected versions in words, such as a link. Only the limits that could be read are shown; other versions may be affected.',
    cpe.some(({ inverted }) => inverted) &&
      'The source publishes a range that starts after its end. It is marked as inverted and not drawn.',
  ].filter((each) => typeof each === 'string')
  if (remarks.length === 0) return null
  return (
    <ul className="mb-3 space-y-1 rounded-md bg-medium-soft px-3 py-2 text-sm text-medium">
      {remarks.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  )
}

export function ProductList({ products }: { readonly products: readonly ProductVersions[] }) {
  const [filter, setFilter] = useState({ text: '', vendor: '' })
  const vendors = useMemo(() => Map.groupBy(products, ({ vendor }) => vendor), [products])
  const needle = filter.text.trim().toLowerCase().replaceAll(' ', '_')
  const shown = products.filter(
    ({ vendor, product }) =>
      (filter.vendor === '' || vendor === filter.vendor) &&
      `${vendor}_${product}`.toLowerCase().replaceAll(' ', '_').includes(needle),
  )
  return (
    <>
      {products.length >= FILTER_FROM && (
        <div className="mb-3 space-y-2">
          <label className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <span className="text-ink-2">
              {formatNumber(products.length)} products of {formatNumber(vendors.size)}{' '}
              {vendors.size === 1 ? 'vendor' : 'vendors'}
            </span>
            <span className="sr-only">Filter products by name</span>
            <input
              type="search"
              value={filter.text}
              placeholder="Filter by name"
              onChange={({ target }) => setFilter({ ...filter, text: target.value })}
              className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-panel px-2.5 text-sm placeholder:text-ink-3 sm:max-w-64"
            />
          </label>
          {vendors.size > 1 && (
            <VendorButtons
              vendors={vendors}
              chosen={filter.vendor}
              onChoose={(vendor) => setFilter({ ...filter, vendor })}
            />
          )}
        </div>
      )}
      {shown.length === 0 ? (
        <Missing>No product matches the filter.</Missing>
      ) : (
        <MoreList
          key={`${needle} ${filter.vendor}`}
          items={groupEqualRanges(shown)}
          first={FIRST_PRODUCTS}
          step={20}
          noun="groups of products"
        >
          {(visible) =>
            visible.map(({ product, others }) => <ProductBlock key={product.key} product={product} others={others} />)
          }
        </MoreList>
      )}
    </>
  )
}

interface VendorButtonsProps {
  readonly vendors: ReadonlyMap<string, readonly ProductVersions[]>
  readonly chosen: string
  readonly onChoose: (vendor: string) => void
}

function VendorButtons({ vendors, chosen, onChoose }: VendorButtonsProps) {
  const largest = [...vendors].sort(([, a], [, b]) => b.length - a.length).slice(0, MAX_VENDOR_BUTTONS)
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">Show the products of one vendor</legend>
      {largest.map(([vendor, { length }]) => (
        <button
          key={vendor}
          type="button"
          aria-pressed={vendor === chosen}
          className="h-6 rounded-full border border-line px-2.5 text-xs text-ink-2 hover:bg-soft hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => onChoose(vendor === chosen ? '' : vendor)}
        >
          {vendor} {formatNumber(length)}
        </button>
      ))}
    </fieldset>
  )
}

function Legend() {
  return (
    <p aria-hidden className="mt-3 flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-2 text-xs text-ink-3">
      <span>
        <i className="mr-1 inline-block h-2 w-5 rounded bg-critical-solid" />
        affected
      </span>
      <span>
        <i className="mr-1 inline-block size-2.5 rounded-full bg-good" />
        fixed version
      </span>
      <span>
        <i className="mr-1 inline-block size-2.5 rounded-full border-2 border-ink-3" />
        end of the range, no fix named
      </span>
      <span>Lines show the order of versions and are not to scale.</span>
    </p>
  )
}
