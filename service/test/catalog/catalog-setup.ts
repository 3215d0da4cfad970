// Test harness for the catalog: a test database, functions that store source data as the feeds do, and the publisher.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Publication, publish } from '../../src/catalog/publish/publish.ts'
import type { PublishContext } from '../../src/catalog/publish-lock.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { openSession } from '../../src/database/session.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'

const POOL_OPTIONS = { poolSize: 4, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

export interface CatalogHarness {
  readonly url: string
  readonly clock: TestClock
  readonly context: PublishContext
  publish(): Promise<Publication>
  selectRows<T>(claim: string): Promise<T[]>
  /** Stores a source's record and queues the CVE for publication. */
  storeRecord(source: string, cveId: string, record: object, modified?: string): Promise<void>
  /** Stores the complete KEV catalog; stored entries that are not in `entries` are marked as removed. */
  storeKev(entries: readonly KevValues[]): Promise<void>
  /**
   * Stores the complete EU KEV catalog as CVE ids and days; stored entries that are missing from it are marked as
   * removed.
   */
  storeEuKev(days: Readonly<Record<string, string>>): Promise<void>
  /** Stores all EPSS scores for a day. */
  storeEpss(day: string, scores: Readonly<Record<string, number>>, model?: string): Promise<void>
  storeNotice(id: string, cveIds: readonly string[], values?: NoticeValues): Promise<void>
  storeExploit(feed: string, id: string, cveIds: readonly string[], values?: ExploitValues): Promise<void>
  /** Empties all source and catalog tables. */
  reset(): Promise<void>
}

interface KevValues {
  readonly cveId: string
  readonly dateAdded?: string
  readonly product?: string
  readonly vendorProject?: string
  readonly vulnerabilityName?: string
  readonly shortDescription?: string
  readonly requiredAction?: string
  readonly dueDate?: string
  readonly knownRansomware?: boolean
  readonly notes?: string
}

interface NoticeValues {
  readonly title: string
  readonly published: string
  readonly summary: string
}

interface ExploitValues {
  readonly kind: 'exploit' | 'module' | 'repository'
  readonly title: string
  readonly published: string
}

/** Creates the harness with the database at `existingUrl` if given, otherwise with a new database. */
export async function createCatalogHarness(existingUrl?: string): Promise<CatalogHarness> {
  const url = existingUrl ?? (await createTestDatabase()).url
  const [pool, session, clock] = [
    openPool(url, 'selectRows', POOL_OPTIONS, () => {}),
    openSession(url, 'catalog'),
    createTestClock(),
  ]
  cleanUpAfterTests(async () => {
    await session.close()
    await pool.close()
  })
  const context = { session, clock: clock.now, signal: new AbortController().signal }
  const selectRows = async <T>(claim: string) => (await sql.raw<T>(claim).execute(pool.db)).rows
  const store = (work: (tx: Database) => Promise<void>) => pool.db.transaction().execute(work)
  return {
    url,
    clock,
    context,
    selectRows,
    publish: () => publish(context),
    storeRecord: (source, cveId, record, modified = '2026-08-20T09:30:00Z') =>
      store((tx) => storeRecord(tx, { source, cveId, record, modified })),
    storeKev: (entries) => store((tx) => storeKev(tx, entries, clock.now())),
    storeEuKev: (days) => store((tx) => storeEuKev(tx, days, clock.now())),
    storeEpss: (day, scores, model = 'v2026.06.15') =>
      store((tx) => storeEpss(tx, { day, model, scores: JSON.stringify(scores) })),
    storeNotice: (id, cveIds, values) =>
      store((tx) => storeNotice(tx, { id, cveIds, ...NOTICE, ...values }, clock.now())),
    storeExploit: (feed, id, cveIds, values) =>
      store((tx) => storeExploit(tx, { feed, id, cveIds, ...EXPLOIT, ...values })),
    reset: async () => {
      await selectRows(EMPTY_ALL_TABLES)
    },
  }
}

const ALL_TABLES: readonly string[] = [
  ...[
    'source_record',
    'nvd_history',
    'ghsa_advisory',
    'csaf_document',
    'csaf_statement',
    'publication_queue',
    'kev_entry',
    'kev_past_entry',
    'eu_kev_entry',
    'epss_score',
    'epss_release',
    'epss_past_day',
  ].map((name) => `source.${name}`),
  ...['acsc_notice', 'acsc_notice_cve', 'exploit_item', 'exploit_item_cve', 'osv_advisory', 'osv_advisory_cve'].map(
    (name) => `source.${name}`,
  ),
  ...[
    'cve',
    'product',
    'cve_product',
    'alias',
    'affected',
    'affected_name',
    'advisory',
    'name_count',
    'cve_document',
    'cve_detail',
    'epss',
    'epss_release',
    'epss_day',
    'epss_series',
    'epss_mover',
    'epss_mover_window',
    'kev',
    'event',
    'change',
    'cve_past',
    'change_before',
    'affected_touched',
    'epss_moved',
    'kev_history',
    'kev_change',
    'statistic',
    'resolver_inputs',
    'known_name',
    'cpe_name',
    'cpe_alias',
    'cpe_unmapped',
    'cpe_dictionary',
    'publication_fault',
  ].map((name) => `catalog.${name}`),
]

/**
 * Deletes the rows of the tables, without triggers and foreign key checks. TRUNCATE creates new files for every table
 * and index: even for empty tables, it takes 0.06 s of processor time instead of 0.002 s.
 */
const EMPTY_ALL_TABLES = `
  do $$
  begin
    set local session_replication_role = replica;
    ${ALL_TABLES.map((table) => `delete from ${table};`).join('\n    ')}
    update catalog.past_start set complete_since = null, kev_since = null, kev_watched_since = null;
  end
  $$`

interface RecordValues {
  readonly source: string
  readonly cveId: string
  readonly record: object
  readonly modified: string
}

async function storeRecord(tx: Database, { source, cveId, record, modified }: RecordValues): Promise<void> {
  const text = JSON.stringify(record)
  await sql`
    insert into source.source_record (source, cve_id, content_hash, modified, record)
    values (${source}, ${cveId}, ${hash('sha256', text, 'buffer')}, ${modified}, ${text})
    on conflict (source, cve_id) do update
       set content_hash = excluded.content_hash, modified = excluded.modified, record = excluded.record
  `.execute(tx)
  await queue(tx, source, [cveId])
}

async function queue(tx: Database, feed: string, cveIds: readonly string[]): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select unnest(${cveIds}::text[]), ${feed}
  `.execute(tx)
}

/** SQL value of `first_seen`: the current time, or null while the table is empty, as in the first load of a feed. */
async function readFirstSeen(tx: Database, table: string, now: Date): Promise<Date | null> {
  const { rows } = await sql`select from ${sql.table(`source.${table}`)} limit 1`.execute(tx)
  return rows.length === 0 ? null : now
}

async function storeKev(tx: Database, entries: readonly KevValues[], now: Date): Promise<void> {
  const firstSeen = await readFirstSeen(tx, 'kev_entry', now)
  const ids = entries.map(({ cveId }) => cveId)
  const { rows } = await sql<{ id: string }>`
    update source.kev_entry
       set removed_at = ${now},
           removal_first_seen = ${now}
     where removed_at is null
       and cve_id <> all (${ids}::text[])
    returning cve_id as id
  `.execute(tx)
  for (const each of entries) await storeEntry(tx, each, { now, firstSeen })
  await queue(tx, 'kev', [...ids, ...rows.map(({ id }) => id)])
}

const KEV_ENTRY = {
  vendorProject: 'Example Networks',
  product: 'Example Router',
  vulnerabilityName: 'Example Router Denial of Service Vulnerability',
  dateAdded: '2026-08-19',
  shortDescription: 'A malformed packet restarts the router.',
  requiredAction: 'Install the update of the vendor.',
  dueDate: '2026-09-02',
  knownRansomware: true,
  notes: '',
}

async function storeEntry(
  tx: Database,
  entry: KevValues,
  { now, firstSeen }: { readonly now: Date; readonly firstSeen: Date | null },
): Promise<void> {
  const values = { ...KEV_ENTRY, ...entry }
  const { cveId, dateAdded, product, vulnerabilityName } = values
  const contentHash = hash('sha256', JSON.stringify(values), 'buffer')
  await sql`
    insert into source.kev_entry as held (
      cve_id, vendor_project, product, vulnerability_name, date_added, short_description, required_action, due_date,
      known_ransomware, notes, cwes, content_hash, first_stored_at, first_seen
    )
    values (
      ${cveId}, ${values.vendorProject}, ${product}, ${vulnerabilityName}, ${dateAdded},
      ${values.shortDescription}, ${values.requiredAction}, ${values.dueDate}, ${values.knownRansomware}, ${values.notes},
      '{CWE-20}', ${contentHash}, ${now}, ${firstSeen}
    )
    on conflict (cve_id) do update
       set removed_at = null,
           first_seen = case when held.removed_at is null then held.first_seen else ${now}::timestamptz end,
           date_added = excluded.date_added,
           product = excluded.product,
           vulnerability_name = excluded.vulnerability_name,
           required_action = excluded.required_action,
           due_date = excluded.due_date,
           known_ransomware = excluded.known_ransomware,
           notes = excluded.notes,
           content_hash = excluded.content_hash
  `.execute(tx)
}

async function storeEuKev(tx: Database, days: Readonly<Record<string, string>>, now: Date): Promise<void> {
  const firstSeen = await readFirstSeen(tx, 'eu_kev_entry', now)
  const { rows } = await sql<{ id: string }>`
    update source.eu_kev_entry
       set removed_at = ${now},
           removal_first_seen = ${now}
     where removed_at is null
       and cve_id <> all (${Object.keys(days)}::text[])
    returning cve_id as id
  `.execute(tx)
  await sql`
    insert into source.eu_kev_entry as held (cve_id, euvd_id, vendor_project, product, date_reported, date_listed, origin,
                                     exploitation, threat_actors, cwes, content_hash, first_stored_at,
                                     first_seen)
    select key, 'EUVD-1', 'Example Networks', 'Example Router', value::date, value::date, 'CERT-XX', '{unknown}', '{}',
           '{}', '', ${now}::timestamptz, ${firstSeen}::timestamptz
      from json_each_text(${JSON.stringify(days)}::json)
    on conflict (cve_id) do update
       set removed_at = null,
           first_seen = case when held.removed_at is null then held.first_seen else ${now}::timestamptz end,
           date_listed = excluded.date_listed
  `.execute(tx)
  await queue(tx, 'eukev', [...Object.keys(days), ...rows.map(({ id }) => id)])
}

interface EpssValues {
  readonly day: string
  readonly model: string
  /** JSON text of the scores by CVE id. */
  readonly scores: string
}

async function storeEpss(tx: Database, { day, model, scores }: EpssValues): Promise<void> {
  await sql`delete from source.epss_score`.execute(tx)
  await sql`
    insert into source.epss_score (cve_id, score, percentile, model_version)
    select key, value::float8, value::float8, ${model}
      from json_each_text(${scores}::json)
  `.execute(tx)
  await sql`
    insert into source.epss_release as stored (scored_at, model_version)
    values (${day}, ${model})
    on conflict (is_current) do update
       set scored_at = excluded.scored_at,
           model_version = excluded.model_version,
           revision = stored.revision + 1
  `.execute(tx)
}

const NOTICE: NoticeValues = {
  title: 'Example Router restarts on malformed packets',
  published: '2026-08-21T03:00:00Z',
  summary: 'Install the update of the vendor.',
}

interface ItemOfCves {
  readonly id: string
  readonly cveIds: readonly string[]
}

async function storeNotice(
  tx: Database,
  { id, cveIds, ...values }: ItemOfCves & NoticeValues,
  now: Date,
): Promise<void> {
  const firstSeen = await readFirstSeen(tx, 'acsc_notice', now)
  await sql`
    insert into source.acsc_notice (id, title, type, priority, published, url, summary, is_whole, content_hash)
    values (
      ${id}, ${values.title}, 'alert', 'Critical', ${values.published}, ${`https://www.cyber.gov.au/${id}`},
      ${values.summary}, true, ''
    )
  `.execute(tx)
  await sql`
    insert into source.acsc_notice_cve (notice_id, cve_id, first_seen)
    select ${id}, unnest(${cveIds}::text[]), ${firstSeen}::timestamptz
  `.execute(tx)
  await queue(tx, 'acsc', cveIds)
}

const EXPLOIT: ExploitValues = {
  kind: 'exploit',
  title: 'Example Router 1.0 - Denial of Service',
  published: '2026-08-10',
}

interface InFeed {
  readonly feed: string
}

async function storeExploit(tx: Database, exploit: ItemOfCves & InFeed & ExploitValues): Promise<void> {
  const { feed, id, cveIds, kind, title, published } = exploit
  await sql`
    insert into source.exploit_item (feed, id, kind, title, url, published, content_hash)
    values (${feed}, ${id}, ${kind}, ${title}, ${`https://exploits.example/${id}`}, ${published}, '')
  `.execute(tx)
  await sql`
    insert into source.exploit_item_cve (feed, item_id, cve_id)
    select ${feed}, ${id}, unnest(${cveIds}::text[])
  `.execute(tx)
  await queue(tx, feed, cveIds)
}
