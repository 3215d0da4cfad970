// An entry of the KEV catalogue as the four kinds of answers have it (decisions D10, D14).
import type { CveId } from '../../domain/cve-id.ts'
import type { KevFact } from '../model/source-data.ts'
import { jsonText } from './json-text.ts'

/** JSON text: inside a CVE, in a batch, among recent ones, and in the list of /kev. */
export interface RenderedKev {
  readonly summary: string
  readonly inBatch: string
  readonly inRecent: string
  readonly entry: string
}

/** Entries that CISA has removed are gone (decision D14). */
export function isListed(kev: KevFact | null): kev is KevFact {
  return kev !== null && kev.removedAt === null
}

export function renderKev(cveId: CveId, kev: KevFact): RenderedKev {
  const [summary, short] = [summaryOf(kev), batchForm(kev)]
  return {
    summary: jsonText(summary),
    inBatch: jsonText(short),
    inRecent: jsonText({ ...short, ...summary }),
    entry: jsonText(entryOf(cveId, kev)),
  }
}

/** Undefined members are absent from JSON: here they are optional (decision C2). */
function summaryOf(kev: KevFact) {
  return {
    dateAdded: kev.dateAdded,
    knownRansomware: kev.knownRansomware,
    vendorProject: kev.vendorProject,
    product: kev.product,
    vulnerabilityName: kev.vulnerabilityName,
    requiredAction: kev.requiredAction,
    dueDate: kev.dueDate ?? undefined,
    notes: kev.notes ?? undefined,
  }
}

function batchForm(kev: KevFact) {
  return {
    known_exploited: true,
    due_date: kev.dueDate,
    action_required: kev.requiredAction,
  }
}

function entryOf(cveId: CveId, kev: KevFact) {
  return {
    cveId,
    vendorProject: kev.vendorProject,
    product: kev.product,
    vulnerabilityName: kev.vulnerabilityName,
    dateAdded: kev.dateAdded,
    shortDescription: kev.shortDescription,
    requiredAction: kev.requiredAction,
    dueDate: kev.dueDate,
    knownRansomware: kev.knownRansomware,
    notes: kev.notes,
  }
}
