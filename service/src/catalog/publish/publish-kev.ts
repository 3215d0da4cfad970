// CISA's catalogue, as a whole: entries that came, changed or went since it was last published.
import { sql, type Transaction } from 'kysely'
import { type CopyValue, copyChunks } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { KevFact } from '../model/source-data.ts'
import { isListed, renderKev } from '../render/kev.ts'
import { keyOf } from './cve-key.ts'
import { readSourceData } from './read-source-data.ts'

/** The CVEs whose entry is another one now: they are to be published in the same transaction. */
export async function publishKev(session: Session, tx: Transaction<unknown>): Promise<readonly CveId[]> {
  const changed = await findChanged(tx)
  if (changed.length === 0) return []
  await sql`
    delete from catalog.kev
     where cve_key = any (${changed.map(({ cveId }) => keyOf(cveId))}::bigint[])
  `.execute(tx)
  const present = changed.filter(({ contentHash }) => contentHash !== null)
  await session.copyInto(tx, ENTRIES, await entries(tx, present))
  await sql`insert into catalog.change (kind, fields) values ('kev', '{kev}')`.execute(tx)
  return changed.map(({ cveId }) => cveId)
}

interface Changed {
  readonly cveId: CveId
  /** Null: it went. */
  readonly contentHash: Buffer | null
}

async function findChanged(tx: Transaction<unknown>): Promise<readonly Changed[]> {
  const { rows } = await sql<Changed>`
    select coalesce(said.cve_id, catalog.cve_id(ours.cve_key)) as "cveId", said.content_hash as "contentHash"
      from (
             select cve_id, catalog.cve_key(cve_id) as cve_key, content_hash
               from source.kev_entry
              where removed_at is null
           ) said
      full join catalog.kev ours
        on ours.cve_key = said.cve_key
     where said.content_hash is distinct from ours.content_hash
     order by 1
  `.execute(tx)
  return rows
}

const ENTRIES = `catalog.kev (
  cve_key, vendor_project, product, date_added, due_date, known_ransomware, summary, in_batch, in_recent, entry,
  content_hash
)`

async function entries(tx: Transaction<unknown>, present: readonly Changed[]): Promise<Iterable<string>> {
  const hashes = new Map(present.map(({ cveId, contentHash }) => [cveId, contentHash]))
  const facts = await readSourceData(tx, [...hashes.keys()])
  return copyChunks(
    facts.flatMap(({ cveId, kev }) => (!isListed(kev) ? [] : [entryOf(cveId, kev, hashes.get(cveId) ?? null)])),
  )
}

function entryOf(cveId: CveId, kev: KevFact, contentHash: Buffer | null): readonly CopyValue[] {
  const { summary, inBatch, inRecent, entry } = renderKev(cveId, kev)
  return [
    keyOf(cveId),
    kev.vendorProject,
    kev.product,
    kev.dateAdded,
    kev.dueDate,
    kev.knownRansomware,
    summary,
    inBatch,
    inRecent,
    entry,
    contentHash,
  ]
}
