// What runs came to, as JSON for scripts and as lines for people.
import type { RunReport } from '../../feeds/engine/run.ts'
import { table } from './print.ts'

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
  seconds: Math.round(report.seconds * 10) / 10,
  notices: report.notices,
  fault: report.fault,
})

export function reportTable(reports: readonly TimedReport[]): string {
  return table(
    ['feed', 'outcome', 'read', 'written', 'unchanged', 'removed', 'rejected', 'seconds'],
    reports.map((each) => [
      each.feed,
      each.outcome,
      each.read,
      each.written,
      each.unchanged,
      each.removed,
      each.rejected,
      Math.round(each.seconds * 10) / 10,
    ]),
  )
}

export function remarksOn(reports: readonly TimedReport[], isRehearsal = false): string[] {
  return reports.flatMap(({ feed, fault, notices, rejected }) => [
    ...(fault === null ? [] : [`${feed}: ${fault}`]),
    ...notices.map((notice) => `${feed}: ${notice}`),
    ...(rejected === 0
      ? []
      : [`${feed}: ${rejected} records were rejected${isRehearsal ? '.' : `; vis-server feeds ${feed} shows why.`}`]),
  ])
}

/** A directory need not hold files of every feed, unless the feed was asked for by name; a worker may be faster. */
export function isTrouble({ outcome, feed }: RunReport, named: readonly string[], isDueOnly = false): boolean {
  if (outcome === 'absent') return named.includes(feed)
  if (outcome === 'busy') return !isDueOnly
  return outcome !== 'succeeded'
}
