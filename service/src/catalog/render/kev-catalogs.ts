// Renders the entries of a CVE in the catalogs of known exploited vulnerabilities (decision E23).
import { formatInstant } from '../../domain/instant.ts'
import { KEV_CATALOGS, type KevCatalog } from '../../domain/kev-catalog.ts'
import type { SourceData } from '../model/source-data.ts'

interface CatalogEntry {
  readonly since: string
  readonly removedAt: Date | null
}

/** Renders the entries in the order of their days, so that the first catalog is the one that listed the CVE first. */
export function renderKevCatalogs(sourceData: SourceData) {
  const entries = findEntries(sourceData)
  return KEV_CATALOGS.flatMap((name) => {
    const entry = entries[name]
    if (entry === null) return []
    const removedAt = entry.removedAt === null ? null : formatInstant(entry.removedAt)
    return [{ name, since: entry.since, removed_at: removedAt }]
  }).toSorted((a, b) => (a.since === b.since ? 0 : a.since < b.since ? -1 : 1))
}

function findEntries({ kev, euKev }: SourceData): Readonly<Record<KevCatalog, CatalogEntry | null>> {
  return {
    cisa: kev && { since: kev.dateAdded, removedAt: kev.removedAt },
    eu: euKev && { since: euKev.dateListed, removedAt: euKev.removedAt },
  }
}
