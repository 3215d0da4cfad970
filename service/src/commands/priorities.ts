// Prints how the priority policy divides up the catalog, for `vis-server catalog priorities`.
import { measurePriorities, type PriorityReport } from '../catalog/reports/priorities.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatNumber, printHeading, printJson, printLine, printTable, type Table } from './output/print.ts'
import { createPublishProgress } from './output/publish-progress.ts'
import { withCatalogSession } from './publish-now.ts'

export async function showPriorities(io: CommandIo, { json = false }: { readonly json?: boolean }): Promise<void> {
  const line = createPublishProgress(io.stderr)
  const report = await withCatalogSession(readConfig(io), ({ db }) =>
    measurePriorities(db, (done) => line.show({ done, total: undefined })),
  ).finally(() => line.clear())
  if (json) return printJson(io, report)
  printHeading(io, `Levels of ${formatNumber(report.cves)} CVEs`)
  printTable(io, buildLevelTable(report))
  printLine(
    io,
    `${formatNumber(report.rejected)} rejected CVEs have no level; ${formatNumber(report.staleRanks)} have a rank of another level.`,
  )
  printHeading(io, `\nRules compared, on ${formatNumber(report.comparison.cves)} CVEs with a CVSS vector`)
  printTable(io, buildComparisonTable(report))
  printHeading(io, "\nSSVC values derived from CVSS, compared with CISA's")
  printTable(io, buildAgreementTable(report))
  printHeading(io, '\nInputs of the deadlines of BOD 26-04')
  printTable(io, buildInputTable(report))
  printHeading(io, '\nKEV entries since the directive')
  printTable(io, buildDeadlineTable(report))
}

function buildLevelTable({ levels, cves }: PriorityReport): Table {
  return {
    headings: ['level', 'cves', '% of all', 'in kev', 'score ≥ 9'],
    rows: levels.map((each) => [
      each.level,
      each.cves,
      formatShare(each.cves, cves, 2),
      each.inKev,
      each.scoredCritical,
    ]),
  }
}

function buildComparisonTable({ comparison: { cves, inKev, rules } }: PriorityReport): Table {
  return {
    headings: ['rule', 'flagged', '% of cves', '% of kev found', '% of flagged in kev'],
    rows: rules.map((rule) => [
      rule.name,
      rule.flagged,
      formatShare(rule.flagged, cves),
      formatShare(rule.inKev, inKev),
      formatShare(rule.inKev, rule.flagged),
    ]),
  }
}

function buildAgreementTable({ agreement: { automatable, technicalImpact } }: PriorityReport): Table {
  return {
    headings: ['value', 'compared', 'agreed', '% agreed'],
    rows: [['automatable', automatable] as const, ['technical impact', technicalImpact] as const].map(
      ([name, { compared, agreed }]) => [name, compared, agreed, formatShare(agreed, compared)],
    ),
  }
}

function buildInputTable({ deadlines: { cisa, incomplete, kevCisa, kevIncomplete } }: PriorityReport): Table {
  return {
    headings: ['inputs', 'cves', 'in kev'],
    rows: [
      ['cisa', cisa, kevCisa],
      ['incomplete', incomplete, kevIncomplete],
    ],
  }
}

function buildDeadlineTable({ deadlines: { sinceDirective } }: PriorityReport): Table {
  const compared = sinceDirective.filter(({ deadline }) => deadline.kev_due_agrees !== null)
  return {
    headings: ['cve', 'added', 'due', 'automatable', 'impact', 'exposed', 'internal', 'agrees'],
    rows: [
      ...compared.map(({ cveId, kev, automatable, technicalImpact, deadline }) => [
        cveId,
        kev.since,
        kev.dueDate ?? '–',
        automatable ?? '–',
        technicalImpact ?? '–',
        deadline.exposed?.due_date ?? '–',
        deadline.internal?.due_date ?? '–',
        deadline.kev_due_agrees ? 'yes' : 'no',
      ]),
      [`${formatNumber(sinceDirective.length - compared.length)} more`, '–', '–', '–', '–', '–', '–', 'not comparable'],
    ],
  }
}

function formatShare(part: number, whole: number, decimals = 1): string {
  return whole === 0 ? '–' : ((100 * part) / whole).toFixed(decimals)
}
