// Queues the CVEs whose well-known names changed with a new release of the service.
//
// Only publishers write catalog.known_name, together with the queue and under the publishers' lock, so a publisher that
// dies has changed nothing. The API finds names in catalog.cve.words and does not read the table. While publishers from
// two releases with different lists are running, each queues the differing CVEs again, and the last one wins.
import { sql, type Transaction } from 'kysely'
import { KNOWN_NAMES, type KnownName } from '../../../domain/known-names/known-name-list.ts'
import { toStoredCveKey } from '../cve-key.ts'

export async function queueRenamed(
  tx: Transaction<unknown>,
  knownNames: readonly KnownName[] = KNOWN_NAMES,
): Promise<void> {
  const rows = knownNames.flatMap(({ name, cveIds }) => cveIds.map((cveId) => ({ name, key: toStoredCveKey(cveId) })))
  await sql`
    with listed as (
      select * from unnest(${rows.map(({ key }) => key)}::bigint[], ${rows.map(({ name }) => name)}::text[]) as each (cve_key, name)
    ), removed as (
      delete from catalog.known_name used
       where not exists (select from listed where (listed.cve_key, listed.name) = (used.cve_key, used.name))
      returning cve_key
    ), added as (
      insert into catalog.known_name (cve_key, name)
      select cve_key, name from listed
      on conflict do nothing
      returning cve_key
    )
    insert into source.publication_queue (cve_id, feed)
    select catalog.cve_id(cve_key), 'catalog'
      from catalog.cve
     where cve_key in (select cve_key from removed union select cve_key from added)
     order by cve_key
  `.execute(tx)
}
