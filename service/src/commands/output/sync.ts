// Formats the reports of feed runs: JSON for scripts, tables and notes for people.
import type { RunReport } from '../../feeds/engine/run.ts'
import type { Table } from './print.ts'

export interface TimedReport extends RunReport {
  readonly seconds: number
}

export const renderReport = (report: TimedReport) => ({
  feed: report.feed,
  outcome: report.outcome,
  read: report.read,
  written: report.written,
  removed: report.removed,
  unchanged: report.unchanged,
  duplicates: report.duplicates,
  rejected: report.rejected,
  truncated: report.truncated,
  seconds: Math.round(report.seconds * 10) / 10,
  notices: report.notices,
  fault: report.error,
})

export function buildReportTable(reports: readonly TimedReport[]): Table {
  return {
    headings: ['feed', 'outcome', 'read', 'written', 'unchanged', 'removed', 'rejected', 'seconds'],
    rows: reports.map((report) => [
      report.feed,
      report.outcome,
      report.read,
      report.written,
      report.unchanged,
      report.removed,
      report.rejected,
      Math.round(report.seconds * 10) / 10,
    ]),
  }
}

export function describeReports(reports: readonly TimedReport[], isDryRun = false): string[] {
  return reports.flatMap(({ feed, error, notices, rejected }) => [
    ...(error === null ? [] : [`${feed}: ${error}`]),
    ...notices.map((notice) => `${feed}: ${notice}`),
    ...(rejected === 0
      ? []
      : [
          `${feed}: ${rejected} records were rejected${isDryRun ? '.' : `. Show the reasons: vis-server feeds ${feed}`}`,
        ]),
  ])
}

/**
 * Missing files are an error only for feeds named on the command line. With --due, a feed that another worker is
 * running is not an error: that worker does the same work.
 */
export function isFailure({ outcome, feed }: RunReport, named: readonly string[], isDueOnly = false): boolean {
  if (outcome === 'absent') return named.includes(feed)
  if (outcome === 'busy') return !isDueOnly
  return outcome !== 'succeeded'
}
