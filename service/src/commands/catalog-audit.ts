// Command `vis-server catalog audit`: checks the whole catalog for defects, or compares two catalogs.
import type { Command } from 'commander'
import { auditCatalog } from '../catalog/reports/audit/audit.ts'
import { type CompareOptions, type Comparison, compareCatalogs } from '../catalog/reports/audit/compare.ts'
import { compareCves } from '../catalog/reports/audit/round-trip/compare-catalog.ts'
import type { RoundTrip } from '../catalog/reports/audit/round-trip/counters.ts'
import { openSession, type Session } from '../database/session.ts'
import { parseCveId } from '../domain/cve-id.ts'
import { UsageError } from '../domain/usage-error.ts'
import { type CommandIo, readConfig } from './io.ts'
import { buildAuditTable, buildComparisonTable, buildGroupTables, buildRoundTripTable } from './output/audit.ts'
import { buildYearTable } from './output/coverage.ts'
import { formatNumber, printHeading, printJson, printNote, printTable } from './output/print.ts'
import { createPublishProgress } from './output/publish-progress.ts'
import { withCatalogSession } from './publish-now.ts'

interface AuditOptions {
  readonly json?: boolean
  readonly examples?: string
  readonly compare?: string
  readonly cve?: string
}

const DEFAULT_EXAMPLES = '3'
const MAX_EXAMPLES = 1000

export function configureAuditCommand(command: Command, io: CommandIo): void {
  command
    .option('--examples <number>', 'Number of example ids per row', DEFAULT_EXAMPLES)
    .option(
      '--compare <url>',
      'Count the CVEs that lost a value since the catalog in this database. Give the password in PGPASSWORD or .pgpass',
    )
    .option('--cve <id>', 'Compare only the values of this CVE with the raw records of their sources')
    .action((options: AuditOptions) => {
      if (options.compare !== undefined) return showComparison(io, options, options.compare)
      return options.cve === undefined ? showAudit(io, options) : showCve(io, options, options.cve)
    })
}

async function showAudit(io: CommandIo, { json = false, examples }: AuditOptions): Promise<void> {
  const maxExamples = parseExamples(examples)
  const line = createPublishProgress(io.stderr)
  const audit = await withCatalogSession(readConfig(io), ({ db }) =>
    auditCatalog(db, { maxExamples, onProgress: line.show }),
  ).finally(() => line.clear())
  if (json) return printJson(io, audit)
  printTable(io, buildAuditTable(audit.checks))
  for (const { heading, table } of buildGroupTables(audit.checks)) {
    printHeading(io, `\n${heading}`)
    printTable(io, table)
  }
  showRoundTrip(io, audit.roundTrip)
  printHeading(io, `\nServed CVEs by year, without rejected CVEs (${formatNumber(audit.cves)} CVEs in all)`)
  printTable(io, buildYearTable(audit.years))
}

async function showCve(io: CommandIo, { json = false }: AuditOptions, text: string): Promise<void> {
  const cveId = parseCveId(text)
  if (cveId === undefined) throw new UsageError(`--cve takes a CVE id, not ${JSON.stringify(text.slice(0, 80))}.`)
  const roundTrip = await withCatalogSession(readConfig(io), ({ db }) => compareCves(db, [cveId], { maxExamples: 1 }))
  if (json) printJson(io, { roundTrip })
  else showRoundTrip(io, roundTrip)
}

function showRoundTrip(io: CommandIo, roundTrip: RoundTrip): void {
  const [compared, differing] = [
    Object.values(roundTrip.compared).reduce((sum, each) => sum + each, 0),
    roundTrip.differences.reduce((sum, { values }) => sum + values, 0),
  ].map(formatNumber)
  printHeading(io, `\nRound trip: ${compared} served values compared with the raw records, ${differing} differences`)
  if (roundTrip.differences.length > 0) printTable(io, buildRoundTripTable(roundTrip))
}

async function compareWith(io: CommandIo, earlier: Session, options: CompareOptions): Promise<Comparison> {
  try {
    return await withCatalogSession(readConfig(io), ({ db }) => compareCatalogs(earlier.db, db, options))
  } finally {
    await earlier.close()
  }
}

async function showComparison(io: CommandIo, { json = false, examples }: AuditOptions, url: string): Promise<void> {
  const maxExamples = parseExamples(examples)
  const line = createPublishProgress(io.stderr)
  const earlier = openSession(url, 'audit')
  const comparison = await compareWith(io, earlier, { maxExamples, onProgress: line.show }).finally(line.clear)
  if (json) return printJson(io, comparison)
  printTable(io, buildComparisonTable(comparison.losses))
  printNote(io, `${formatNumber(comparison.cves)} CVEs of the earlier catalog were compared.`)
}

function parseExamples(text = DEFAULT_EXAMPLES): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(count <= MAX_EXAMPLES))
    throw new UsageError(`--examples takes a number from 0 to ${MAX_EXAMPLES}, not ${JSON.stringify(text)}.`)
  return count
}
