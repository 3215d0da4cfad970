// What the source tables say of some CVEs: one statement per table, whatever their number.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { CveId } from '../../domain/cve-id.ts'
import type { ExploitFact, Facts, KevFact, NoticeFact, RecordFact } from '../model/source-data.ts'

/** In the order of the ids. Of a CVE that nobody speaks of, everything is empty. */
export async function readSourceData(db: Database, ids: readonly CveId[]): Promise<Facts[]> {
  const [records, kev, notices, exploits, mappings, scores] = [
    byCve(await readRecords(db, ids)),
    byCve(await readKev(db, ids)),
    byCve(await readNotices(db, ids)),
    byCve(await readExploits(db, ids)),
    byCve(await readMappings(db, ids)),
    byCve(await readScores(db, ids)),
  ]
  return ids.map((cveId) => ({
    cveId,
    records: records.get(cveId) ?? [],
    kev: kev.get(cveId)?.[0] ?? null,
    notices: notices.get(cveId) ?? [],
    exploits: exploits.get(cveId) ?? [],
    mappings: mappings.get(cveId) ?? [],
    epssScore: scores.get(cveId)?.[0]?.score ?? null,
  }))
}

type Of<T> = T & { readonly cveId: string }

function byCve<T extends { readonly cveId: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(rows, ({ cveId }) => cveId)
}

async function all<T>(db: Database, query: RawBuilder<Of<T>>): Promise<readonly Of<T>[]> {
  return (await query.execute(db)).rows
}

/**
 * Each id is looked up by its index (`offset 0` keeps the planner from joining in another way): right after a first load
 * nothing is known of these tables yet, and the planner would read them from end to end for every few hundred ids.
 */
const each = (ids: readonly CveId[]) => sql`unnest(${ids}::text[]) as asked (cve_id)`

const readRecords = (db: Database, ids: readonly CveId[]) =>
  all<RecordFact>(
    db,
    sql`
      select said.cve_id as "cveId", said.source, said.modified, said.record
        from ${each(ids)}
       cross join lateral (
               select cve_id, source, modified, record
                 from source.source_record
                where source in ('nvd', 'cve', 'overrides', 'redhat', 'msrc')
                  and cve_id = asked.cve_id
               offset 0
             ) said
       union all
      select said.cve_id, 'ghsa', said.modified, said.record
        from ${each(ids)}
       cross join lateral (
               select cve_id, modified, record
                 from source.ghsa_advisory
                where cve_id = asked.cve_id
               offset 0
             ) said
    `,
  )

const readKev = (db: Database, ids: readonly CveId[]) =>
  all<KevFact>(
    db,
    sql`
      select cve_id as "cveId", vendor_project as "vendorProject", product, vulnerability_name as "vulnerabilityName",
             date_added::text as "dateAdded", short_description as "shortDescription",
             required_action as "requiredAction", due_date::text as "dueDate", known_ransomware as "knownRansomware",
             notes, removed_at as "removedAt"
        from source.kev_entry
       where cve_id = any (${ids}::text[])
    `,
  )

const readNotices = (db: Database, ids: readonly CveId[]) =>
  all<NoticeFact>(
    db,
    sql`
      select named.cve_id as "cveId", notice.id, notice.title, notice.type, notice.priority, notice.published,
             notice.updated, notice.url, notice.summary, notice.affected_products as "affectedProducts"
        from source.acsc_notice_cve named
        join source.acsc_notice notice
          on notice.id = named.notice_id
       where named.cve_id = any (${ids}::text[])
    `,
  )

const readExploits = (db: Database, ids: readonly CveId[]) =>
  all<ExploitFact>(
    db,
    sql`
      select asked.cve_id as "cveId", item.feed, item.id, item.title, item.url,
             item.published::text as published, item.rank
        from ${each(ids)}
       cross join lateral (
               select feed, item_id
                 from source.exploit_item_cve
                where cve_id = asked.cve_id
               offset 0
             ) named
       cross join lateral (
               select feed, id, title, url, published, rank
                 from source.exploit_item
                where feed = named.feed
                  and id = named.item_id
               offset 0
             ) item
    `,
  )

const readMappings = (db: Database, ids: readonly CveId[]) =>
  all<{ readonly techniqueId: string }>(
    db,
    sql`
      select distinct cve_id as "cveId", technique_id as "techniqueId"
        from source.attack_mapping
       where cve_id = any (${ids}::text[])
         and removed_at is null
    `,
  )

const readScores = (db: Database, ids: readonly CveId[]) =>
  all<{ readonly score: number }>(
    db,
    sql`
      select said.cve_id as "cveId", said.score
        from ${each(ids)}
       cross join lateral (
               select cve_id, score
                 from source.epss_score
                where cve_id = asked.cve_id
               offset 0
             ) said
    `,
  )
