// Fixed versions and commits, by product and source.
import { Fragment } from 'react'
import type { Cve } from 'vis-sdk'
import { Panel } from '../../../kit/panel.tsx'
import { toDisplayName } from '../../../text/display-name.ts'
import { formatNumber } from '../../../text/format.ts'
import { describeSource } from '../../../text/source-names.ts'
import { findSourcedValue, type StatementLine } from '../model/statements.ts'
import { Missing } from '../parts/missing.tsx'
import { MoreList } from '../parts/more-list.tsx'
import { SourceChip } from '../parts/source-chip.tsx'

type Fix = NonNullable<Cve['fixes']>[number]

export function FixesPanel({ cve }: { readonly cve: Cve }) {
  const { fixes = [], fixes_omitted = 0 } = cve
  return (
    <Panel title="Fixed versions" note="by product and branch">
      <Fixes cve={cve} fixes={fixes} />
      {fixes_omitted > 0 && (
        <p className="mt-2 text-xs text-ink-2">
          The record leaves out {formatNumber(fixes_omitted)} more fixed versions; the API lists all under /detail.
        </p>
      )}
    </Panel>
  )
}

function Fixes({ cve, fixes }: { readonly cve: Cve; readonly fixes: readonly Fix[] }) {
  if (fixes.length > 0) return <FixesTable fixes={fixes} />
  const statements = (findSourcedValue(cve.sources, 'fix')?.agreeing ?? []).filter(({ content }) => content !== '')
  return statements.length > 0 ? <Statements lines={statements} /> : <Missing>{explainMissingFix(cve)}</Missing>
}

/**
 * What sources say about fixes of a CVE for which none names a version. The record has one statement per source.
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

export function FixesTable({ fixes }: { readonly fixes: readonly Fix[] }) {
  return (
    <MoreList items={groupFixes(fixes)} first={6} noun="products">
      {(shown) => (
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Fixed versions by product</caption>
          <thead>
            <tr className="text-left text-xs text-ink-3">
              <th scope="col" className="w-2/5 py-1 pr-3 font-medium">
                Product and source
              </th>
              <th scope="col" className="py-1 font-medium">
                Fixed in
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

/** A package URL may break after a slash; anywhere else only if a part is longer than the cell. */
const AFTER_SLASH = /(?<=\/)/

type ProductFixes = ReturnType<typeof groupFixes>[number]

function ProductRow({ name, isDownstream, versions, source }: Omit<ProductFixes, 'key'>) {
  return (
    <tr className="border-t border-line align-top">
      <td className="min-w-32 py-1.5 pr-3 [overflow-wrap:anywhere]">
        {name.split(AFTER_SLASH).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name do not change places.
          <Fragment key={index}>
            <span className="inline-block max-w-full">{part}</span>
            <wbr />
          </Fragment>
        ))}
        {isDownstream && <span className="block text-xs text-ink-3">may contain the affected product</span>}
        <span className="mt-1 block">
          <SourceChip source={source} />
        </span>
      </td>
      <td className="min-w-34 py-1.5 [overflow-wrap:anywhere]">
        {versions.map(({ text, branch, rivals }) => (
          <span key={`${text} ${branch}`} className="flex flex-wrap items-baseline gap-x-1.5">
            <span className="font-medium text-good">{text}</span>
            {branch !== null && <span className="text-xs whitespace-nowrap text-ink-3">{`branch ${branch}`}</span>}
            {rivals !== '' && <span className="w-full text-xs text-ink-3">{rivals}</span>}
          </span>
        ))}
      </td>
    </tr>
  )
}

function groupFixes(fixes: readonly Fix[]) {
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
    const name = first.package_url ?? [first.vendor, first.product].filter(Boolean).map(toDisplayName).join(' ')
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

/** Returns for example "NVD names 10.0.17763.4377", or an empty text. */
function describeRivals({ rivals }: Pick<Fix, 'rivals'>): string {
  const bySource = Map.groupBy(rivals, ({ source }) => describeSource(source))
  return [...bySource]
    .map(([name, found]) => {
      const [fixed, affected] = [false, true].map((isAffected) =>
        found.flatMap((rival) => ((rival.affected ?? false) === isAffected ? rival.version : [])).join(', '),
      )
      return [fixed && `${name} names ${fixed}`, affected && `${name} has ${affected} in an affected range`]
        .filter(Boolean)
        .join('; ')
    })
    .join('; ')
}

function explainMissingFix({ enrichment }: Cve): string {
  return enrichment?.patch_available
    ? 'Advisory only: a source says that a fix exists, but names no version.'
    : 'No loaded source names a fixed version.'
}
