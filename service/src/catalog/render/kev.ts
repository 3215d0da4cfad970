// Renders the four JSON forms of a KEV entry (decisions D10, D14).
import type { CveId } from '../../domain/cve-id.ts'
import type { EuKevEntry, KevEntry } from '../model/source-data.ts'
import { toJsonText } from '../model/storable-text.ts'

/** JSON texts for a single or listed CVE, for a batch, for recent CVEs and for /kev. */
export interface RenderedKev {
  readonly summary: string
  readonly inBatch: string
  readonly inRecent: string
  readonly entry: string
}

/** Returns false for an entry that was removed from the catalog (decision D14). */
export function isListed<T extends Pick<KevEntry, 'removedAt'>>(entry: T | null): entry is T {
  return entry !== null && entry.removedAt === null
}

export function isUsedByRansomware({ exploitation }: EuKevEntry): boolean {
  return exploitation.some((kind) => kind.toLowerCase() === 'ransomware')
}

/** Not "could be end-of-life", nor a sentence about some of the product's versions. */
const END_OF_LIFE = /\bproducts? (?:is|are) end-of-life\b/i

export function saysEndOfLife({ shortDescription, requiredAction }: KevEntry): boolean {
  return END_OF_LIFE.test(shortDescription) || END_OF_LIFE.test(requiredAction)
}

export function renderKev(cveId: CveId, kev: KevEntry): RenderedKev {
  const [summary, short] = [buildSummary(kev), buildBatchForm(kev)]
  return {
    summary: toJsonText(summary),
    inBatch: toJsonText(short),
    inRecent: toJsonText({ ...short, ...summary }),
    entry: toJsonText(buildEntry(cveId, kev)),
  }
}

/** JSON omits undefined members (decision C2). */
function buildSummary(kev: KevEntry) {
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

function buildBatchForm(kev: KevEntry) {
  return {
    known_exploited: true,
    due_date: kev.dueDate,
    action_required: kev.requiredAction,
  }
}

function buildEntry(cveId: CveId, kev: KevEntry) {
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
