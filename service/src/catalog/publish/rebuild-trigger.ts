// By what rules, and with what knowledge of weaknesses and techniques, everything published was concluded. When either is
// another one (an upgrade, a new release of CWE, CAPEC or ATT&CK), every CVE is queued to be concluded again.
import { sql, type Transaction } from 'kysely'
import { RESOLVER_VERSION } from '../../domain/resolver-version.ts'

/** Of the hashes that feeds keep of what `read-knowledge.ts` reads: nothing of it leaves the database. */
const KNOWLEDGE = sql`(
  select sha256(convert_to(string_agg(concat_ws('|', id, content_hash, is_out), ',' order by id), 'UTF8'))
    from (
           select cwe_id as id, content_hash, removed_at is not null as is_out from source.weakness
           union all
           select technique_id, content_hash, removed_at is not null from source.attack_technique
           union all
           select capec_id, content_hash, removed_at is not null from source.capec
         ) known
)`

/**
 * In one transaction with the note that it was done: a process that dies before has done nothing, and one that dies
 * after has left the rest to whoever publishes next.
 */
export async function queueRebuildIfInputsChanged(tx: Transaction<unknown>): Promise<void> {
  const { rows: same } = await sql`
    select
      from catalog.resolverInputs
     where resolver_version = ${RESOLVER_VERSION}
       and knowledge_hash = coalesce(${KNOWLEDGE}, '')
  `.execute(tx)
  if (same.length > 0) return
  await sql`
    insert into catalog.resolverInputs (resolver_version, knowledge_hash)
    values (${RESOLVER_VERSION}, coalesce(${KNOWLEDGE}, ''))
    on conflict (is_current) do update
       set resolver_version = excluded.resolver_version,
           knowledge_hash = excluded.knowledge_hash
  `.execute(tx)
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select catalog.cve_id(cve_key), 'catalog'
      from catalog.cve
     order by cve_key
  `.execute(tx)
  // An entry of a hash that no catalogue has is written again.
  await sql`update catalog.kev set content_hash = ''`.execute(tx)
}
