// Prints the report of `visctl gate`: a table and a summary for people, and JSON for programs.

import { findCveBand, formatPercent, formatScore } from '../render/severity.ts'
import { type Column, renderTable } from '../render/table.ts'
import { cleanLine } from '../render/text.ts'
import type { Terminal } from '../terminal.ts'
import type { GateReport, Match } from './check.ts'
import { type ConditionName, type Conditions, describeConditions, type MissingValue } from './conditions.ts'

export type GateResult = 'clean' | 'found' | 'unknown'

/** Exit codes of `visctl gate`. Every failure has the code 2, also wrong usage and errors of the service. */
export const GATE_EXIT_CODES: Readonly<Record<GateResult, number>> = { clean: 0, found: 1, unknown: 2 }

export function getResult({ matches, unknown }: GateReport, allowsUnknown: boolean): GateResult {
  if (unknown.length > 0 && !allowsUnknown) return 'unknown'
  return matches.length > 0 ? 'found' : 'clean'
}

const VALUE_NAMES: Readonly<Record<MissingValue, string>> = {
  epss: 'EPSS score',
  severity: 'CVSS base score',
  priority: 'priority level',
}

/** Report for programs. Member names are part of the interface of visctl: add members, but do not rename any. */
export function toJsonReport(report: GateReport, result: GateResult) {
  const { conditions, checked, matches, unscored, unknown, credits } = report
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

export function renderSummary(report: GateReport, allowsUnknown: boolean): string {
  const { checked, matches, conditions, credits } = report
  const lines = [
    `${count(matches.length)} of ${count(checked)} CVEs ${matches.length === 1 ? 'meets' : 'meet'} ${formatConditions(conditions)}. Cost: ${count(credits)} ${credits === 1 ? 'credit' : 'credits'}.`,
    ...listUnscored(report),
    ...listUnknown(report, allowsUnknown),
  ]
  return `${lines.join('\n')}\n`
}

/** Lists the CVEs that could not be compared, by the value that they lack. */
export function listUnscored({ unscored }: GateReport): readonly string[] {
  return (['epss', 'severity', 'priority'] as const).flatMap((value) => {
    const ids = unscored.filter(({ missing }) => missing.includes(value)).map(({ cve_id }) => cleanLine(cve_id))
    return ids.length === 0 ? [] : [`Unscored, without ${VALUE_NAMES[value]} (${count(ids.length)}): ${ids.join(' ')}`]
  })
}

function listUnknown({ unknown }: GateReport, allowsUnknown: boolean): readonly string[] {
  if (unknown.length === 0) return []
  const ids = unknown.map(({ id }) => id).join(' ')
  const list = `${allowsUnknown ? '' : 'error: '}Unknown to the service (${count(unknown.length)}): ${ids}`
  return allowsUnknown ? [list] : [list, 'Correct or remove these ids, or pass --allow-unknown to accept them.']
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
