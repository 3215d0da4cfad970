// CISA's catalogue: of a few records, those that are known to be exploited.
import { join } from 'node:path'
import { contentOf } from './content.ts'
import { writePieces } from './packed-file.ts'
import { type RecordFacts, recordFacts, type Wanted } from './record-facts.ts'
import { SHARES } from './shape.ts'

const DAY_MS = 86_400_000
const DAYS_TO_ACT = 21

export async function writeKev(folder: string, wanted: Wanted): Promise<void> {
  const vulnerabilities = [...entries(wanted)]
  const catalogue = {
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: wanted.today.replaceAll('-', '.'),
    dateReleased: `${wanted.today}T00:00:00.0000Z`,
    count: vulnerabilities.length,
    vulnerabilities,
  }
  await writePieces(join(folder, 'known_exploited_vulnerabilities.json'), [JSON.stringify(catalogue, undefined, 1)])
}

function* entries(wanted: Wanted) {
  for (const facts of recordFacts(wanted)) if (facts.isInKev) yield entryOf(facts)
}

function entryOf(facts: RecordFacts) {
  const { product, description, weakness } = contentOf(facts)
  const dice = facts.dice('kev')
  return {
    cveID: facts.cveId,
    vendorProject: product.vendor,
    product: product.name,
    vulnerabilityName: `${product.vendor} ${product.name} vulnerability`,
    dateAdded: day(facts.modified),
    shortDescription: description.slice(0, 250),
    requiredAction: 'Apply the mitigations of the vendor, or stop using the product.',
    dueDate: day(new Date(facts.modified.getTime() + DAYS_TO_ACT * DAY_MS)),
    knownRansomwareCampaignUse: dice.share() < SHARES.knownRansomware ? 'Known' : 'Unknown',
    notes: `https://security.${product.vendor}.example/${facts.cveId}`,
    cwes: weakness.startsWith('CWE-') ? [weakness] : [],
  }
}

const day = (instant: Date) => instant.toISOString().slice(0, 10)
