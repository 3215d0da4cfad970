// Prints the report of `visctl gate`: a table and a summary for people, and JSON for programs.

import { formatCredits } from '../render/credits.ts'
import { findCveBand, formatPercent, formatScore } from '../render/severity.ts'
import { type Column, renderTable } from '../render/table.ts'
import type { Terminal } from '../render/terminal.ts'
import { cleanLine } from '../render/text.ts'
import type { GateReport, Match } from './check.ts'
import { type ConditionName, type Conditions, describeConditions, type MissingValue } from './conditions.ts'

export type GateResult = 'failed' | 'incomplete' | 'passed'

/** Exit codes of `visctl gate`. Every error exits with 2, including wrong usage and service errors. */
export const GATE_EXIT_CODES: Readonly<Record<GateResult, number>> = { failed: 1, incomplete: 2, passed: 0 }

/** Reasons for an incomplete gate that the caller accepts. */
export interface Allowed {
  readonly unknown: boolean
  readonly unscored: boolean
  readonly stale: boolean
}

export function getResult({ matches, unknown, unscored, stale }: GateReport, allowed: Allowed): GateResult {
  if (matches.length > 0) return 'failed'
  const isIncomplete =
    (unknown.length > 0 && !allowed.unknown) ||
    (unscored.length > 0 && !allowed.unscored) ||
    (stale.length > 0 && !allowed.stale)
  return isIncomplete ? 'incomplete' : 'passed'
}

const VALUE_NAMES: Readonly<Record<MissingValue, string>> = {
  epss: 'EPSS score',
  severity: 'CVSS base score',
  priority: 'priority level',
}

/** Report for programs. Its member names are part of visctl's interface: add members, but do not rename any. */
export function toJsonReport(report: GateReport, result: GateResult) {
  const { conditions, checked, matches, unscored, unknown, stale, credits } = report
  return {
    result,
    conditions: {
      kev: conditions.kev,
      epss_min: conditions.epssMin ?? null,
      severity: conditions.severity ?? null,
      ...(conditions.priority && { priority: conditions.priority }),
    },
    checked,
    matches: matches.map(({ cve, met }) => ({
      cve_id: cve.cve_id,
      met,
      severity: cve.severity,
      ...(conditions.priority && { priority: cve.priority?.level ?? null }),
      epss_score: cve.epss?.score ?? null,
      kev_date_added: cve.kev?.dateAdded ?? null,
      kev_due_date: cve.kev?.dueDate ?? null,
      description: cve.description,
    })),
    unscored,
    unknown: unknown.map(({ id }) => id),
    stale,
    credits,
  }
}

const LEVEL: Column<Match> = { title: 'LEVEL', text: ({ cve }) => cve.priority?.level ?? '-' }

export function renderMatches(terminal: Terminal, { matches, conditions }: GateReport): string {
  if (matches.length === 0) return ''
  const names = describeConditions(conditions)
  const columns: readonly Column<Match>[] = [
    { title: 'CVE', text: ({ cve }) => cve.cve_id, style: () => 'bold' },
    { title: 'SCORE', align: 'right', text: ({ cve }) => formatScore(cve.severity) },
    {
      title: 'SEVERITY',
      text: ({ cve }) => findCveBand(cve).name,
      style: ({ cve }) => findCveBand(cve).style,
    },
    { title: 'EPSS', align: 'right', text: ({ cve }) => formatPercent(cve.epss?.score) },
    { title: 'KEV', text: ({ cve }) => (cve.kev ? 'yes' : ''), style: () => ['bold', 'red'] },
    ...(conditions.priority ? [LEVEL] : []),
    { title: 'MEETS', text: ({ met }) => met.map((name) => names[name]).join(', ') },
    { title: 'DESCRIPTION', text: ({ cve }) => cve.description ?? '' },
  ]
  return renderTable(terminal, columns, matches)
}

export function renderSummary(report: GateReport, allowed: Allowed): string {
  const { checked, matches, conditions, credits } = report
  const lines = [
    `${count(matches.length)} of ${count(checked)} CVEs ${matches.length === 1 ? 'meets' : 'meet'} ${formatConditions(conditions)}. Cost: ${formatCredits(credits)}.`,
    ...listIncomplete(report, allowed),
    ...describeResult(getResult(report, allowed)),
  ]
  return `${lines.join('\n')}\n`
}

/** If the check passed, the first line of the summary already says so. */
function describeResult(result: GateResult): readonly string[] {
  if (result === 'passed') return []
  return [result === 'failed' ? 'Failed.' : 'Incomplete: no compared CVE meets a condition, but not all were compared.']
}

/** Explains what could not be compared, and how to accept it. */
export function listIncomplete(report: GateReport, allowed: Allowed): readonly string[] {
  return [
    ...withAdvice(listUnscored(report), allowed.unscored, '--allow-unscored accepts CVEs without these values.'),
    ...withAdvice(
      listUnknown(report),
      allowed.unknown,
      'Correct or remove these ids, or pass --allow-unknown to accept them.',
    ),
    ...withAdvice(listStale(report), allowed.stale, '--allow-stale accepts old data; visctl health shows its age.'),
  ]
}

function withAdvice(lines: readonly string[], isAllowed: boolean, advice: string): readonly string[] {
  if (lines.length === 0) return []
  return isAllowed ? lines.map((line) => `Allowed: ${line}`) : [...lines, advice]
}

function listStale({ stale }: GateReport): readonly string[] {
  return stale.length === 0 ? [] : [`Stale data (${count(stale.length)}): ${stale.map(cleanLine).join(' ')}`]
}

/** Lists the CVEs that could not be compared, grouped by the value that they lack. */
function listUnscored({ unscored }: GateReport): readonly string[] {
  return (['epss', 'severity', 'priority'] as const).flatMap((value) => {
    const ids = unscored.filter(({ missing }) => missing.includes(value)).map(({ cve_id }) => cleanLine(cve_id))
    return ids.length === 0 ? [] : [`Unscored, without ${VALUE_NAMES[value]} (${count(ids.length)}): ${ids.join(' ')}`]
  })
}

function listUnknown({ unknown }: GateReport): readonly string[] {
  if (unknown.length === 0) return []
  return [`Unknown to the service (${count(unknown.length)}): ${unknown.map(({ id }) => id).join(' ')}`]
}

function formatConditions(conditions: Conditions): string {
  const given = Object.values(describeConditions(conditions)).filter((text) => text !== '')
  return given.length === 1 ? `the condition ${given[0]}` : `one of the conditions ${given.join(', ')}`
}

function count(number: number): string {
  return number.toLocaleString('en')
}

export function describeMet(met: readonly ConditionName[], conditions: Conditions): string {
  const names = describeConditions(conditions)
  return met.map((name) => names[name]).join(', ')
}
