// Fixed versions and commits, by product and source.
import type { Cve, DetailRecord } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { describeSource } from '../../../text/source-names.ts'
import { findSourcedValue, type StatementLine } from '../model/statements.ts'
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
  return (
    <Panel title="Fixes" actions={<WhoSaysSo sources={cve.sources} name="fix" />}>
      <Fixes cve={cve} detail={detail} pending={pending} />
    </Panel>
  )
}

function Fixes({ cve, detail, pending }: FixesPanelProps) {
  const fixes = detail?.fixes ?? []
  if (fixes.length > 0) return <FixesTable fixes={fixes} />
  if (pending !== undefined) return <Missing>{pending}</Missing>
  const statements = (findSourcedValue(cve.sources, 'fix')?.agreeing ?? []).filter(({ content }) => content !== '')
  return statements.length > 0 ? <Statements lines={statements} /> : <Missing>{explainMissingFix(cve)}</Missing>
}

/**
 * What sources say about fixes of a CVE that has no detail record with a row per product and branch. The record has one
 * statement per source.
 */
function Statements({ lines }: { readonly lines: readonly StatementLine[] }) {
  return (
    <>
      <ul className="space-y-1 text-sm">
        {lines.map(({ source, content }) => (
          <li key={`${source} ${content}`} className="flex flex-wrap items-center gap-x-2">
            <span className="[overflow-wrap:anywhere]">{content}</span> <SourceChip source={source} />
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-xs text-ink-3">One statement per source; a source may name more versions.</p>
    </>
  )
}

export function FixesTable({ fixes }: { readonly fixes: readonly DetailFix[] }) {
  return (
    <MoreList items={groupFixes(fixes)} first={6} noun="products">
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
            {shown.map(({ key, ...each }) => (
              <ProductRow key={key} {...each} />
            ))}
          </tbody>
        </table>
      )}
    </MoreList>
  )
}

type ProductFixes = ReturnType<typeof groupFixes>[number]

function ProductRow({ name, isDownstream, versions, source }: Omit<ProductFixes, 'key'>) {
  return (
    <tr className="border-t border-line align-top">
      <td className="py-1.5 pr-3 [overflow-wrap:anywhere]">
        {name}
        {isDownstream && <span className="block text-xs text-ink-3">may contain the affected product</span>}
      </td>
      <td className="min-w-34 py-1.5 pr-3 [overflow-wrap:anywhere]">
        {versions.map(({ text, branch, rivals }) => (
          <span key={`${text} ${branch}`} className="flex flex-wrap items-baseline gap-x-1.5">
            <span className="font-medium text-good">{text}</span>
            {branch !== null && <span className="text-xs whitespace-nowrap text-ink-3">{`branch ${branch}`}</span>}
            {rivals !== '' && <span className="w-full text-xs text-ink-3">{rivals}</span>}
          </span>
        ))}
      </td>
      <td className="w-px py-1.5">
        <SourceChip source={source} />
      </td>
    </tr>
  )
}

function groupFixes(fixes: readonly DetailFix[]) {
  const groups = Map.groupBy(fixes, ({ vendor, product, package_url, package_name, source }) =>
    [source, package_url ?? '', package_name ?? '', vendor, product].join(' '),
  )
  return [...groups].flatMap(([key, [first, ...rest]]) => {
    if (first === undefined) return []
    const versions = [first, ...rest].map((fix) => ({
      text: fix.is_commit ? `commit ${fix.version.slice(0, 12)}` : fix.version,
      branch: fix.branch,
      rivals: describeRivals(fix),
    }))
    const name = first.package_url ?? [first.vendor, first.product].filter(Boolean).join(' ')
    const inside = first.package_name === undefined ? '' : `${first.package_name} in `
    return {
      key,
      name: `${inside}${name}`,
      isDownstream: first.downstream === true,
      versions: dropRepeated(versions),
      source: first.source,
    }
  })
}

interface NamedVersion {
  readonly text: string
  readonly branch: string | null
  readonly rivals: string
}

function dropRepeated(versions: readonly NamedVersion[]): readonly NamedVersion[] {
  return [...new Map(versions.map((each) => [`${each.text} ${each.branch}`, each])).values()]
}

/** Returns for example "NVD: 10.0.17763.4377 (2023-05-15)", or an empty text. */
function describeRivals({ rivals }: Pick<DetailFix, 'rivals'>): string {
  return rivals
    .map(({ version, source, time }) => {
      const day = time === null || time === undefined ? '' : ` (${time.slice(0, 10)})`
      return `${describeSource(source)}: ${version}${day}`
    })
    .join(', ')
}

function explainMissingFix({ enrichment }: Cve): string {
  return enrichment?.patch_available
    ? 'No source names a fixed version. A source says that a fix exists: see who says so.'
    : 'No source names a fixed version.'
}
