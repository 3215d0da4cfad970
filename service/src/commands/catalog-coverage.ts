// Command `vis-server catalog coverage`: what the catalog has for the CVEs of each year, or what each source adds.
import type { Command } from 'commander'
import { measureCoverageBySource } from '../catalog/reports/coverage/by-source.ts'
import { measureCoverageByYear } from '../catalog/reports/coverage/by-year.ts'
import { type CommandIo, readConfig } from './io.ts'
import { buildSourceTable, buildYearTable } from './output/coverage.ts'
import { formatNumber, printJson, printNote, printTable } from './output/print.ts'
import { createPublishProgress } from './output/publish-progress.ts'
import { withCatalogSession } from './publish-now.ts'

interface CoverageOptions {
  readonly json?: boolean
  readonly sources?: boolean
}

export function configureCoverageCommand(command: Command, io: CommandIo): void {
  command
    .option('--sources', 'Count the values by source, and in parentheses those that no other source gives')
    .action((options: CoverageOptions) => (options.sources ? showSources(io, options) : showYears(io, options)))
}

async function showYears(io: CommandIo, { json = false }: CoverageOptions): Promise<void> {
  const line = createPublishProgress(io.stderr)
  const years = await withCatalogSession(readConfig(io), ({ db }) =>
    measureCoverageByYear(db, { onProgress: line.show }),
  ).finally(() => line.clear())
  if (json) printJson(io, { years })
  else printTable(io, buildYearTable(years))
}

async function showSources(io: CommandIo, { json = false }: CoverageOptions): Promise<void> {
  const line = createPublishProgress(io.stderr)
  const coverage = await withCatalogSession(readConfig(io), ({ db }) =>
    measureCoverageBySource(db, { onProgress: line.show }),
  ).finally(() => line.clear())
  if (json) return printJson(io, coverage)
  printTable(io, buildSourceTable(coverage.sources))
  printNote(
    io,
    `${formatNumber(coverage.cves)} CVEs, without rejected ones. In parentheses: CVEs for which no other source gives the value.`,
  )
}
