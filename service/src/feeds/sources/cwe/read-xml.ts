// The catalogue as MITRE publishes it: one XML document in a zip file.
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readXml, type XmlElement } from '../../formats/markup.ts'
import { zipEntries } from '../../formats/zip.ts'
import type { RawWeakness } from './normalise.ts'

export interface Catalogue {
  /** Absent when the file does not say. */
  readonly release?: { readonly version: string; readonly at: Date }
  readonly entries: readonly Reading<RawWeakness>[]
}

/** Four times what it is today. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_ELEMENTS = 1_000_000

const SECTIONS = [
  { section: 'Weaknesses', element: 'Weakness', kind: 'weakness', said: 'Description' },
  { section: 'Categories', element: 'Category', kind: 'category', said: 'Summary' },
  { section: 'Views', element: 'View', kind: 'view', said: 'Objective' },
] as const

export async function readXmlCatalogue(path: string): Promise<Catalogue> {
  const files: Buffer[] = []
  const limits = { matches: (name: string) => name.endsWith('.xml'), maxEntryBytes: MAX_BYTES, maxBytes: MAX_BYTES }
  for await (const { bytes } of zipEntries(path, limits)) files.push(bytes)
  const [only] = files
  if (!only || files.length > 1)
    throw new FeedError(`The CWE catalogue is one XML document in a zip file; this one has ${files.length}.`)
  const expected = { what: 'The CWE catalogue', maxBytes: MAX_BYTES, maxElements: MAX_ELEMENTS }
  return readCatalogue(readXml(only, 'Weakness_Catalog', expected))
}

function readCatalogue(root: XmlElement): Catalogue {
  const { Version: version = '', Date: date = '' } = root.attributes
  const at = parseDateTime(`${date}T00:00:00Z`)
  if (!version || !at)
    throw new FeedError(`The CWE catalogue does not say its Version and Date: "${version}", "${date.slice(0, 50)}".`)
  return {
    release: { version: version.slice(0, 50), at },
    entries: SECTIONS.flatMap((each) => readSection(root, each)),
  }
}

/** All three are always there; one that is missing would look as if everything in it had been withdrawn. */
function readSection(root: XmlElement, { section, element, kind, said }: (typeof SECTIONS)[number]) {
  const found = root.children.find(({ name }) => name === section)?.children.filter(({ name }) => name === element)
  if (!found || found.length === 0) throw new FeedError(`The CWE catalogue has no ${section}.`)
  return found.map(({ attributes, children }) => ({
    raw: {
      id: `CWE-${attributes['ID'] ?? ''}`,
      kind,
      name: attributes['Name'] ?? '',
      abstraction: attributes['Abstraction'] ?? '',
      status: attributes['Status'] ?? '',
      description: wordsOf(children.find(({ name }) => name === said)),
    },
  }))
}

function wordsOf(element: XmlElement | undefined): string {
  return element ? [element.text, ...element.children.map(wordsOf)].join(' ') : ''
}
