// Formats the results of `vis-server catalog audit` as tables.
import { AUDITED_VALUES, type AuditedYear, type CountedCheck } from '../../catalog/reports/audit/audit.ts'
import type { Comparison } from '../../catalog/reports/audit/compare.ts'
import type { Table } from './print.ts'

export function buildAuditTable(checks: readonly CountedCheck[]): Table {
  return {
    headings: ['check', 'CVEs', 'meaning', 'examples'],
    rows: checks.map(({ id, count, sentence, isInformation, examples }) => [
      id,
      count,
      isInformation ? `${sentence} (information)` : sentence,
      examples.join(' '),
    ]),
  }
}

export function buildGroupTables(
  checks: readonly CountedCheck[],
): readonly { readonly heading: string; readonly table: Table }[] {
  return checks.flatMap(({ id, groups }) =>
    groups === undefined || groups.length === 0
      ? []
      : [
          {
            heading: id,
            table: { headings: ['CVEs', 'group'], rows: groups.map(({ group, count }) => [count, group]) },
          },
        ],
  )
}

export function buildYearTable(years: readonly AuditedYear[]): Table {
  return {
    headings: ['year', 'CVEs', ...AUDITED_VALUES],
    rows: years.map((counts) => [counts.year, counts.cves, ...AUDITED_VALUES.map((name) => counts[name])]),
  }
}

export function buildComparisonTable(losses: Comparison['losses']): Table {
  return {
    headings: ['lost', 'CVEs', 'meaning', 'examples'],
    rows: losses.map(({ id, count, sentence, examples }) => [id, count, sentence, examples.join(' ')]),
  }
}
