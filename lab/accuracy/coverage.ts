// node lab/accuracy/coverage.ts [--json]: shows how complete the data of each year is, for NVD alone and for all sources
// merged, lists scores that contradict their CVSS vector, and counts the CVEs that a source describes although the
// catalog has no record of them. DATABASE_URL names the database, with the role vis_feeds.
import { type CommandIo, createProcessIo, readConfig } from '../../service/src/commands/io.ts'
import {
  formatFields,
  formatNumber,
  printHeading,
  printJson,
  printLine,
  printNote,
  printTable,
  type Table,
} from '../../service/src/commands/output/print.ts'
import { createPublishProgress } from '../../service/src/commands/output/publish-progress.ts'
import { withCatalogSession } from '../../service/src/commands/publish-now.ts'
import { findUnserved, type UnservedCount } from './find-unserved.ts'
import { COVERED, type Coverage, measureCoverage, type YearCoverage } from './measure-coverage.ts'

async function showCoverage(io: CommandIo, isJson: boolean): Promise<void> {
  const line = createPublishProgress(io.stderr)
  const { unserved, ...coverage } = await withCatalogSession(readConfig(io), async (session) => ({
    ...(await measureCoverage(session, (done) => line.show({ done, total: undefined }))),
    unserved: await findUnserved(session),
  }))
  line.clear()
  if (isJson) return printJson(io, { ...coverage, disagreements: Object.fromEntries(coverage.disagreements), unserved })
  printTable(io, buildCoverageTable(coverage.years))
  printNote(
    io,
    'Columns in %: CVEs known to NVD, with NVD data alone → with merged data; then all CVEs, with merged data. Rejected CVEs are not counted.',
  )
  printScores(io, coverage)
  printUnserved(io, unserved)
}

function buildCoverageTable(years: readonly YearCoverage[]): Table {
  const formatShare = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}`)
  return {
    headings: ['year', 'in nvd', 'all', ...COVERED.map((name) => `${name} %`)],
    rows: years.map(({ year, inNvd, all, having }) => [
      year,
      inNvd,
      all,
      ...COVERED.map((name) => {
        const { nvdAlone, nvdMerged, allMerged } = having[name]
        return `${formatShare(nvdAlone, inNvd)} → ${formatShare(nvdMerged, inNvd)}; ${formatShare(allMerged, all)}`
      }),
    ]),
  }
}

function printScores(io: CommandIo, { ratings, disagreements, examples }: Coverage): void {
  const total = [...disagreements.values()].reduce((sum, count) => sum + count, 0)
  printHeading(io, `\n${formatNumber(total)} of ${formatNumber(ratings)} stated scores differ from their CVSS vector`)
  const byCount = [...disagreements].sort(([, a], [, b]) => b - a)
  printLine(io, formatFields(Object.fromEntries(byCount.map(([group, count]) => [group, formatNumber(count)]))))
  for (const { cveId, rating } of examples)
    printLine(
      io,
      `${cveId}  ${rating.by} states ${rating.statedScore}, the vector gives ${rating.score}: ${rating.vector}`,
    )
}

function printUnserved(io: CommandIo, unserved: readonly UnservedCount[]): void {
  const total = unserved.reduce((sum, { count }) => sum + count, 0)
  printHeading(io, `\n${formatNumber(total)} times, a source describes a CVE without a record`)
  if (unserved.length > 0)
    printTable(io, {
      headings: ['source', 'year', 'CVEs', 'example'],
      rows: unserved.map(({ source, year, count, example }) => [source, year, count, example]),
    })
}

await showCoverage(createProcessIo(), process.argv.includes('--json'))
