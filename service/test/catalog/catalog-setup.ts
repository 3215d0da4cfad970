// A catalog on a database of its own: sources say things, as feeds would have stored them, and the catalog publishes.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Publication, type PublishTools, publish } from '../../src/catalog/publish/publish.ts'
import { type Database, openPool } from '../../src/database/postgres.ts'
import { openSession } from '../../src/database/session.ts'
import { atEnd } from '../support/cleanup.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { testDatabase } from '../support/database.ts'

const PATIENT = { poolSize: 4, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

export interface CatalogWorld {
  readonly url: string
  readonly clock: TestClock
  readonly tools: PublishTools
  publish(): Promise<Publication>
  look<T>(statement: string): Promise<T[]>
  /** A source says something of a CVE. */
  say(source: string, cveId: string, record: object, modified?: string): Promise<void>
  /** The whole catalogue of CISA, as of now. */
  sayKev(entries: readonly KevWords[]): Promise<void>
  /** All scores of a day. */
  sayEpss(day: string, scores: Readonly<Record<string, number>>): Promise<void>
  sayNotice(id: string, cveIds: readonly string[], words?: NoticeWords): Promise<void>
  sayExploit(feed: string, id: string, cveIds: readonly string[], words?: ExploitWords): Promise<void>
  /** As if nothing had ever been said. */
  reset(): Promise<void>
}

interface KevWords {
  readonly cveId: string
  readonly dateAdded?: string
  readonly product?: string
  readonly vendorProject?: string
  readonly vulnerabilityName?: string
  readonly shortDescription?: string
  readonly requiredAction?: string
  readonly dueDate?: string
}

interface NoticeWords {
  readonly title: string
  readonly published: string
  readonly summary: string
}

interface ExploitWords {
  readonly kind: 'exploit' | 'module'
  readonly title: string
  readonly published: string
}

/** `at`: a database that is there already, instead of a new one. */
export async function catalogWorld(at?: string): Promise<CatalogWorld> {
  const url = at ?? (await testDatabase()).url
  const [pool, session, clock] = [openPool(url, 'look', PATIENT, () => {}), openSession(url, 'catalog'), testClock()]
  atEnd(async () => {
    await session.close()
    await pool.close()
  })
  const tools = { session, clock: clock.now, signal: new AbortController().signal }
  const look = async <T>(statement: string) => (await sql.raw<T>(statement).execute(pool.db)).rows
  const said = (say: (tx: Database) => Promise<void>) => pool.db.transaction().execute(say)
  return {
    url,
    clock,
    tools,
    look,
    publish: () => publish(tools),
    say: (source, cveId, record, modified = '2026-08-20T09:30:00Z') =>
      said((tx) => say(tx, { source, cveId, record, modified })),
    sayKev: (entries) => said((tx) => sayKev(tx, entries, clock.now())),
    sayEpss: (day, scores) => said((tx) => sayEpss(tx, day, JSON.stringify(scores))),
    sayNotice: (id, cveIds, words) => said((tx) => sayNotice(tx, { id, cveIds, ...A_NOTICE, ...words })),
    sayExploit: (feed, id, cveIds, words) =>
      said((tx) => sayExploit(tx, { feed, id, cveIds, ...AN_EXPLOIT, ...words })),
    reset: async () => {
      await look(`truncate ${EVERYTHING}`)
    },
  }
}

const EVERYTHING = [
  ...['source_record', 'ghsa_advisory', 'publication_queue', 'kev_entry', 'epss_score', 'epss_release'].map(
    (name) => `source.${name}`,
  ),
  ...['acsc_notice', 'acsc_notice_cve', 'exploit_item', 'exploit_item_cve'].map((name) => `source.${name}`),
  ...[
    'cve',
    'cve_document',
    'cve_detail',
    'epss',
    'epss_release',
    'kev',
    'change',
    'statistic',
    'resolverInputs',
    'publication_fault',
  ].map((name) => `catalog.${name}`),
].join(', ')

interface Words {
  readonly source: string
  readonly cveId: string
  readonly record: object
  readonly modified: string
}

async function say(tx: Database, { source, cveId, record, modified }: Words): Promise<void> {
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

async function sayKev(tx: Database, entries: readonly KevWords[], now: Date): Promise<void> {
  const ids = entries.map(({ cveId }) => cveId)
  const { rows } = await sql<{ id: string }>`
    update source.kev_entry
       set removed_at = ${now}
     where removed_at is null
       and cve_id <> all (${ids}::text[])
    returning cve_id as id
  `.execute(tx)
  for (const each of entries) await sayEntry(tx, each, now)
  await queue(tx, 'kev', [...ids, ...rows.map(({ id }) => id)])
}

const AN_ENTRY = {
  vendorProject: 'Kettle',
  product: 'Teapot',
  vulnerabilityName: 'Kettle Teapot Spout Vulnerability',
  dateAdded: '2026-08-19',
  shortDescription: 'The spout pours.',
  requiredAction: 'Put the lid on.',
  dueDate: '2026-09-02',
}

async function sayEntry(tx: Database, entry: KevWords, now: Date): Promise<void> {
  const words = { ...AN_ENTRY, ...entry }
  const { cveId, dateAdded, product } = words
  const contentHash = hash('sha256', JSON.stringify([cveId, dateAdded, product]), 'buffer')
  await sql`
    insert into source.kev_entry (
      cve_id, vendor_project, product, vulnerability_name, date_added, short_description, required_action, due_date,
      known_ransomware, notes, cwes, content_hash, first_stored_at
    )
    values (
      ${cveId}, ${words.vendorProject}, ${product}, ${words.vulnerabilityName}, ${dateAdded},
      ${words.shortDescription}, ${words.requiredAction}, ${words.dueDate}, true, '', '{CWE-20}', ${contentHash}, ${now}
    )
    on conflict (cve_id) do update
       set removed_at = null,
           date_added = excluded.date_added,
           product = excluded.product,
           content_hash = excluded.content_hash
  `.execute(tx)
}

async function sayEpss(tx: Database, day: string, scores: string): Promise<void> {
  await sql`
    insert into source.publication_queue (cve_id, feed)
    select said.key, 'epss'
      from json_each_text(${scores}::json) said
      left join source.epss_score ours
        on ours.cve_id = said.key
     where (said.value::float8 >= 0.1) <> (coalesce(ours.score, 0) >= 0.1)
  `.execute(tx)
  await sql`delete from source.epss_score`.execute(tx)
  await sql`
    insert into source.epss_score (cve_id, score, percentile, model_version)
    select key, value::float8, value::float8, 'v2026.06.15'
      from json_each_text(${scores}::json)
  `.execute(tx)
  await sql`
    insert into source.epss_release as ours (scored_at, model_version)
    values (${day}, 'v2026.06.15')
    on conflict (is_current) do update
       set scored_at = excluded.scored_at,
           revision = ours.revision + 1
  `.execute(tx)
}

const A_NOTICE: NoticeWords = {
  title: 'Teapots pour by themselves',
  published: '2026-08-21T03:00:00Z',
  summary: 'Put the lid on.',
}

interface Naming {
  readonly id: string
  readonly cveIds: readonly string[]
}

async function sayNotice(tx: Database, { id, cveIds, ...words }: Naming & NoticeWords): Promise<void> {
  await sql`
    insert into source.acsc_notice (id, title, type, priority, published, url, summary, is_whole, content_hash)
    values (
      ${id}, ${words.title}, 'alert', 'Critical', ${words.published}, ${`https://www.cyber.gov.au/${id}`},
      ${words.summary}, true, ''
    )
  `.execute(tx)
  await sql`
    insert into source.acsc_notice_cve (notice_id, cve_id)
    select ${id}, unnest(${cveIds}::text[])
  `.execute(tx)
  await queue(tx, 'acsc', cveIds)
}

const AN_EXPLOIT: ExploitWords = { kind: 'exploit', title: 'Teapot 1.0 - Spout', published: '2026-08-10' }

interface InFeed {
  readonly feed: string
}

async function sayExploit(tx: Database, exploit: Naming & InFeed & ExploitWords): Promise<void> {
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
