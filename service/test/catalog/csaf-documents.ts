// Stores CSAF documents as their feeds do, and builds documents of a vendor that does not exist.
import { sql } from 'kysely'
import type { Database } from '../../src/database/postgres.ts'
import type { CsafSourceId } from '../../src/domain/source/csaf-sources.ts'
import { type CsafRow, normaliseCsaf } from '../../src/feeds/sources/csaf/normalise.ts'
import { csafDocument } from '../feeds/sources/csaf/fixtures.ts'

const NOW = new Date('2026-08-22T12:00:00Z')

type Members = Readonly<Record<string, unknown>>

/** The members are those of `vulnerabilities[0]`. */
export function advisory(
  id: string,
  cveId: string,
  members: Members,
  options: Parameters<typeof csafDocument>[1] = {},
) {
  return csafDocument(id, { tree: TREE, ...options, vulnerabilities: [{ cve: cveId, ...members }] })
}

const leaf = (id: string, category: string, name: string, helper?: Members) => ({
  category,
  name,
  product: { name: `Acme ${name}`, product_id: id, ...(helper && { product_identification_helper: helper }) },
})

/** R: Acme Router, in versions and ranges. S: Acme Switch. */
const TREE = {
  branches: [
    {
      category: 'vendor',
      name: 'Acme',
      branches: [
        {
          category: 'product_name',
          name: 'Router',
          branches: [
            leaf('R21', 'product_version', '2.1'),
            leaf('R22', 'product_version', '2.2'),
            leaf('R24', 'product_version', '2.4'),
            leaf('R-before-24', 'product_version_range', 'vers:generic/>=2.0|<2.4'),
            leaf('R-words', 'product_version_range', 'All versions prior to V2.4'),
            leaf('R-all', 'product_version_range', 'vers:all/*'),
            leaf('R-unread', 'product_version_range', '<= serial numbers of spring'),
          ],
        },
        {
          category: 'product_name',
          name: 'Switch',
          branches: [
            leaf('S1', 'product_version', '1.0', { cpe: 'cpe:2.3:o:acme:switch_os:1.0:*:*:*:*:*:*:*' }),
            leaf('S-npm', 'product_version', '3.0', { purl: 'pkg:npm/acme-switch@3.0.0' }),
          ],
        },
        leaf('Hub', 'product_name', 'Hub'),
      ],
    },
  ],
}

function toCsafRow(document: unknown): CsafRow {
  const row = normaliseCsaf({ value: document }, NOW)
  if ('rejected' in row) throw new Error(`the document is rejected: ${row.reason}`)
  return row
}

/** Replaces the document and queues its CVEs, those of the older version too. */
export async function storeCsaf(db: Database, feed: CsafSourceId, document: unknown): Promise<void> {
  const { id, modified, revision, head, products, cveIds, statements } = toCsafRow(document)
  await sql`
    insert into source.publication_queue (feed, cve_id)
    select ${feed}, cve_id from source.csaf_statement where feed = ${feed} and document_id = ${id}
     union
    select ${feed}, unnest(${cveIds}::text[])
  `.execute(db)
  await sql`delete from source.csaf_statement where feed = ${feed} and document_id = ${id}`.execute(db)
  await sql`delete from source.csaf_document where feed = ${feed} and id = ${id}`.execute(db)
  await sql`
    insert into source.csaf_document (feed, id, modified, revision, head, products, content_hash)
    values (${feed}, ${id}, ${modified}, ${revision}::int[], ${head}, ${products}, '')
  `.execute(db)
  await sql`
    insert into source.csaf_statement (feed, document_id, cve_id, record)
    select ${feed}, ${id}, unnest(${cveIds}::text[]), unnest(${statements}::text[])
  `.execute(db)
}
