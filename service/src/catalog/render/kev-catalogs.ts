// Renders the entries in the catalogs of known exploited vulnerabilities (decision E23).

import { KEV_CATALOGS, type KevCatalog } from '../../domain/exploitation/kev-catalog.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { SourceData } from '../model/source-data.ts'
import { toStorableText } from '../model/storable-text.ts'

interface CatalogEntry {
  readonly vendor: string
  readonly product: string
  readonly since: string
  readonly removedAt: Date | null
}

/** Orders the entries by day. The first catalog is marked, or both if they listed the CVE on the same day. */
export function renderKevCatalogs(sourceData: SourceData) {
  const entries = findEntries(sourceData)
  const listed = KEV_CATALOGS.flatMap((name) => {
    const entry = entries[name]
    return entry === null ? [] : [{ name, ...entry }]
  }).toSorted((a, b) => (a.since === b.since ? 0 : a.since < b.since ? -1 : 1))
  return listed.map(({ name, vendor, product, since, removedAt }) => ({
    name,
    vendor,
    product,
    since,
    removed_at: removedAt === null ? null : formatInstant(removedAt),
    first: since === listed[0]?.since,
  }))
}

function findEntries({ kev, euKev }: SourceData): Readonly<Record<KevCatalog, CatalogEntry | null>> {
  return {
    cisa: kev && { ...readNames(kev), since: kev.dateAdded, removedAt: kev.removedAt },
    eu: euKev && { ...readNames(euKev), since: euKev.dateListed, removedAt: euKev.removedAt },
  }
}

function readNames({ vendorProject, product }: { readonly vendorProject: string; readonly product: string }) {
  return { vendor: toStorableText(vendorProject), product: toStorableText(product) }
}
