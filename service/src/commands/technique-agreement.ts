// Prints how far derived ATT&CK techniques agree with curated ones, for `vis-server catalog techniques`.
import { type Agreement, measureAgreement, readCuratedCves } from '../catalog/reports/technique-agreement.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatNumber, printHeading, printJson, printTable } from './output/print.ts'
import { withCatalogSession } from './publish-now.ts'

export async function showTechniqueAgreement(
  io: CommandIo,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const cves = await withCatalogSession(readConfig(io), ({ db }) => readCuratedCves(db))
  const report = measureAgreement(cves)
  if (json) return printJson(io, report)
  printHeading(io, `Derived techniques of the ${formatNumber(report.cves)} CVEs with curated techniques`)
  printTable(io, {
    headings: ['rule set', 'cves', ...AGREEMENT_HEADINGS, 'f1 of parts'],
    rows: report.ruleSets.map((each) => [
      each.name,
      each.cves,
      ...formatAgreement(each),
      each.f1OfParts.map(formatShare).join(' to '),
    ]),
  })
  printHeading(io, '\nRules in use, per technique')
  printTable(io, {
    headings: ['technique', ...AGREEMENT_HEADINGS],
    rows: report.techniques.map((each) => [each.technique, ...formatAgreement(each)]),
  })
}

const AGREEMENT_HEADINGS = ['curated', 'derived', 'agreed', 'precision', 'recall', 'f1']

function formatAgreement({ curated, derived, agreed, precision, recall, f1 }: Agreement): readonly (string | number)[] {
  return [curated, derived, agreed, formatShare(precision), formatShare(recall), formatShare(f1)]
}

function formatShare(share: number): string {
  return share.toFixed(3)
}
