// Reads the raw records and the served rows of a batch of CVEs, straight from the tables.
import { sql } from 'kysely'
import type { Database } from '../../../../database/postgres.ts'
import { parseRaw, type Raw } from './raw-json.ts'

/** The newest statement of a source about a CVE, parsed and otherwise unchanged. */
export interface RawRecord {
  readonly source: string
  readonly modified: Date
  readonly content: Raw
  readonly text: string
}

export interface RawDebian {
  readonly package: string
  readonly release: string
  readonly status: string
  readonly fixedVersion: string | null
}

export interface RawCve {
  readonly records: readonly RawRecord[]
  readonly debian: readonly RawDebian[]
  readonly kev: RawKev | null
  readonly euKev: RawEuKev | null
  readonly exploits: readonly RawExploit[]
}

interface RawExploit {
  readonly feed: string
  readonly published: string | null
}

export interface RawKev {
  readonly vendor: string
  readonly product: string
  readonly dateAdded: string
  readonly dueDate: string | null
  readonly isRemoved: boolean
  readonly cwes: readonly string[]
}

export interface RawEuKev {
  readonly vendor: string
  readonly product: string
  readonly dateListed: string
  readonly isRemoved: boolean
}

type WithId<T> = T & { readonly id: string }

export async function readRawCves(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, RawCve>> {
  const [records, debian, kev, euKev, exploits] = [
    Map.groupBy(await readRecords(db, ids), ({ id }) => id),
    Map.groupBy(await readDebian(db, ids), ({ id }) => id),
    new Map((await readKev(db, ids)).map((each) => [each.id, each])),
    new Map((await readEuKev(db, ids)).map((each) => [each.id, each])),
    Map.groupBy(await readExploits(db, ids), ({ id }) => id),
  ]
  return new Map(
    ids.map((id) => [
      id,
      {
        records: records.get(id) ?? [],
        debian: debian.get(id) ?? [],
        kev: kev.get(id) ?? null,
        euKev: euKev.get(id) ?? null,
        exploits: exploits.get(id) ?? [],
      },
    ]),
  )
}

async function readRecords(db: Database, ids: readonly string[]): Promise<readonly WithId<RawRecord>[]> {
  const { rows } = await sql<WithId<Omit<RawRecord, 'content'>>>`
    select cve_id as id, source, modified, record as text
      from source.source_record
     where source = any (array['nvd', 'cve', 'overrides', 'redhat', 'msrc'])
       and cve_id = any (${ids}::text[])
     union all
    select cve_id, 'ghsa', modified, record
      from source.ghsa_advisory
     where cve_id = any (${ids}::text[])
     union all
    select named.cve_id, 'osv', advisory.modified, advisory.record
      from source.osv_advisory_cve named
      join source.osv_advisory advisory
        on advisory.feed = named.feed
       and advisory.id = named.advisory_id
     where named.cve_id = any (${ids}::text[])
  `.execute(db)
  return rows.map((row) => ({ ...row, content: parseRaw(row.text) }))
}

async function readDebian(db: Database, ids: readonly string[]): Promise<readonly WithId<RawDebian>[]> {
  const { rows } = await sql<WithId<RawDebian>>`
    select cve_id as id, package, release, status, fixed_version as "fixedVersion"
      from source.debian_status
     where cve_id = any (${ids}::text[])
  `.execute(db)
  return rows
}

async function readExploits(db: Database, ids: readonly string[]): Promise<readonly WithId<RawExploit>[]> {
  const { rows } = await sql<WithId<RawExploit>>`
    select named.cve_id as id, item.feed, item.published::text as published
      from source.exploit_item_cve named
      join source.exploit_item item
        on item.feed = named.feed
       and item.id = named.item_id
     where named.cve_id = any (${ids}::text[])
  `.execute(db)
  return rows
}

async function readKev(db: Database, ids: readonly string[]): Promise<readonly WithId<RawKev>[]> {
  const { rows } = await sql<WithId<RawKev>>`
    select cve_id as id, vendor_project as vendor, product, date_added::text as "dateAdded", due_date::text as "dueDate", cwes,
           removed_at is not null as "isRemoved"
      from source.kev_entry
     where cve_id = any (${ids}::text[])
  `.execute(db)
  return rows
}

async function readEuKev(db: Database, ids: readonly string[]): Promise<readonly WithId<RawEuKev>[]> {
  const { rows } = await sql<WithId<RawEuKev>>`
    select cve_id as id, vendor_project as vendor, product, date_listed::text as "dateListed",
           removed_at is not null as "isRemoved"
      from source.eu_kev_entry
     where cve_id = any (${ids}::text[])
  `.execute(db)
  return rows
}
