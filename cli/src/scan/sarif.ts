// The result of `visctl scan` in SARIF 2.1.0.
import { listFixedVersions } from '../render/matches.ts'
import { cleanLine } from '../render/text.ts'
import {
  createIncompleteResult,
  createLocation,
  createRule,
  createSarif,
  INCOMPLETE_RULE,
  toMessageText,
} from '../sarif.ts'
import { type Finding, rankLevel } from './findings.ts'
import { describeGate, describeReason, type Gate, listGateLines } from './gate.ts'

/** Maximum number of components that a message names. */
const MAX_REFS = 10

interface ScanReport {
  readonly findings: readonly Finding[]
  /** What was not checked or not listed. */
  readonly gaps: readonly string[]
  readonly gate: Gate | undefined
  /** File with the SBOM, or `stdin`. */
  readonly origin: string
  readonly exitCode: number
  readonly version: string
}

export function toScanSarif({ findings, gaps, gate, origin, exitCode, version }: ScanReport) {
  const rules = [...new Map(findings.map(({ match }) => [match.id, match])).values()]
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const incomplete = (gate?.reasons ?? []).filter(({ result }) => result === 'incomplete')
  const place = { ruleIndex: rules.length, origin }
  return createSarif({
    name: 'visctl scan',
    version,
    exitCode,
    isSuccessful: gate?.result !== 'incomplete',
    notes: [...(gate === undefined ? [] : [describeGate(gate), ...listGateLines(gate)]), ...gaps],
    rules: [
      ...rules.map(({ id, severity, priority }) =>
        createRule({ id, text: priority.reason ?? 'This advisory has no priority level.', severity }),
      ),
      ...(incomplete.length > 0 ? [INCOMPLETE_RULE] : []),
    ],
    results: [
      ...findings.map((finding) => toResult(finding, indexes.get(finding.match.id) ?? 0, origin)),
      ...incomplete.map((each) => createIncompleteResult(each.reason, describeReason(each), place)),
    ],
  })
}

function toResult(finding: Finding, ruleIndex: number, origin: string) {
  const { match, component } = finding
  return {
    ruleId: match.id,
    ruleIndex,
    level: findSarifLevel(finding),
    message: { text: toMessageText(describeResult(finding)) },
    locations: [createLocation(origin, 1)],
    // The version is left out, so that a dashboard recognizes the finding after an upgrade that does not fix it.
    partialFingerprints: { 'component/v1': cleanLine(`${match.id} ${component.split(' ', 1)[0]}`) },
  }
}

function findSarifLevel({ match }: Finding): 'error' | 'warning' | 'note' {
  if (match.verdict !== 'affected') return 'note'
  return rankLevel(match.priority.level) <= rankLevel('P1') ? 'error' : 'warning'
}

function describeResult({ match, component, refs, upgradeTo }: Finding): string {
  const { id, verdict, reason, fixed_in, priority } = match
  const fixed = listFixedVersions(fixed_in)
  const shown = refs.slice(0, MAX_REFS)
  const more = refs.length - shown.length
  return [
    `${component} is ${verdict === 'affected' ? 'affected' : 'possibly affected'} by ${id}.`,
    reason.text,
    ...(fixed === '-' ? [] : [`Fixed in ${fixed}.`]),
    ...(upgradeTo === '-' || upgradeTo === 'none known' ? [] : [`Upgrade to ${upgradeTo}.`]),
    ...(priority.level === null ? [] : [`Priority ${priority.level}: ${priority.reason ?? ''}`]),
    ...(shown.length === 0 ? [] : [`In the document: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
  ].join(' ')
}
