// Fixed versions and commits, by product and source.
import type { Cve, DetailRecord } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { SourceChip } from '../parts/source-chip.tsx'
import { WhoSaysSo } from '../parts/who-says-so.tsx'

type DetailFix = NonNullable<DetailRecord['fixes']>[number]

interface FixesPanelProps {
  readonly cve: Cve
  readonly detail: DetailRecord | undefined
  /** Why there is no detail record yet; undefined if it has been read. */
  readonly pending?: string | undefined
}

export function FixesPanel({ cve, detail, pending }: FixesPanelProps) {
  const products = groupFixes(detail?.fixes ?? [])
  return (
    <Panel title="Fixes" actions={<WhoSaysSo sources={cve.sources} name="fix" />}>
      {products.length === 0 ? (
        <Missing>{pending ?? explainMissingFix(cve)}</Missing>
      ) : (
        <MoreList items={products} first={6} noun="products">
          {(shown) => (
            <table className="w-full border-collapse text-sm">
              <caption className="sr-only">Fixed versions by product</caption>
              <thead>
                <tr className="text-left text-xs text-ink-3">
                  <th scope="col" className="py-1 pr-3 font-medium">
                    Product
                  </th>
                  <th scope="col" className="py-1 pr-3 font-medium">
                    Fixed in
                  </th>
                  <th scope="col" className="py-1 font-medium">
                    Source
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ key, name, versions, source }) => (
                  <tr key={key} className="border-t border-line align-top">
                    <td className="py-1.5 pr-3 [overflow-wrap:anywhere]">{name}</td>
                    <td className="py-1.5 pr-3 font-medium [overflow-wrap:anywhere] text-good">
                      {versions.join(', ')}
                    </td>
                    <td className="w-px py-1.5">
                      <SourceChip source={source} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </MoreList>
      )}
    </Panel>
  )
}

function groupFixes(fixes: readonly DetailFix[]) {
  const groups = Map.groupBy(fixes, ({ vendor, product, package_url, package_name, source }) =>
    [source, package_url ?? '', package_name ?? '', vendor, product].join(' '),
  )
  return [...groups].flatMap(([key, [first, ...rest]]) => {
    if (first === undefined) return []
    const versions = [first, ...rest].map(({ version, is_commit }) =>
      is_commit ? `commit ${version.slice(0, 12)}` : version,
    )
    const name = first.package_url ?? [first.vendor, first.product].filter(Boolean).join(' ')
    const inside = first.package_name === undefined ? '' : `${first.package_name} in `
    return [{ key, name: `${inside}${name}`, versions: [...new Set(versions)], source: first.source }]
  })
}

function explainMissingFix({ enrichment }: Cve): string {
  return enrichment?.patch_available
    ? 'No source names a fixed version. A source says that a fix exists: see who says so.'
    : 'No source names a fixed version.'
}
