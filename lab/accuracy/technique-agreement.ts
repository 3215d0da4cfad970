// node lab/accuracy/technique-agreement.ts [--json]: shows how far derived ATT&CK techniques agree with curated ones, for
// the rules in use and for other rules. DATABASE_URL names the database, with the role vis_feeds.
import { type CommandIo, createProcessIo, readConfig } from '../../service/src/commands/io.ts'
import { formatNumber, printHeading, printJson, printTable } from '../../service/src/commands/output/print.ts'
import { withCatalogSession } from '../../service/src/commands/publish-now.ts'
import { type Agreement, measureAgreement, readCuratedCves } from './measure-agreement.ts'

async function showTechniqueAgreement(io: CommandIo, isJson: boolean): Promise<void> {
  const cves = await withCatalogSession(readConfig(io), ({ db }) => readCuratedCves(db))
  const report = measureAgreement(cves)
  if (isJson) return printJson(io, report)
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

await showTechniqueAgreement(createProcessIo(), process.argv.includes('--json'))
