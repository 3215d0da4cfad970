// Formats the coverage of the catalog as tables.
import { COUNTED_VALUES, type SourceCoverage } from '../../catalog/reports/coverage/by-source.ts'
import { type CoverageOfYear, VALUES_BY_YEAR } from '../../catalog/reports/coverage/by-year.ts'
import { formatNumber, type Table } from './print.ts'

export function buildYearTable(years: readonly CoverageOfYear[]): Table {
  return {
    headings: ['year', 'CVEs', ...VALUES_BY_YEAR],
    rows: years.map((counts) => [counts.year, counts.cves, ...VALUES_BY_YEAR.map((name) => counts[name])]),
  }
}

/** `12,345 (67)`: the source gives the value for 12,345 CVEs, and for 67 of them no other source does. */
export function buildSourceTable(sources: readonly SourceCoverage[]): Table {
  return {
    headings: ['source', ...COUNTED_VALUES.map((name) => name.replace('_', ' '))],
    rows: sources.map(({ source, counts }) => [
      source,
      ...COUNTED_VALUES.map((name) => formatCount(counts[name].cves, counts[name].alone)),
    ]),
  }
}

function formatCount(cves: number, alone: number): string {
  return cves === 0 ? '–' : `${formatNumber(cves)} (${formatNumber(alone)})`
}
