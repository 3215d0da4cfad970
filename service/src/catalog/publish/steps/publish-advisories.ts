// Publishes advisories without a published CVE, such as GHSA-… or GO-…. The publication queue holds only CVEs, so all
// advisories are compared with the published ones by hash. The change log has a row for each that differs.
import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { formatCopyChunks } from '../../../database/copy-line.ts'
import type { Session } from '../../../database/session.ts'
import { RESOLVER_VERSION } from '../../../domain/resolver-version.ts'
import { ADVISORY_FEEDS, MALICIOUS_FEEDS } from '../../../domain/source/advisory-provider.ts'
import { OSV_SOURCES } from '../../../domain/source/osv-sources.ts'
import { SECDB_SOURCE_IDS } from '../../../domain/source/secdb-sources.ts'
import { groupAdvisories, type NamedAdvisory } from '../../affected/group-advisories.ts'
import { type Advisory, type AdvisoryRecord, readAdvisory } from '../../affected/read-advisory.ts'
import {
  AFFECTED_TABLES,
  AFFECTED_TARGET,
  listAffectedValues,
  mergeAffected,
  prepareAffected,
} from '../../affected/store.ts'
import { compareText } from '../../resolve/precedence.ts'
import { limitStored, type StoredRecord } from '../read/limit-stored.ts'
import { readSourceFeeds } from '../read/read-run-cause.ts'
import { logRemoved, logWritten, type WrittenAdvisory } from './log-advisories.ts'

/** The advisories of one vulnerability, the leading one first. */
interface Group {
  readonly id: string
  readonly members: readonly NamedAdvisory[]
  readonly contentHash: Buffer
  readonly sourceHash: Buffer
}

/** Number of vulnerabilities in memory at the same time. */
const CHUNK_SIZE = 1000

/**
 * Selects advisories that name no CVE, or none that is published. AlmaLinux errata about bugs (ALBA) and enhancements
 * (ALEA) are not vulnerabilities. An advisory about several CVEs is not the same vulnerability as any of them.
 * A malicious package is published as such even if its report names a published CVE, whose level follows from the policy.
 */
const STORED = sql`(
      select ghsa_id as id, 'ghsa' as feed, content_hash, array_remove(array[cve_id], null) as aliases
        from source.ghsa_advisory
       where not exists (select from catalog.cve where cve.cve_key = catalog.cve_key(ghsa_advisory.cve_id))
       union all
      select id, feed, content_hash,
             array(select jsonb_array_elements_text(record::jsonb -> 'aliases')) ||
             case jsonb_array_length(record::jsonb -> 'cve_ids')
               when 1 then array[record::jsonb -> 'cve_ids' ->> 0]
               else '{}'
             end
        from source.osv_advisory
       where id !~ '^AL[BE]A-'
         and (
               feed = any (${MALICIOUS_FEEDS}::text[])
            or not exists (
                 select
                   from source.osv_advisory_cve link
                   join catalog.cve
                     on cve.cve_key = catalog.cve_key(link.cve_id)
                  where link.feed = osv_advisory.feed
                    and link.advisory_id = osv_advisory.id
               )
             )
         and not ${isOtherIdOfCve()}
    )`

/** The databases of Alpine's form list a vulnerability under each of its ids, without saying which belong together. */
function isOtherIdOfCve() {
  return sql`(
       osv_advisory.feed = any (${SECDB_SOURCE_IDS}::text[])
   and exists (
         select
           from source.osv_advisory_cve own
          where own.feed = osv_advisory.feed
            and own.cve_id in (
                  select ghsa.cve_id
                    from source.ghsa_advisory ghsa
                   where ghsa.ghsa_id = osv_advisory.id
                   union all
                  select other.cve_id
                    from source.osv_advisory_cve other
                   where other.advisory_id = osv_advisory.id
                     and other.feed = any (${Object.keys(OSV_SOURCES)}::text[])
                )
       )
     )`
}

/** State of the feeds at the last comparison. A comparison reads the hashes of all advisories. */
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
     where name = any (${ADVISORY_FEEDS}::text[])
  `.execute(tx)
  const state = `${RESOLVER_VERSION} ${rows[0]?.state ?? ''}`
  if (hasOtherCves || compared.get(session) !== state) await publishChanged(session, tx)
  return () => compared.set(session, state)
}

async function publishChanged(session: Session, tx: Transaction<unknown>): Promise<void> {
  const { rows: stored } = await sql<NamedAdvisory & { contentHash: Buffer }>`
    select id, feed, aliases, content_hash as "contentHash" from ${STORED} stored
  `.execute(tx)
  const groups = groupAdvisories(stored).map((members) => ({
    id: members[0]?.id ?? '',
    members,
    contentHash: hash(members, RESOLVER_VERSION),
    sourceHash: hash(members),
  }))
  await removeMissing(tx, groups)
  const { rows: published } = await sql<{ id: string; contentHash: Buffer }>`
    select id, content_hash as "contentHash" from catalog.advisory
  `.execute(tx)
  const known = new Map(published.map(({ id, contentHash }) => [id, contentHash]))
  const changed = groups
    .filter(({ id, contentHash }) => !known.get(id)?.equals(contentHash))
    .sort((a, b) => compareText(a.id, b.id))
  if (changed.length === 0) return
  const sourceFeeds = await readSourceFeeds(tx, ADVISORY_FEEDS)
  await prepareAffected(tx)
  for (let done = 0; done < changed.length; done += CHUNK_SIZE) {
    if (done > 0) await sql`truncate ${AFFECTED_TABLES}`.execute(tx)
    await publishChunk(session, tx, await readGroups(tx, changed.slice(done, done + CHUNK_SIZE), sourceFeeds))
  }
}

/** A new version of the resolver writes all rows again. */
function hash(members: readonly { readonly id: string; readonly contentHash: Buffer }[], version = ''): Buffer {
  const sum = createHash('sha256').update(version)
  for (const { id, contentHash } of members) sum.update(id).update(contentHash)
  return sum.digest()
}

/** Once the CVE is published, the advisory's packages belong to the CVE. */
async function removeMissing(tx: Transaction<unknown>, groups: readonly Group[]): Promise<void> {
  const { rows: missing } = await sql<{ id: string; key: string; isWithdrawn: boolean }>`
    select id, -advisory_key as key, is_withdrawn as "isWithdrawn"
      from catalog.advisory
     where id <> all (${groups.map(({ id }) => id)}::text[])
     order by id
  `.execute(tx)
  if (missing.length === 0) return
  await logRemoved(
    tx,
    missing
      .filter(({ isWithdrawn }) => !isWithdrawn)
      .map(({ id, key }) => ({ id, key, from: id, to: null, cause: 'data' })),
  )
  const keys = missing.map(({ key }) => key)
  await sql`delete from catalog.affected where subject_key = any (${keys}::bigint[])`.execute(tx)
  await sql`delete from catalog.advisory where -advisory_key = any (${keys}::bigint[])`.execute(tx)
}

interface ReadGroup extends Advisory {
  readonly contentHash: Buffer
  readonly sourceHash: Buffer
  readonly isOnlyFromSource: boolean
}

async function readGroups(
  tx: Transaction<unknown>,
  groups: readonly Group[],
  sourceFeeds: ReadonlySet<string>,
): Promise<readonly ReadGroup[]> {
  const ids = groups.flatMap(({ members }) => members.map(({ id }) => id))
  const { rows } = await sql<AdvisoryRecord & StoredRecord>`
    select ghsa_id as id, 'ghsa' as feed, modified, record, truncated
      from source.ghsa_advisory
     where ghsa_id = any (${ids}::text[])
     union all
    select id, feed, modified, record, truncated
      from source.osv_advisory
     where id = any (${ids}::text[])
  `.execute(tx)
  const records = new Map(rows.map((row) => [`${row.feed} ${row.id}`, limitStored(row.feed, row)]))
  return groups.flatMap(({ members, contentHash, sourceHash }) => {
    const found = members.flatMap(({ feed, id }) => records.get(`${feed} ${id}`) ?? [])
    const isOnlyFromSource = members.every(({ feed }) => sourceFeeds.has(feed))
    return found.length === 0 ? [] : [{ ...readAdvisory(found), contentHash, sourceHash, isOnlyFromSource }]
  })
}

async function publishChunk(
  session: Session,
  tx: Transaction<unknown>,
  advisories: readonly ReadGroup[],
): Promise<void> {
  const written = await upsertAdvisories(tx, advisories)
  const keys = new Map(written.map(({ id, key }) => [id, key]))
  const values = advisories.flatMap(({ id, affected }) => listAffectedValues(keys.get(id) ?? '', affected))
  await session.copyInto(tx, AFFECTED_TARGET, formatCopyChunks(values))
  await mergeAffected(tx, sql`select unnest(${[...keys.values()]}::bigint[]) as subject_key`)
  const onlyFromSource = new Set(advisories.filter((each) => each.isOnlyFromSource).map(({ id }) => id))
  await logWritten(
    tx,
    written.map((each) => ({ ...each, isOnlyFromSource: onlyFromSource.has(each.id) })),
  )
}

/** An advisory whose time of modification alone differs has not changed for its readers. */
const SHOWN_COLUMNS = [
  'source',
  'aliases',
  'kind',
  'title',
  'score',
  'severity_word',
  'priority',
  'decision_facts',
  'published',
  'is_withdrawn',
]
const listShown = (table: string) => sql.join(SHOWN_COLUMNS.map((name) => sql`${sql.id(table)}.${sql.id(name)}`))

type UpsertedAdvisory = Omit<WrittenAdvisory, 'isOnlyFromSource'>

async function upsertAdvisories(
  tx: Transaction<unknown>,
  advisories: readonly ReadGroup[],
): Promise<readonly UpsertedAdvisory[]> {
  const { rows } = await sql<UpsertedAdvisory>`
    with written as (
      insert into catalog.advisory (id, source, aliases, kind, title, score, severity_word, priority, decision_facts,
                                    published, modified, is_withdrawn, content_hash, source_hash)
      select id, source, array(select jsonb_array_elements_text(aliases)), kind, title, score, severity_word, priority,
             decision_facts, published, modified, is_withdrawn, decode(content_hash, 'hex'), decode(source_hash, 'hex')
        from jsonb_to_recordset(${JSON.stringify(advisories.map(toColumns))}::jsonb) as changed (
               id text, source text, aliases jsonb, kind text, title text, score numeric, severity_word text,
               priority smallint, decision_facts text, published timestamptz, modified timestamptz, is_withdrawn boolean,
               content_hash text, source_hash text
             )
       order by id
      on conflict (id) do update
         set source = excluded.source, aliases = excluded.aliases, kind = excluded.kind, title = excluded.title,
             score = excluded.score, severity_word = excluded.severity_word, priority = excluded.priority,
             decision_facts = excluded.decision_facts, published = excluded.published, modified = excluded.modified,
             is_withdrawn = excluded.is_withdrawn, content_hash = excluded.content_hash,
             source_hash = excluded.source_hash
      returning *
    )
    -- The statement reads the rows as they were before it.
    select written.id, (-written.advisory_key)::text as key,
           coalesce(not published.is_withdrawn, false) as "wasListed",
           not written.is_withdrawn as "isListed",
           (${listShown('written')}) is distinct from (${listShown('published')}) as differs,
           coalesce(written.source_hash = published.source_hash, false) as "hasSameSource",
           (written.published at time zone 'utc')::date::text as "publishedDay"
      from written
      left join catalog.advisory published
        on published.advisory_key = written.advisory_key
     order by written.id
  `.execute(tx)
  return rows
}

function toColumns(advisory: ReadGroup) {
  const { id, source, aliases, kind, title, score, severityWord, rank, facts, published, modified } = advisory
  return {
    id,
    source,
    aliases,
    kind,
    title,
    score,
    severity_word: severityWord,
    priority: rank,
    decision_facts: facts,
    published,
    modified,
    is_withdrawn: advisory.isWithdrawn,
    content_hash: advisory.contentHash.toString('hex'),
    source_hash: advisory.sourceHash.toString('hex'),
  }
}
