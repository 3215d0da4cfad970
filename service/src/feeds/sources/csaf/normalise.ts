// Converts a CSAF document to a row: the document's own facts, its products, and one statement per CVE.
import { hash } from 'node:crypto'
import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { CsafHead, CsafStatement } from '../../../domain/source/csaf-record.ts'
import { clampToNow, isFutureTime } from '../../clock-skew.ts'
import type { Rejected } from '../../feed.ts'
import { sanitizeText } from '../../sanitize-text.ts'
import { readText } from '../../schema-check.ts'
import { type CsafDocument, csafDocument } from './document.ts'
import { readProductTree } from './product-tree.ts'
import { createProductList, isHttpUrl, joinStatements, toStatement } from './statement.ts'

/** A document, or the news that the publisher has withdrawn one. */
export type RawCsaf = { readonly value: unknown } | { readonly withdrawn: string; readonly at: Date }

export interface CsafRow {
  readonly id: string
  readonly modified: Date
  /** True if the release date is in the future; `modified` is then the time of the import (decision C22). */
  readonly isFuture: boolean
  /** The numbers of the document's version: of two documents with the same date, the higher one is newer. */
  readonly revision: readonly number[]
  /** JSON texts. `statements` are in the order of `cveIds`. */
  readonly head: string
  readonly products: string
  readonly cveIds: readonly CveId[]
  readonly statements: readonly string[]
  readonly contentHash: Buffer
}

const MAX_ID_LENGTH = 200
/** The largest known document, about an operating system for routers, has 900. */
const MAX_CVES = 5000
/** Products that all statements of a document name, each counted as often as it is named. */
const MAX_NAMED_PRODUCTS = 2_000_000

/** The labels of documents that may be passed on to everyone. A document without a label is public too. */
const PUBLIC_LABELS: readonly string[] = ['WHITE', 'CLEAR']
/** CSAF 2.1 has documents that only say that an older one no longer counts. */
const WITHDRAWN: readonly string[] = ['csaf_withdrawn', 'csaf_superseded']

export function normaliseCsaf(raw: RawCsaf, now: Date): CsafRow | Rejected {
  if ('withdrawn' in raw) return toWithdrawnRow(raw.withdrawn, raw.at, '', now)
  const { value } = raw
  const rejected = sanitizeText(readText(value, 'document', 'tracking', 'id') ?? 'a document without an id')
  const reject = (reason: string) => ({ rejected, reason })
  if (!csafDocument.matches(value)) return reject(csafDocument.describeMismatch(value))
  const { tracking, distribution, category } = value.document
  if (tracking.id.length > MAX_ID_LENGTH) return reject(`its id is longer than ${MAX_ID_LENGTH} characters`)
  const label = distribution?.tlp?.label?.toUpperCase()
  if (label !== undefined && !PUBLIC_LABELS.includes(label))
    return reject(`its TLP label is ${sanitizeText(label, 20)}; only documents for everyone are imported`)
  if (tracking.status === 'draft') return reject('it is a draft')
  const modified = parseDateTime(tracking.current_release_date)
  if (!modified) return reject('document.tracking.current_release_date is not a valid date-time')
  if (WITHDRAWN.includes(category)) return toWithdrawnRow(tracking.id, modified, tracking.version, now)
  return toRow(value, modified, now, reject)
}

function toRow(
  document: CsafDocument,
  modified: Date,
  now: Date,
  reject: (reason: string) => Rejected,
): CsafRow | Rejected {
  const { id, version } = document.document.tracking
  const found = readStatements(document)
  if (typeof found === 'string') return reject(found)
  const content = {
    head: JSON.stringify(readHead(document, modified)),
    products: JSON.stringify(found.products),
    cveIds: [...found.statements.keys()],
    statements: [...found.statements.values()].map((each) => JSON.stringify(each)),
  }
  return {
    ...content,
    id,
    modified: clampToNow(modified, now),
    isFuture: isFutureTime(modified, now),
    revision: readRevision(version),
    contentHash: hash('sha256', JSON.stringify(content), 'buffer'),
  }
}

function readHead({ document }: CsafDocument, modified: Date): CsafHead {
  const { tracking, title, aggregate_severity: severity } = document
  const published = parseDateTime(tracking.initial_release_date)
  return {
    id: tracking.id,
    title: title ?? null,
    version: tracking.version,
    url: findPage(document.references ?? []),
    published: published ? formatInstant(published) : null,
    modified: formatInstant(modified),
    severity: severity?.text ?? null,
  }
}

/** Publishers list the JSON file and the page for people under the same category. */
function findPage(references: NonNullable<CsafDocument['document']['references']>): string | null {
  const own = references.flatMap(({ category, url }) => (category === 'self' && isHttpUrl(url) ? [url] : []))
  return own.find((url) => !/\.json$/i.test(url)) ?? own[0] ?? null
}

/** Returns the reason why the document cannot be used. */
function readStatements(document: CsafDocument) {
  const tree = readProductTree(document)
  if (typeof tree === 'string') return tree
  const vulnerabilities = document.vulnerabilities ?? []
  if (vulnerabilities.length > MAX_CVES)
    return `it has ${vulnerabilities.length} vulnerabilities, at most ${MAX_CVES} are allowed`
  const products = createProductList(tree)
  const statements = new Map<CveId, CsafStatement>()
  let named = 0
  for (const vulnerability of vulnerabilities) {
    const cveId = parseCanonicalCveId(vulnerability.cve ?? '')
    // A vulnerability with only the publisher's own id belongs to no record.
    if (!cveId) continue
    const statement = toStatement(vulnerability, products)
    named += countNamed(statement)
    if (named > MAX_NAMED_PRODUCTS) return `it names products more than ${MAX_NAMED_PRODUCTS} times`
    const known = statements.get(cveId)
    statements.set(cveId, known === undefined ? statement : joinStatements(known, statement))
  }
  return { products: products.listed, statements }
}

function countNamed({ statuses, remediations, justifications }: CsafStatement): number {
  const lists = [...Object.values(statuses), ...[...remediations, ...justifications].map(({ products }) => products)]
  return lists.reduce((sum, each) => sum + each.length, 0)
}

/** Reads `1.2.0` or `3`. */
function readRevision(version: string): readonly number[] {
  const numbers = /^\d{1,9}(?:\.\d{1,9}){0,2}/.exec(version)?.[0] ?? ''
  return numbers === '' ? [] : numbers.split('.').map(Number)
}

/** The row stays, so that an older copy of the document does not return. */
function toWithdrawnRow(id: string, at: Date, version: string, now: Date): CsafRow {
  return {
    id,
    modified: clampToNow(at, now),
    isFuture: isFutureTime(at, now),
    revision: readRevision(version),
    head: '{}',
    products: '[]',
    cveIds: [],
    statements: [],
    contentHash: hash('sha256', 'withdrawn', 'buffer'),
  }
}
