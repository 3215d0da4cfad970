import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { CveId, CveKey } from '../../../domain/cve-id.ts'
import { EPSS_RULE, type HeldSince, HOLDS_NONE } from '../../../domain/priority/epss-rule.ts'
import { isCsafSource } from '../../../domain/source/csaf-sources.ts'
import { limitRecord } from '../../../domain/source/limit-record.ts'
import { findUpstreamLimits } from '../../../domain/source/upstream-limits.ts'
import { readHolds } from '../../../record/epss-holds.ts'
import {
  type AcscNotice,
  type DebianStatus,
  type EuKevEntry,
  type ExploitItem,
  type KevEntry,
  RECORD_SOURCES,
  type SourceData,
  type SourceRecord,
} from '../../model/source-data.ts'
import { limitStored, type StoredRecord } from './limit-stored.ts'
import { readCsafRecords } from './read-csaf.ts'

/** Returns the data in the order of the ids. If no source has an id, its lists are empty and its other members null. */
export async function readSourceData(db: Database, ids: readonly CveId[]): Promise<SourceData[]> {
  const [records, kev, euKev, notices, exploits, mappings, debian, scores] = [
    groupByCve([...(await readRecords(db, ids)), ...(await readCsafRecords(db, ids))]),
    groupByCve(await readKev(db, ids)),
    groupByCve(await readEuKev(db, ids)),
    groupByCve(await readNotices(db, ids)),
    groupByCve(await readExploits(db, ids)),
    groupByCve(await readMappings(db, ids)),
    groupByCve(await readDebian(db, ids)),
    groupByCve(await readScores(db, ids)),
  ]
  return ids.map((cveId) => ({
    cveId,
    records: records.get(cveId) ?? [],
    kev: kev.get(cveId)?.[0] ?? null,
    euKev: euKev.get(cveId)?.[0] ?? null,
    notices: notices.get(cveId) ?? [],
    exploits: (exploits.get(cveId) ?? []).filter(({ isRemoved }) => !isRemoved),
    removedExploits: (exploits.get(cveId) ?? []).filter(({ isRemoved }) => isRemoved),
    mappings: mappings.get(cveId) ?? [],
    debian: debian.get(cveId) ?? [],
    epssScore: scores.get(cveId)?.[0]?.score ?? null,
    epssHeld: scores.get(cveId)?.[0]?.held ?? HOLDS_NONE,
  }))
}

type WithCveId<T> = T & { readonly cveId: string }

function groupByCve<T extends { readonly cveId: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(rows, ({ cveId }) => cveId)
}

async function readRows<T>(db: Database, query: RawBuilder<WithCveId<T>>): Promise<readonly WithCveId<T>[]> {
  return (await query.execute(db)).rows
}

/** Rows that were stored before the limits existed may be too long (decision E42). */
async function readLimitedRows<T>(
  db: Database,
  feed: string,
  query: RawBuilder<WithCveId<T>>,
): Promise<readonly WithCveId<T>[]> {
  const limits = findUpstreamLimits(feed)
  return (await readRows(db, query)).map((row) => {
    const { record, truncated } = limitRecord(row, limits)
    return truncated.length === 0 ? row : { ...record, isTruncated: true }
  })
}

/**
 * The lateral subqueries with `offset 0` force index lookups. Right after the first load PostgreSQL has no statistics
 * about the source tables, and would choose a sequential scan for a few hundred ids.
 */
const unnestIds = (ids: readonly CveId[]) => sql`unnest(${ids}::text[]) as requested (cve_id)`

/** GHSA, the OSV databases and publishers of CSAF documents can have several records per CVE, in tables of their own. */
const SINGLE_RECORD_SOURCES = sql.join(
  RECORD_SOURCES.filter((source) => source !== 'ghsa' && source !== 'osv' && !isCsafSource(source)).map((source) =>
    sql.lit(source),
  ),
)

async function readRecords(db: Database, ids: readonly CveId[]): Promise<readonly WithCveId<SourceRecord>[]> {
  return (await readStoredRecords(db, ids)).flatMap((row) => limitStored(row.source, row) ?? [])
}

const readStoredRecords = (db: Database, ids: readonly CveId[]) =>
  readRows<StoredRecord & Pick<SourceRecord, 'source' | 'modified'>>(
    db,
    sql`
      select stored.cve_id as "cveId", stored.source, stored.modified, stored.record, stored.truncated
        from ${unnestIds(ids)}
       cross join lateral (
               select cve_id, source, modified, record, truncated
                 from source.source_record
                where source in (${SINGLE_RECORD_SOURCES})
                  and cve_id = requested.cve_id
               offset 0
             ) stored
       union all
      select stored.cve_id, 'ghsa', stored.modified, stored.record, stored.truncated
        from ${unnestIds(ids)}
       cross join lateral (
               select cve_id, modified, record, truncated
                 from source.ghsa_advisory
                where cve_id = requested.cve_id
               offset 0
             ) stored
       union all
      select named.cve_id, 'osv', advisory.modified, advisory.record, advisory.truncated
        from ${unnestIds(ids)}
       cross join lateral (
               select cve_id, feed, advisory_id
                 from source.osv_advisory_cve
                where cve_id = requested.cve_id
               offset 0
             ) named
       cross join lateral (
               select modified, record, truncated
                 from source.osv_advisory
                where feed = named.feed
                  and id = named.advisory_id
               offset 0
             ) advisory
    `,
  )

const readKev = (db: Database, ids: readonly CveId[]) =>
  readLimitedRows<KevEntry>(
    db,
    'kev',
    sql`
      select cve_id as "cveId", vendor_project as "vendorProject", product, vulnerability_name as "vulnerabilityName",
             date_added::text as "dateAdded", short_description as "shortDescription",
             required_action as "requiredAction", due_date::text as "dueDate", known_ransomware as "knownRansomware",
             notes, cwes, removed_at as "removedAt", truncated is not null as "isTruncated"
        from source.kev_entry
       where cve_id = any (${ids}::text[])
    `,
  )

const readEuKev = (db: Database, ids: readonly CveId[]) =>
  readRows<EuKevEntry>(
    db,
    sql`
      select cve_id as "cveId", vendor_project as "vendorProject", product,
             date_listed::text as "dateListed", date_reported::text as "dateReported", patched_since::text as "patchedSince",
             origin, exploitation, removed_at as "removedAt"
        from source.eu_kev_entry
       where cve_id = any (${ids}::text[])
    `,
  )

const readNotices = (db: Database, ids: readonly CveId[]) =>
  readLimitedRows<AcscNotice>(
    db,
    'acsc',
    sql`
      select named.cve_id as "cveId", notice.id, notice.title, notice.type, notice.priority, notice.published,
             notice.updated, notice.url, notice.summary, notice.affected_products as "affectedProducts",
             notice.truncated is not null as "isTruncated"
        from source.acsc_notice_cve named
        join source.acsc_notice notice
          on notice.id = named.notice_id
       where named.cve_id = any (${ids}::text[])
    `,
  )

const readExploits = (db: Database, ids: readonly CveId[]) =>
  readLimitedRows<ExploitItem & { readonly isRemoved: boolean }>(
    db,
    'exploitdb',
    sql`
      select requested.cve_id as "cveId", item.feed, item.id, item.title, item.url,
             item.published::text as published, item.rank,
             to_char(item.first_seen at time zone 'UTC', 'YYYY-MM-DD') as "firstSeen",
             item.removed_at is not null as "isRemoved", item.truncated is not null as "isTruncated"
        from ${unnestIds(ids)}
       cross join lateral (
               select feed, item_id
                 from source.exploit_item_cve
                where cve_id = requested.cve_id
               offset 0
             ) named
       cross join lateral (
               select feed, id, title, url, published, rank, first_seen, removed_at, truncated
                 from source.exploit_item
                where feed = named.feed
                  and id = named.item_id
               offset 0
             ) item
    `,
  )

const readMappings = (db: Database, ids: readonly CveId[]) =>
  readRows<{ readonly techniqueId: string }>(
    db,
    sql`
      select distinct cve_id as "cveId", technique_id as "techniqueId"
        from source.attack_mapping
       where cve_id = any (${ids}::text[])
         and removed_at is null
    `,
  )

const readDebian = (db: Database, ids: readonly CveId[]) =>
  readRows<DebianStatus>(
    db,
    sql`
      select stored.cve_id as "cveId", stored.package, stored.release, stored.status,
             stored.fixed_version as "fixedVersion", stored.known_version as "knownVersion", stored.urgency,
             stored.decision, stored.is_described as "isDescribed"
        from ${unnestIds(ids)}
       cross join lateral (
               select cve_id, package, release, status, fixed_version, known_version, urgency, decision, is_described
                 from source.debian_status
                where cve_id = requested.cve_id
               offset 0
             ) stored
    `,
  )

/**
 * Reads the published score, so that record and score come from the same release. A CVE that is not published yet gets
 * the score that it will be published with: the stored one, if that release is published.
 */
async function readScores(db: Database, ids: readonly CveId[]) {
  const rows = await readPublishedScores(db, ids)
  const isNew = ({ isPublished, score, lowest }: ScoreRow) =>
    !isPublished && score !== null && lowest !== null && score >= EPSS_RULE.keep * lowest
  const holds = await readHolds(
    db,
    rows.filter(isNew).map(({ key }) => key),
  )
  return rows.map(({ cveId, key, score, held }) => ({ cveId, score, held: held ?? holds.get(key) ?? HOLDS_NONE }))
}

interface ScoreRow {
  readonly key: CveKey
  readonly score: number | null
  readonly held: HeldSince | null
  readonly isPublished: boolean
  /** The lowest threshold of the published release. */
  readonly lowest: number | null
}

const readPublishedScores = (db: Database, ids: readonly CveId[]) =>
  readRows<ScoreRow>(
    db,
    sql`
      select requested.cve_id as "cveId",
             catalog.cve_key(requested.cve_id)::text as key,
             published.cve_key is not null as "isPublished",
             case when published.cve_key is not null then published.score else stored.score end as score,
             published.held_since::text[] as held,
             (select thresholds[1] from catalog.epss_release) as lowest
        from ${unnestIds(ids)}
        left join lateral (
               select cve_key, score, held_since
                 from catalog.epss
                where cve_key = catalog.cve_key(requested.cve_id)
               offset 0
             ) published on true
        left join lateral (
               select score
                 from source.epss_score
                where cve_id = requested.cve_id
                  and (select revision from source.epss_release) = (select revision from catalog.epss_release)
               offset 0
             ) stored on true
    `,
  )
