// Publishes the KEV entries that were added, changed or removed since the last publication.
import { sql, type Transaction } from 'kysely'
import { type CopyValue, formatCopyChunks } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { KevEntry } from '../model/source-data.ts'
import { isListed, renderKev } from '../render/kev.ts'
import { toStoredCveKey } from './cve-key.ts'
import { readSourceData } from './read-source-data.ts'

/**
 * Publishes the changed KEV entries and returns the ids of their CVEs. The caller must publish these CVEs in the same
 * transaction.
 */
export async function publishKev(session: Session, tx: Transaction<unknown>): Promise<readonly CveId[]> {
  const changed = await findChangedEntries(tx)
  if (changed.length === 0) return []
  await sql`
    delete from catalog.kev
     where cve_key = any (${changed.map(({ cveId }) => toStoredCveKey(cveId))}::bigint[])
  `.execute(tx)
  const present = changed.filter(({ contentHash }) => contentHash !== null)
  await session.copyInto(
    tx,
    `catalog.kev (cve_key, ${KEV_COLUMNS.join(', ')}, content_hash)`,
    await buildRows(tx, present),
  )
  await sql`insert into catalog.change (kind, fields) values ('kev', '{kev}')`.execute(tx)
  return changed.map(({ cveId }) => cveId)
}

interface ChangedEntry {
  readonly cveId: CveId
  /** Content hash of the stored KEV entry; null for an entry that CISA removed. */
  readonly contentHash: Buffer | null
}

async function findChangedEntries(tx: Transaction<unknown>): Promise<readonly ChangedEntry[]> {
  const { rows } = await sql<ChangedEntry>`
    select coalesce(stored.cve_id, catalog.cve_id(published.cve_key)) as "cveId",
           stored.content_hash as "contentHash"
      from (
             select cve_id, catalog.cve_key(cve_id) as cve_key, content_hash
               from source.kev_entry
              where removed_at is null
           ) stored
      full join catalog.kev published
        on published.cve_key = stored.cve_key
     where stored.content_hash is distinct from published.content_hash
     order by 1
  `.execute(tx)
  return rows
}

async function buildRows(tx: Transaction<unknown>, present: readonly ChangedEntry[]): Promise<Iterable<string>> {
  const hashes = new Map(present.map(({ cveId, contentHash }) => [cveId, contentHash]))
  const sourceData = await readSourceData(tx, [...hashes.keys()])
  return formatCopyChunks(
    sourceData.flatMap(({ cveId, kev }) => (!isListed(kev) ? [] : [buildRow(cveId, kev, hashes.get(cveId) ?? null)])),
  )
}

function buildRow(cveId: CveId, kev: KevEntry, contentHash: Buffer | null): readonly CopyValue[] {
  return [toStoredCveKey(cveId), ...listKevValues(cveId, kev), contentHash]
}

/** Columns of catalog.kev that are rendered from a KEV entry, in the order of `listKevValues`. */
export const KEV_COLUMNS = [
  'vendor_project',
  'product',
  'date_added',
  'due_date',
  'known_ransomware',
  'summary',
  'in_batch',
  'in_recent',
  'entry',
] as const

export function listKevValues(cveId: CveId, kev: KevEntry): readonly (string | boolean | null)[] {
  const { summary, inBatch, inRecent, entry } = renderKev(cveId, kev)
  return [
    kev.vendorProject,
    kev.product,
    kev.dateAdded,
    kev.dueDate,
    kev.knownRansomware,
    summary,
    inBatch,
    inRecent,
    entry,
  ]
}
