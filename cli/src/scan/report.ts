// The summary of `visctl scan`: what was read, what is covered, and what the plan and the rows leave out.
import type { MatchedComponent, SbomScan, ScanOptions } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { describeCoverage, describeVerdicts, formatCount } from '../components/describe.ts'
import { countGaps, describeUnjudged, listUnjudged } from '../components/unjudged.ts'
import { formatCredits } from '../render/credits.ts'
import { cleanLine } from '../render/text.ts'
import { describeGate, listGateLines } from './gate.ts'

/** Parts of a scan that every format of the answer has. */
export type AnyScan = Pick<SbomScan, 'sbom' | 'overview' | 'gate' | 'timestamp'> &
  Partial<Pick<SbomScan, 'components' | 'fix_plan' | 'triage'>>

/** The caller's options that the summary repeats. */
export interface ScanRequest {
  readonly failOn: ScanOptions['fail_on']
  readonly priorityMax: ScanOptions['priority_max']
}

export function renderScanSummary(scan: AnyScan, request: ScanRequest): string {
  const lines = [
    `${describeDocument(scan)} ${describeVerdicts(scan.overview)}. Cost: ${formatCredits(PRICES.scanSbom)}.`,
    ...listGaps(scan, request),
    ...(scan.gate === undefined ? [] : [...listGateLines(scan.gate), describeGate(scan.gate)]),
  ]
  return `${lines.map(cleanLine).join('\n')}\n`
}

const FORMAT_NAMES: Readonly<Record<SbomScan['sbom']['format'], string>> = { cyclonedx: 'CycloneDX', spdx: 'SPDX' }

function describeDocument({ sbom, overview }: AnyScan): string {
  const { format, spec_version, components_read } = sbom
  const cves = `${formatCount(overview.hits_total)} ${overview.hits_total === 1 ? 'CVE or advisory' : 'CVEs and advisories'}`
  return `${FORMAT_NAMES[format]} ${spec_version}, ${formatCount(components_read)} components, ${cves}:`
}

/** Describes what was not checked, what is not covered and what is not listed. */
export function listGaps(scan: AnyScan, request: ScanRequest): readonly string[] {
  const { sbom, overview, components, timestamp } = scan
  return [
    ...listSkipped(sbom).map((line) => `${line}.`),
    describeCoverage(overview, timestamp),
    ...(components === undefined
      ? [countGaps(overview)].filter((line) => line !== '')
      : listUnjudged(components).map((each) => describeUnjudged(each))),
    ...listOmissions(components ?? [], request),
    ...describeTriage(scan.triage),
  ]
}

function listOmissions(components: readonly MatchedComponent[], { priorityMax }: ScanRequest): readonly string[] {
  const sum = (count: (component: MatchedComponent) => number) =>
    components.reduce((total, each) => total + count(each), 0)
  const weaker = sum(({ weaker_total }) => weaker_total)
  const further = sum(({ matches_total, matches }) => matches_total - matches.length)
  const suppressed = sum(({ suppressed_total }) => suppressed_total)
  const unordered = sum(({ unordered_total }) => unordered_total)
  return [
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

/** Says what the account's own states hid, by whom, and what is open again. */
function describeTriage(triage: AnyScan['triage']): readonly string[] {
  if (triage === undefined) return []
  if (!triage.applied) return [`Triage was not applied: ${triage.not_applied_because ?? ''}`]
  const actors = triage.suppressed_by.map(({ actor, count }) => `${actor} ${formatCount(count)}`).join(', ')
  const open = triage.reopened.map(({ cve_id, reopened_by }) => `${cve_id} (${reopened_by.join(', ')})`).join(', ')
  return [
    `Triage states hide ${formatCount(triage.suppressed_total)} hits${actors === '' ? '' : `, set by: ${actors}`}.`,
    ...sayIf(triage.reopened_total, `Open again: ${formatCount(triage.reopened_total)} states: ${open}.`),
  ]
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
