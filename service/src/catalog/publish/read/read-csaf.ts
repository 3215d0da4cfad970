// Reads what CSAF documents say about CVEs. A document's products are stored once for all its CVEs.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { CveId } from '../../../domain/cve-id.ts'
import { type CsafSourceId, isCsafSource } from '../../../domain/source/csaf-sources.ts'
import type { TruncatedValue } from '../../../domain/source/upstream-limits.ts'
import type { SourceRecord } from '../../model/source-data.ts'

interface StatementRow {
  readonly cveId: CveId
  readonly feed: string
  readonly documentId: string
  readonly record: string
}

interface DocumentRow {
  readonly feed: string
  readonly id: string
  readonly modified: Date
  readonly head: string
  readonly products: string
  readonly truncated: readonly TruncatedValue[] | null
}

interface StoredDocument extends Omit<DocumentRow, 'products'> {
  readonly products: readonly unknown[]
}

/**
 * Each record is a JSON text with the CsafHead `document`, the CsafStatement `statement`, and in `products` each
 * CsafProduct that the statement names, by its position in the document's list.
 */
export async function readCsafRecords(
  db: Database,
  ids: readonly CveId[],
): Promise<readonly (SourceRecord & { readonly cveId: CveId })[]> {
  const statements = await readStatements(db, ids)
  if (statements.length === 0) return []
  const documents = await readDocuments(db, statements)
  return statements.flatMap(({ cveId, feed, documentId, record }) => {
    const document = documents.get(toKey(feed, documentId))
    if (document === undefined || !isCsafSource(feed)) return []
    return [{ cveId, ...toRecord(feed, document, record) }]
  })
}

function toRecord(source: CsafSourceId, { modified, head, products, truncated }: StoredDocument, statement: string) {
  const positions = listPositions(JSON.parse(statement))
  const named = Object.fromEntries(positions.map((position) => [position, products[position]]))
  return {
    source,
    modified,
    record: `{"document":${head},"products":${JSON.stringify(named)},"statement":${statement}}`,
    ...(truncated && truncated.length > 0 && { truncated }),
  }
}

interface Positions {
  readonly statuses: Readonly<Record<string, readonly number[]>>
  readonly justifications: readonly { readonly products: readonly number[] }[]
  readonly remediations: readonly { readonly products: readonly number[] }[]
}

function listPositions({ statuses, justifications, remediations }: Positions): readonly number[] {
  const lists = [...Object.values(statuses), ...[...justifications, ...remediations].map(({ products }) => products)]
  return [...new Set(lists.flat())]
}

const toKey = (feed: string, id: string) => `${feed} ${id}`

/** The lateral subquery with `offset 0` forces an index lookup per id, as in readSourceData. */
async function readStatements(db: Database, ids: readonly CveId[]): Promise<readonly StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select stored.cve_id as "cveId", stored.feed, stored.document_id as "documentId", stored.record
      from unnest(${ids}::text[]) as requested (cve_id)
     cross join lateral (
             select cve_id, feed, document_id, record
               from source.csaf_statement
              where cve_id = requested.cve_id
             offset 0
           ) stored
  `.execute(db)
  return rows
}

async function readDocuments(
  db: Database,
  statements: readonly StatementRow[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const named = new Map(statements.map(({ feed, documentId }) => [toKey(feed, documentId), [feed, documentId]]))
  const keys = [...named.values()]
  const { rows } = await sql<DocumentRow>`
    select stored.feed, stored.id, stored.modified, stored.head, stored.products, stored.truncated
      from unnest(${keys.map(([feed]) => feed)}::text[], ${keys.map(([, id]) => id)}::text[]) as requested (feed, id)
     cross join lateral (
             select feed, id, modified, head, products, truncated
               from source.csaf_document
              where feed = requested.feed
                and id = requested.id
             offset 0
           ) stored
  `.execute(db)
  return new Map(
    rows.map((row) => {
      const products: unknown = JSON.parse(row.products)
      return [toKey(row.feed, row.id), { ...row, products: Array.isArray(products) ? products : [] }]
    }),
  )
}
