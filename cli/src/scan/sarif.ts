// The result of `visctl scan` in SARIF 2.1.0.
import type { PlannedFix } from 'vis-sdk'
import { listFixedVersions } from '../components/describe.ts'
import { findResolved } from '../components/fix-plan.ts'
import { describeUnjudged, type Unjudged } from '../components/unjudged.ts'
import { rankLevel } from '../render/priority.ts'
import { cleanLine } from '../render/text.ts'
import {
  createIncompleteResult,
  createLocation,
  createRule,
  createSarif,
  createUnjudgedResult,
  INCOMPLETE_RULE,
  toMessageText,
  UNJUDGED_RULE,
} from '../sarif.ts'
import type { Finding } from './findings.ts'
import { describeGate, describeReason, type Gate, listGateLines } from './gate.ts'

/** Maximum number of refs that the message about a match names. */
const MAX_REFS = 10
/** Maximum number of components that the message about components that were not judged names. */
const MAX_NAMES = 100

interface ScanReport {
  readonly findings: readonly Finding[]
  readonly unjudged: readonly Unjudged[]
  /** What was not checked or not listed. */
  readonly gaps: readonly string[]
  readonly gate: Gate | undefined
  /** File with the SBOM, or `stdin`. */
  readonly origin: string
  readonly exitCode: number
  readonly version: string
}

export function toScanSarif({ findings, unjudged, gaps, gate, origin, exitCode, version }: ScanReport) {
  const rules = [...new Map(findings.map(({ match }) => [match.id, match])).values()]
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const incomplete = (gate?.findings ?? []).filter(({ result }) => result === 'incomplete')
  const ownRules = [
    ...(incomplete.length > 0 ? [INCOMPLETE_RULE] : []),
    ...(unjudged.length > 0 ? [UNJUDGED_RULE] : []),
  ]
  const place = (rule: (typeof ownRules)[number]) => ({ ruleIndex: rules.length + ownRules.indexOf(rule), origin })
  return createSarif({
    name: 'visctl scan',
    version,
    exitCode,
    isSuccessful: gate?.result !== 'incomplete',
    notes: [...(gate === undefined ? [] : [describeGate(gate), ...listGateLines(gate)]), ...gaps],
    rules: [
      ...rules.map(({ id, severity, priority_reason }) =>
        createRule({ id, text: priority_reason ?? 'It has no priority level.', severity }),
      ),
      ...ownRules,
    ],
    results: [
      ...findings.map((finding) => toResult(finding, indexes.get(finding.match.id) ?? 0, origin)),
      ...incomplete.map((each) => createIncompleteResult(each.reason, describeReason(each), place(INCOMPLETE_RULE))),
      ...unjudged.map((each) =>
        createUnjudgedResult(each.key, describeUnjudged(each, MAX_NAMES), place(UNJUDGED_RULE)),
      ),
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
  return rankLevel(match.priority_level) <= rankLevel('P1') ? 'error' : 'warning'
}

function describeResult(finding: Finding): string {
  const { match, component, refs } = finding
  const { id, verdict, statement, fixed_in, priority_level, priority_reason } = match
  const fixed = listFixedVersions(fixed_in)
  const shown = refs.slice(0, MAX_REFS)
  const more = refs.length - shown.length
  return [
    `${component} is ${verdict === 'affected' ? 'affected' : 'possibly affected'} by ${id}.`,
    statement.text,
    ...(fixed === '-' ? [] : [`Fixed in ${fixed}.`]),
    ...listAdvice(finding),
    ...(priority_level === null ? [] : [`Priority ${priority_level}: ${priority_reason ?? ''}`]),
    ...(shown.length === 0 ? [] : [`In the document: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
  ].join(' ')
}

function listAdvice({ match, fix, upgradeTo }: Finding): readonly string[] {
  const plan =
    fix === undefined ? [] : [`Planned version: ${fix.to_version} (${fix.kind})${describeEffect(fix, match.id)}.`]
  return upgradeTo === '-' || upgradeTo === 'none known' ? plan : [...plan, `Upgrade to ${upgradeTo}.`]
}

function describeEffect(fix: PlannedFix, id: string): string {
  switch (findResolved(fix, id)) {
    case true:
      return ', which resolves it'
    case false:
      return ', with which it remains'
    case undefined:
      return ''
  }
}
