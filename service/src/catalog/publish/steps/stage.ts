// Copies the CVEs of a publication into temporary tables.
import { hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../../contract/record/cve-fields.ts'
import { type CopyValue, formatCopyChunks } from '../../../database/copy-line.ts'
import type { Session } from '../../../database/session.ts'
import { AFFECTED_TABLES, AFFECTED_TARGET, listAffectedValues, prepareAffected } from '../../affected/store.ts'
import type { Published } from '../../render/published.ts'
import { toStoredCveKey } from '../cve-key.ts'
import { readStagedValues, STAGED_COLUMNS } from '../indexes/search-columns.ts'
import { prepareNameChanges } from '../names/count-names.ts'

/**
 * PostgreSQL drops the tables at the end of the transaction. They compress like the catalog tables, so each text is
 * compressed once and then only copied.
 */
export async function prepareStage(tx: Transaction<unknown>): Promise<void> {
  await sql`create temporary table staged_cve (like catalog.cve) on commit drop`.execute(tx)
  await sql`
    alter table staged_cve
      add column text text not null,
      add column names text[] not null,
      add column product_names text[] not null,
      alter column words drop not null
  `.execute(tx)
  await sql`
    create temporary table staged_product (cve_key bigint, vendor text collate "C", product text collate "C")
        on commit drop
  `.execute(tx)
  await sql`create temporary table staged_alias (like catalog.alias) on commit drop`.execute(tx)
  await sql`create temporary table product_change (product_key integer, change integer) on commit drop`.execute(tx)
  await prepareNameChanges(tx)
  await prepareAffected(tx)
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

export async function clearStage(tx: Transaction<unknown>): Promise<void> {
  await sql`
    truncate staged_cve, staged_product, staged_alias, ${AFFECTED_TABLES}, staged_document, staged_detail
  `.execute(tx)
}

const CVE_TARGET = `staged_cve (${STAGED_COLUMNS.join(', ')})`
const PRODUCT_TARGET = 'staged_product (cve_key, vendor, product)'
const ALIAS_TARGET = 'staged_alias (cve_key, alias, source)'
const DOCUMENT_TARGET = `staged_document (cve_key, ${DOCUMENT_COLUMNS.map((column) => `"${column}"`).join(', ')})`
const DETAIL_TARGET = 'staged_detail (cve_key, source, record, parts, content_hash)'

export async function stage(session: Session, tx: Transaction<unknown>, batch: readonly Published[]): Promise<void> {
  await session.copyInto(tx, CVE_TARGET, formatCopyChunks(batch.map(readStagedValues)))
  await session.copyInto(tx, PRODUCT_TARGET, formatCopyChunks(readProducts(batch)))
  await session.copyInto(tx, ALIAS_TARGET, formatCopyChunks(readAliases(batch)))
  await session.copyInto(tx, AFFECTED_TARGET, formatCopyChunks(readAffected(batch)))
  await session.copyInto(tx, DOCUMENT_TARGET, formatCopyChunks(batch.map(readFragments)))
  await session.copyInto(tx, DETAIL_TARGET, formatCopyChunks(readDetails(batch)))
}

function* readProducts(batch: readonly Published[]): Generator<readonly CopyValue[], void, undefined> {
  for (const { cveId, names } of batch)
    for (const { vendor, product } of names) yield [toStoredCveKey(cveId), vendor, product]
}

function* readAliases(batch: readonly Published[]): Generator<readonly CopyValue[], void, undefined> {
  for (const { cveId, aliases } of batch)
    for (const { alias, source } of aliases) yield [toStoredCveKey(cveId), alias, source]
}

function* readAffected(batch: readonly Published[]): Generator<readonly CopyValue[], void, undefined> {
  for (const { cveId, affected } of batch) yield* listAffectedValues(toStoredCveKey(cveId), affected)
}

function readFragments({ cveId, fragments }: Published): readonly CopyValue[] {
  return [toStoredCveKey(cveId), ...DOCUMENT_COLUMNS.map((column) => fragments[column])]
}

function* readDetails(batch: readonly Published[]): Generator<readonly CopyValue[], void, undefined> {
  for (const { cveId, details } of batch)
    for (const { source, record, parts } of details)
      yield [toStoredCveKey(cveId), source, record, parts, hash('sha256', record, 'buffer')]
}
