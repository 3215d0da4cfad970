// CVEs as they are published, said in few words: await given(cve('CVE-2021-44228', { score: 10, epss: [0.97, 0.99] })).
// What is not said has a plain default. A CVE that is given again is published again.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../src/database/postgres.ts'
import { cveKeyOf, parseCveId } from '../../src/domain/cve-id.ts'
import type { Given } from './builders.ts'
import { type KevWanted, renderKev, renderParts } from './catalog-fragments.ts'

export interface CveWanted {
  readonly published?: string | null
  readonly modified?: string
  readonly description?: string | null
  readonly score?: number | null
  readonly status?: string
  readonly isEnriched?: boolean
  readonly kev?: KevWanted
  /** Score and percentile. */
  readonly epss?: readonly [number, number]
  /** Titles of ACSC's notices. */
  readonly notices?: readonly string[]
  readonly techniques?: readonly string[]
  /** How many CPE matches, and references. */
  readonly cpeCount?: number
  readonly referenceCount?: number
  readonly hasExploit?: boolean
  readonly hasPatch?: boolean
  readonly attackVector?: 'network' | 'adjacent' | 'local' | 'physical' | null
  readonly sources?: readonly string[]
  readonly enrichedAt?: string
  /** By source, the record without its metadata. */
  readonly details?: Readonly<Record<string, unknown>>
}

export type CveFacts = Required<Omit<CveWanted, 'kev' | 'epss'>> & Pick<CveWanted, 'kev' | 'epss'> & { id: string }

const PLAIN = {
  published: '2026-08-01T10:00:00Z',
  modified: '2026-08-02T11:00:00Z',
  description: 'A weakness of something.',
  score: 7.5,
  status: 'Analyzed',
  isEnriched: true,
  notices: [],
  techniques: [],
  cpeCount: 1,
  referenceCount: 1,
  hasExploit: false,
  hasPatch: false,
  attackVector: 'network',
  sources: ['cve', 'nvd'],
  enrichedAt: '2026-08-03T12:00:00Z',
  details: {},
} as const

export function cve(id: string, wanted: CveWanted = {}): Given {
  const facts: CveFacts = { ...PLAIN, ...wanted, id }
  return {
    store: (db) =>
      db.transaction().execute(async (tx) => {
        await withdraw(tx, id)
        await storeCve(tx, facts)
        await storeDocument(tx, facts)
        await storeDetails(tx, facts)
        await storeEpss(tx, facts)
        if (facts.kev) await storeKev(tx, facts.kev, id)
        await log(tx, keyOf(id), 'changed')
      }),
  }
}

/** It is published no more. */
export function noCve(id: string): Given {
  return {
    store: (db) =>
      db.transaction().execute(async (tx) => {
        await withdraw(tx, id)
        await log(tx, keyOf(id), 'removed')
      }),
  }
}

/** All scores of a day at once, which writes a single line into the log of changes. */
export function epssOf(day: string, scores: Readonly<Record<string, readonly [number, number]>>): Given {
  return {
    store: (db) =>
      db.transaction().execute(async (tx) => {
        await sql`delete from catalog.epss_release`.execute(tx)
        await sql`insert into catalog.epss_release (scored_at, model_version) values (${`${day}T12:00:00Z`}, 'v1')`.execute(
          tx,
        )
        for (const [id, [score, percentile]] of Object.entries(scores)) {
          await sql`update catalog.epss set score = ${score}, percentile = ${percentile} where cve_key = ${keyOf(id)}`.execute(
            tx,
          )
        }
        await log(tx, null, 'epss')
      }),
  }
}

export interface StatisticWanted {
  readonly totalCves: number
  readonly totalKev: number
  readonly totalWithEpss: number
  readonly totalWithAcsc: number
  readonly averageEpss: number
}

export function statistic(wanted: StatisticWanted): Given {
  const { totalCves, totalKev, totalWithEpss, totalWithAcsc, averageEpss } = wanted
  return {
    store: async (db) => {
      await sql`delete from catalog.statistic`.execute(db)
      await sql`
        insert into catalog.statistic (total_cves, total_kev, total_with_epss, total_with_acsc, average_epss, change_seq)
        values (${totalCves}, ${totalKev}, ${totalWithEpss}, ${totalWithAcsc}, ${averageEpss}, 0)
      `.execute(db)
    },
  }
}

export function keyOf(id: string): string {
  const parsed = parseCveId(id)
  const key = parsed && cveKeyOf(parsed)
  if (key === undefined) throw new Error(`${id} cannot have a record`)
  return key
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest()

async function withdraw(tx: Database, id: string): Promise<void> {
  for (const table of ['cve', 'cve_document', 'cve_detail', 'epss', 'kev']) {
    await sql`delete from ${sql.table(`catalog.${table}`)} where cve_key = ${keyOf(id)}`.execute(tx)
  }
}

async function storeCve(tx: Database, facts: CveFacts): Promise<void> {
  const { id, kev, epss: _, ...content } = facts
  await sql`
    insert into catalog.cve (cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev, has_notice,
                             has_reference, cpe_count, attack_vector, has_patch, sources, words, content_hash)
    values (${keyOf(id)}, ${facts.published}, ${facts.modified}, ${facts.score}, ${facts.status}, ${facts.isEnriched},
            ${facts.hasExploit}, ${kev !== undefined}, ${facts.notices.length > 0}, ${facts.referenceCount > 0},
            ${facts.cpeCount}, ${facts.attackVector}, ${facts.hasPatch}, ${facts.sources},
            catalog.search_words(${`${id} ${facts.description ?? ''}`}), ${hashOf(content)})
  `.execute(tx)
}

async function storeDocument(tx: Database, facts: CveFacts): Promise<void> {
  const parts = renderParts(facts)
  await sql`
    insert into catalog.cve_document (cve_key, source_tag, published, modified, description, severity, status,
                                      enrichment_status, cvss, cpe, "references", acsc, acsc_notices, techniques,
                                      enrichment, enriched_at)
    values (${keyOf(facts.id)}, ${parts.source_tag}, ${parts.published}, ${parts.modified}, ${parts.description},
            ${parts.severity}, ${parts.status}, ${parts.enrichment_status}, ${parts.cvss}, ${parts.cpe},
            ${parts.references}, ${parts.acsc}, ${parts.acsc_notices}, ${parts.techniques}, ${parts.enrichment},
            ${facts.enrichedAt})
  `.execute(tx)
}

async function storeDetails(tx: Database, { id, details }: CveFacts): Promise<void> {
  for (const [source, record] of Object.entries(details)) {
    await sql`
      insert into catalog.cve_detail (cve_key, source, record, content_hash, created_at, updated_at)
      values (${keyOf(id)}, ${source}, ${JSON.stringify(record)}, ${hashOf(record)}, '2026-08-04T00:00:00Z',
              '2026-08-05T00:00:00Z')
    `.execute(tx)
  }
}

async function storeEpss(tx: Database, { id, epss }: CveFacts): Promise<void> {
  await sql`
    insert into catalog.epss (cve_key, score, percentile)
    values (${keyOf(id)}, ${epss?.[0] ?? null}, ${epss?.[1] ?? null})
  `.execute(tx)
  await sql`
    insert into catalog.epss_release (scored_at, model_version)
    values ('2026-08-21T12:00:00Z', 'v1')
        on conflict do nothing
  `.execute(tx)
}

async function storeKev(tx: Database, wanted: KevWanted, id: string): Promise<void> {
  const kev = renderKev(wanted, id)
  await sql`
    insert into catalog.kev (cve_key, vendor_project, product, date_added, due_date, known_ransomware, summary, in_batch,
                             in_recent, entry, content_hash)
    values (${keyOf(id)}, ${kev.vendorProject}, ${kev.product}, ${kev.dateAdded}, ${kev.dueDate}, ${kev.knownRansomware},
            ${kev.summary}, ${kev.inBatch}, ${kev.inRecent}, ${kev.entry}, ${hashOf(wanted)})
  `.execute(tx)
}

async function log(tx: Database, key: string | null, kind: 'changed' | 'removed' | 'epss'): Promise<void> {
  await sql`insert into catalog.change (cve_key, kind) values (${key}, ${kind})`.execute(tx)
}
