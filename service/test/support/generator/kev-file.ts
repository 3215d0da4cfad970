// Writes CISA's KEV catalog for the generated records that are known to be exploited.
import { join } from 'node:path'
import { generateContent } from './content.ts'
import { type DatasetOptions, type GeneratedRecord, generateRecords } from './generated-records.ts'
import { writePieces } from './packed-file.ts'
import { SHARES } from './shape.ts'

const DAY_MS = 86_400_000
const DAYS_TO_ACT = 21

export async function writeKev(folder: string, options: DatasetOptions): Promise<void> {
  const vulnerabilities = [...generateEntries(options)]
  const catalog = {
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: options.today.replaceAll('-', '.'),
    dateReleased: `${options.today}T00:00:00.0000Z`,
    count: vulnerabilities.length,
    vulnerabilities,
  }
  await writePieces(join(folder, 'known_exploited_vulnerabilities.json'), [JSON.stringify(catalog, undefined, 1)])
}

function* generateEntries(options: DatasetOptions) {
  for (const record of generateRecords(options)) if (record.isInKev) yield buildEntry(record)
}

function buildEntry(record: GeneratedRecord) {
  const { product, description, weakness } = generateContent(record)
  const dice = record.dice('kev')
  return {
    cveID: record.cveId,
    vendorProject: product.vendor,
    product: product.name,
    vulnerabilityName: `${product.vendor} ${product.name} vulnerability`,
    dateAdded: formatDay(record.modified),
    shortDescription: description.slice(0, 250),
    requiredAction: 'Apply the mitigations of the vendor or stop using the product.',
    dueDate: formatDay(new Date(record.modified.getTime() + DAYS_TO_ACT * DAY_MS)),
    knownRansomwareCampaignUse: dice.share() < SHARES.knownRansomware ? 'Known' : 'Unknown',
    notes: `https://security.${product.vendor}.example/${record.cveId}`,
    cwes: weakness.startsWith('CWE-') ? [weakness] : [],
  }
}

const formatDay = (instant: Date) => instant.toISOString().slice(0, 10)
