// What is to be published goes into temporary tables first, by COPY.
import { createHash, hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { type CopyValue, copyChunks } from '../../database/copy-line.ts'
import type { Session } from '../../database/session.ts'
import type { Published } from '../model/published.ts'
import { keyOf } from './cve-key.ts'

const FRAGMENTS = [
  'source_tag',
  'published',
  'modified',
  'description',
  'severity',
  'status',
  'enrichment_status',
  'cvss',
  'cpe',
  'references',
  'acsc',
  'acsc_notices',
  'techniques',
  'enrichment',
] as const

/** Every member of an answer that a change can name. */
export const FRAGMENT_NAMES: readonly string[] = FRAGMENTS

/** Gone with the transaction. */
export async function prepareStage(tx: Transaction<unknown>): Promise<void> {
  // With the compression of the tables they go to, so that each text is compressed once and then only copied.
  await sql`create temporary table staged_cve (like catalog.cve) on commit drop`.execute(tx)
  await sql`alter table staged_cve add column text text not null, alter column words drop not null`.execute(tx)
  await sql`
    create temporary table staged_document (like catalog.cve_document including compression) on commit drop
  `.execute(tx)
  await sql`alter table staged_document alter column enriched_at drop not null`.execute(tx)
  await sql`
    create temporary table staged_detail (like catalog.cve_detail including compression) on commit drop
  `.execute(tx)
  await sql`
    alter table staged_detail alter column created_at drop not null, alter column updated_at drop not null
  `.execute(tx)
}

export async function stage(session: Session, tx: Transaction<unknown>, some: readonly Published[]): Promise<void> {
  await session.copyInto(tx, COLUMNS, copyChunks(some.map(columnsOf)))
  await session.copyInto(tx, DOCUMENT, copyChunks(some.map(fragmentsOf)))
  await session.copyInto(tx, 'staged_detail (cve_key, source, record, content_hash)', copyChunks(details(some)))
}

const COLUMNS = `staged_cve (
  cve_key, published, modified, score, status, is_enriched, has_exploit, in_kev, has_notice, has_reference, cpe_count,
  attack_vector, has_patch, sources, text, content_hash
)`

function columnsOf(each: Published): readonly CopyValue[] {
  const { columns } = each
  return [
    keyOf(each.cveId),
    columns.published,
    columns.modified,
    columns.score,
    columns.status,
    columns.isEnriched,
    columns.hasExploit,
    columns.inKev,
    columns.hasNotice,
    columns.hasReference,
    columns.cpeCount,
    columns.attackVector,
    columns.hasPatch,
    columns.sources,
    columns.text,
    contentHash(each),
  ]
}

const DOCUMENT = `staged_document (cve_key, ${FRAGMENTS.map((name) => `"${name}"`).join(', ')})`

function fragmentsOf({ cveId, fragments }: Published): readonly CopyValue[] {
  return [keyOf(cveId), ...FRAGMENTS.map((name) => fragments[name])]
}

function* details(batch: readonly Published[]): Generator<readonly CopyValue[], void, undefined> {
  for (const { cveId, details: records } of batch)
    for (const { source, record } of records) yield [keyOf(cveId), source, record, hash('sha256', record, 'buffer')]
}

/** Of all that is published of a CVE, but for KEV and EPSS, which are published by themselves. */
function contentHash({ columns, fragments, details: records }: Published): Buffer {
  const content = createHash('sha256').update(JSON.stringify(columns))
  // Nothing that is hashed holds a NUL, so no two contents read the same.
  for (const name of FRAGMENTS) content.update('\0').update(fragments[name])
  for (const { source, record } of records) content.update('\0').update(source).update('\0').update(record)
  return content.digest()
}
