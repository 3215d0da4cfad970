// Publishes advisories without a published CVE, such as GHSA-… or GO-…. The publication queue holds only CVEs, so all
// advisories are compared with the published ones by hash.
import { sql, type Transaction } from 'kysely'
import { formatCopyChunks } from '../../../database/copy-line.ts'
import type { Session } from '../../../database/session.ts'
import { RESOLVER_VERSION } from '../../../domain/resolver-version.ts'
import { readAdvisory } from '../../affected/read-advisory.ts'
import { AFFECTED_TARGET, listAffectedValues, mergeAffected, prepareAffected } from '../../affected/store.ts'
import { limitStored, type StoredRecord } from '../read/limit-stored.ts'

interface StoredAdvisory {
  readonly id: string
  readonly feed: string
  readonly modified: Date
  readonly record: string
  readonly contentHash: Buffer
}

/** Number of records in memory at the same time. */
const CHUNK_SIZE = 1000

/**
 * Selects advisories that name no CVE, or none that is published. AlmaLinux errata about bugs (ALBA) and enhancements
 * (ALEA) are not vulnerabilities. The hash contains the resolver version, so a new version writes all rows again.
 */
const STORED = sql`(
      select ghsa_id as id, 'ghsa' as feed, sha256(${sql.lit(RESOLVER_VERSION)}::bytea || content_hash) as content_hash
        from source.ghsa_advisory
       where not exists (select from catalog.cve where cve.cve_key = catalog.cve_key(ghsa_advisory.cve_id))
       union all
      select id, feed, sha256(${sql.lit(RESOLVER_VERSION)}::bytea || content_hash)
        from source.osv_advisory
       where id !~ '^AL[BE]A-'
         and not exists (
               select
                 from source.osv_advisory_cve link
                 join catalog.cve
                   on cve.cve_key = catalog.cve_key(link.cve_id)
                where link.feed = osv_advisory.feed
                  and link.advisory_id = osv_advisory.id
             )
    )`

/** State of the feeds at the last comparison. A comparison takes about 50 ms. */
const compared = new WeakMap<Session, string>()

/**
 * Skips the comparison if no advisory feed has run since the last call and no CVE was added or removed
 * (`hasOtherCves`). Requires the publishers' lock. Returns a function to call after the commit.
 */
export async function publishAdvisories(
  session: Session,
  tx: Transaction<unknown>,
  hasOtherCves: boolean,
): Promise<() => void> {
  const { rows } = await sql<{ state: string | null }>`
    select string_agg(concat_ws('|', name, table_count, last_success_at, last_run_at), ',' order by name) as state
      from catalog.dataset
     where name = 'ghsa' or name like 'osv-%'
  `.execute(tx)
  const state = `${RESOLVER_VERSION} ${rows[0]?.state ?? ''}`
  if (hasOtherCves || compared.get(session) !== state) await publishChanged(session, tx)
  return () => compared.set(session, state)
}

async function publishChanged(session: Session, tx: Transaction<unknown>): Promise<void> {
  await removeMissing(tx)
  const { rows } = await sql<{ id: string; feed: string; contentHash: Buffer }>`
    select stored.id, stored.feed, stored.content_hash as "contentHash"
      from ${STORED} stored
      left join catalog.advisory published
        on published.id = stored.id
     where published.content_hash is distinct from stored.content_hash
     order by stored.id
  `.execute(tx)
  if (rows.length === 0) return
  await prepareAffected(tx)
  for (let done = 0; done < rows.length; done += CHUNK_SIZE) {
    if (done > 0) await sql`truncate staged_affected`.execute(tx)
    await publishChunk(session, tx, await readRecords(tx, rows.slice(done, done + CHUNK_SIZE)))
  }
}

/** Once the CVE is published, the advisory's packages belong to the CVE. */
async function removeMissing(tx: Transaction<unknown>): Promise<void> {
  await sql`
    with removed as (
      delete from catalog.advisory
       where id not in (select id from ${STORED} stored)
      returning advisory_key
    )
    delete from catalog.affected
     where subject_key in (select -advisory_key from removed)
  `.execute(tx)
}

async function readRecords(
  tx: Transaction<unknown>,
  changed: readonly Pick<StoredAdvisory, 'id' | 'feed' | 'contentHash'>[],
): Promise<readonly StoredAdvisory[]> {
  const { rows } = await sql<Omit<StoredAdvisory, 'contentHash'> & StoredRecord>`
    select ghsa_id as id, 'ghsa' as feed, modified, record, truncated
      from source.ghsa_advisory
     where ghsa_id = any (${changed.map(({ id }) => id)}::text[])
     union all
    select id, feed, modified, record, truncated
      from source.osv_advisory
     where id = any (${changed.map(({ id }) => id)}::text[])
  `.execute(tx)
  const hashes = new Map(changed.map(({ id, feed, contentHash }) => [`${feed} ${id}`, contentHash]))
  return rows.flatMap((row) => {
    const contentHash = hashes.get(`${row.feed} ${row.id}`)
    const limited = limitStored(row.feed, row)
    return contentHash === undefined || limited === undefined ? [] : [{ ...limited, contentHash }]
  })
}

async function publishChunk(
  session: Session,
  tx: Transaction<unknown>,
  stored: readonly StoredAdvisory[],
): Promise<void> {
  const advisories = stored.map((each) => ({ ...each, ...readAdvisory(each) }))
  const { rows } = await sql<{ id: string; key: string }>`
    insert into catalog.advisory (id, source, aliases, title, score, published, modified, is_withdrawn, content_hash)
    select id, source, array(select jsonb_array_elements_text(aliases)), title, score, published, modified, is_withdrawn,
           decode(content_hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(advisories.map(toColumns))}::jsonb) as changed (
             id text, source text, aliases jsonb, title text, score numeric, published timestamptz, modified timestamptz,
             is_withdrawn boolean, content_hash text
           )
     order by id
    on conflict (id) do update
       set source = excluded.source, aliases = excluded.aliases, title = excluded.title, score = excluded.score,
           published = excluded.published, modified = excluded.modified, is_withdrawn = excluded.is_withdrawn,
           content_hash = excluded.content_hash
    returning id, (-advisory_key)::text as key
  `.execute(tx)
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  const values = advisories.flatMap(({ id, affected }) => listAffectedValues(keys.get(id) ?? '', affected))
  await session.copyInto(tx, AFFECTED_TARGET, formatCopyChunks(values))
  await mergeAffected(tx, sql`select unnest(${[...keys.values()]}::bigint[]) as subject_key`)
}

function toColumns(advisory: StoredAdvisory & ReturnType<typeof readAdvisory>) {
  const { id, source, aliases, title, score, published, modified, isWithdrawn, contentHash } = advisory
  const hex = contentHash.toString('hex')
  return { id, source, aliases, title, score, published, modified, is_withdrawn: isWithdrawn, content_hash: hex }
}
