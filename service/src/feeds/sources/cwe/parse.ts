// Parsers for the two formats of the CWE catalog: MITRE's zipped XML document and a CSV table.
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readCsvRows } from '../../formats/csv.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readXml, type XmlElement } from '../../formats/markup.ts'
import { readZipEntries } from '../../formats/zip.ts'
import type { RawWeakness } from './normalise.ts'

interface CweCatalog {
  /** Undefined for a CSV table, which does not name its release. */
  readonly release?: { readonly version: string; readonly at: Date }
  readonly entries: readonly Reading<RawWeakness>[]
}

/** Four times the size of MITRE's XML document in 2026. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_ELEMENTS = 1_000_000

const SECTIONS = [
  { section: 'Weaknesses', element: 'Weakness', kind: 'weakness', textElement: 'Description' },
  { section: 'Categories', element: 'Category', kind: 'category', textElement: 'Summary' },
  { section: 'Views', element: 'View', kind: 'view', textElement: 'Objective' },
] as const

export async function readXmlCatalog(path: string): Promise<CweCatalog> {
  const files: Buffer[] = []
  const limits = { matches: (name: string) => name.endsWith('.xml'), maxEntryBytes: MAX_BYTES, maxBytes: MAX_BYTES }
  for await (const { bytes } of readZipEntries(path, limits)) files.push(bytes)
  const [document] = files
  if (!document || files.length > 1)
    throw new FeedError(`The zip file of the CWE catalog contains ${files.length} XML documents, expected 1.`)
  const options = { what: 'The CWE catalog', maxBytes: MAX_BYTES, maxElements: MAX_ELEMENTS }
  return parseCatalog(readXml(document, 'Weakness_Catalog', options))
}

function parseCatalog(root: XmlElement): CweCatalog {
  const { Version: version = '', Date: date = '' } = root.attributes
  const at = parseDateTime(`${date}T00:00:00Z`)
  if (!version || !at)
    throw new FeedError(`The CWE catalog has no valid Version and Date: "${version}", "${date.slice(0, 50)}".`)
  return {
    release: { version: version.slice(0, 50), at },
    entries: SECTIONS.flatMap((section) => parseSection(root, section)),
  }
}

/** Throws if the section is missing: the import would mark all its entries as removed. */
function parseSection(root: XmlElement, { section, element, kind, textElement }: (typeof SECTIONS)[number]) {
  const found = root.children.find(({ name }) => name === section)?.children.filter(({ name }) => name === element)
  if (!found || found.length === 0) throw new FeedError(`The CWE catalog has no ${section}.`)
  return found.map(({ attributes, children }) => ({
    raw: {
      id: `CWE-${attributes['ID'] ?? ''}`,
      kind,
      name: attributes['Name'] ?? '',
      abstraction: attributes['Abstraction'] ?? '',
      status: attributes['Status'] ?? '',
      description: extractText(children.find(({ name }) => name === textElement)),
    },
  }))
}

function extractText(element: XmlElement | undefined): string {
  return element ? [element.text, ...element.children.map(extractText)].join(' ') : ''
}

const CSV_COLUMNS = ['id', 'kind', 'name', 'abstraction', 'status', 'description']
const MAX_CSV_BYTES = 32 * 1024 * 1024
const MAX_ROW_BYTES = 256 * 1024

/** Reads the CWE catalog as a CSV table, a third-party format that contains no version and no release date. */
export async function readCsvCatalog(path: string): Promise<CweCatalog> {
  const chunks = readDecompressed(path, { maxBytes: MAX_CSV_BYTES })
  const rows = readCsvRows(chunks, { columns: CSV_COLUMNS, maxRowBytes: MAX_ROW_BYTES })
  const entries: Reading<RawWeakness>[] = await Array.fromAsync(nameErrors('The CWE catalog', rows))
  if (entries.length === 0) throw new FeedError('The CWE catalog cannot be used: it has no entries.')
  return { entries }
}
