// Prints the result of `visctl scan`: a table of matches, and a summary that also covers what the table leaves out.

import type { MatchedComponent, SbomScan, ScanOptions } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { formatCredits } from '../render/credits.ts'
import { describeVerdicts, listFixedVersions } from '../render/matches.ts'
import { findLevelStyle } from '../render/priority.ts'
import { type Column, renderTable } from '../render/table.ts'
import type { Terminal } from '../render/terminal.ts'
import { cleanLine } from '../render/text.ts'
import { describeComponent, type Finding } from './findings.ts'
import { describeGate, listGateLines } from './gate.ts'

/** Parts of a scan that every format of the answer has. */
export type AnyScan = Pick<SbomScan, 'sbom' | 'summary' | 'gate'> & { readonly components?: SbomScan['components'] }

/** The caller's options that the summary repeats. */
export interface ScanRequest {
  readonly failOn: ScanOptions['fail_on']
  readonly priorityMax: ScanOptions['priority_max']
}

/** Maximum number of component names per line of the summary; `--json` lists all. */
const MAX_NAMES = 10

const COLUMNS: readonly Column<Finding>[] = [
  {
    title: 'LEVEL',
    text: ({ match }) => match.priority.level ?? '-',
    style: ({ match }) => findLevelStyle(match.priority),
  },
  { title: 'ID', text: ({ match }) => match.id, style: () => 'bold' },
  { title: 'COMPONENT', maxWidth: 48, text: describeFinding },
  { title: 'VERDICT', text: ({ match }) => match.verdict },
  { title: 'FIXED IN', maxWidth: 24, text: ({ match }) => listFixedVersions(match.fixed_in) },
  { title: 'UPGRADE TO', maxWidth: 24, text: ({ upgradeTo }) => upgradeTo },
  { title: 'REASON', text: ({ match }) => match.reason.text },
]

function describeFinding({ component, count }: Finding): string {
  return count === 1 ? component : `${component} (${formatCount(count)} components)`
}

export function renderFindings(terminal: Terminal, findings: readonly Finding[]): string {
  return findings.length === 0 ? '' : renderTable(terminal, COLUMNS, findings)
}

export function renderScanSummary(scan: AnyScan, request: ScanRequest): string {
  const lines = [
    `${describeDocument(scan)} ${describeVerdicts(scan.summary)}. Cost: ${formatCredits(PRICES.scanSbom)}.`,
    ...listGaps(scan, request),
    ...(scan.gate === undefined ? [] : [...listGateLines(scan.gate), describeGate(scan.gate)]),
  ]
  return `${lines.map(cleanLine).join('\n')}\n`
}

const FORMAT_NAMES: Readonly<Record<SbomScan['sbom']['format'], string>> = { cyclonedx: 'CycloneDX', spdx: 'SPDX' }

function describeDocument({ sbom, summary }: AnyScan): string {
  const { format, spec_version, components_read } = sbom
  const cves = `${formatCount(summary.cves)} ${summary.cves === 1 ? 'CVE or advisory' : 'CVEs and advisories'}`
  return `${FORMAT_NAMES[format]} ${spec_version}, ${formatCount(components_read)} components, ${cves}:`
}

/** Describes what was not checked and what is not listed. */
export function listGaps({ sbom, summary, components = [] }: AnyScan, { priorityMax }: ScanRequest): readonly string[] {
  const sum = (count: (component: MatchedComponent) => number) =>
    components.reduce((total, each) => total + count(each), 0)
  const weaker = sum(({ weaker_total }) => weaker_total)
  const further = sum(({ matches_total, matches }) => matches_total - matches.length)
  const suppressed = sum(({ suppressed_total }) => suppressed_total)
  const unordered = sum(({ unordered_total }) => unordered_total)
  return [
    ...listSkipped(sbom),
    ...listNames('Unknown products, which does not mean that they are safe', components, 'unknown_product'),
    ...listNames('Components without a version that can be compared', components, 'unknown_version'),
    ...sayIf(
      summary.data_gaps,
      `Components whose data is missing or stale: ${formatCount(summary.data_gaps)}; visctl health shows the age of all data`,
    ),
    ...sayIf(weaker, `Not listed, less sure: ${formatCount(weaker)} hits; --confidence-min low lists them`),
    ...sayIf(
      further,
      `Not listed, less urgent matches of components with many: ${formatCount(further)}; --matches-per-component 500 lists more`,
    ),
    ...sayIf(unordered, `Not compared, because the order of the versions is not known: ${formatCount(unordered)} CVEs`),
    ...sayIf(suppressed, `Suppressed: ${formatCount(suppressed)} hits`),
    ...(priorityMax === undefined || priorityMax === 'P4'
      ? []
      : [`Not listed: levels less urgent than ${priorityMax}`]),
  ].map((line) => `${line}.`)
}

function sayIf(count: number, text: string): readonly string[] {
  return count === 0 ? [] : [text]
}

/** Groups the skipped components by reason, because often many are skipped for the same reason. */
export function listSkipped({ components_skipped, components_skipped_total }: AnyScan['sbom']): readonly string[] {
  if (components_skipped_total === 0) return []
  const reasons = [...Map.groupBy(components_skipped, ({ why }) => why)].map(
    ([why, group]) => `${why.replace(/\.$/, '')} (${formatCount(group.length)})`,
  )
  const rest = components_skipped_total - components_skipped.length
  const more = rest === 0 ? [] : [`${formatCount(rest)} more`]
  return [`Skipped components (${formatCount(components_skipped_total)}): ${[...reasons, ...more].join('; ')}`]
}

function listNames(
  title: string,
  components: readonly MatchedComponent[],
  verdict: MatchedComponent['verdict'],
): readonly string[] {
  const found = components.filter((each) => each.verdict === verdict)
  if (found.length === 0) return []
  const names = [...new Set(found.map(describeComponent))]
  const rest = names.length - MAX_NAMES
  const more = rest > 0 ? [`${formatCount(rest)} further names in --json`] : []
  return [`${title} (${formatCount(found.length)}): ${[...names.slice(0, MAX_NAMES), ...more].join(', ')}`]
}

function formatCount(number: number): string {
  return number.toLocaleString('en')
}
