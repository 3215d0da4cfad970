// Formats the results of `vis-server catalog audit` as tables.
import type { CountedCheck } from '../../catalog/reports/audit/audit.ts'
import type { Comparison } from '../../catalog/reports/audit/compare.ts'
import type { RoundTrip } from '../../catalog/reports/audit/round-trip/counters.ts'
import type { Table } from './print.ts'

/** The JSON has all sources. */
const MAX_SOURCES = 4

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

export function buildRoundTripTable({ differences }: RoundTrip): Table {
  return {
    headings: ['place', 'difference', 'values', 'CVEs', 'meaning', 'sources', 'examples'],
    rows: differences.map(({ place, kind, values, count, sentence, reason, sources, examples }) => [
      place,
      kind,
      values,
      count,
      reason === undefined ? sentence : `${sentence} (intended: ${reason})`,
      sources
        .slice(0, MAX_SOURCES)
        .map((each) => `${each.source} ${each.values}`)
        .join(', '),
      examples.join(' '),
    ]),
  }
}

export function buildComparisonTable(losses: Comparison['losses']): Table {
  return {
    headings: ['lost', 'CVEs', 'meaning', 'examples'],
    rows: losses.map(({ id, count, sentence, examples }) => [id, count, sentence, examples.join(' ')]),
  }
}
