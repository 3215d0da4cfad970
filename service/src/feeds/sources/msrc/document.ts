// Reads one of Microsoft's monthly security update documents: a CVRF document in JSON, with a large list of
// vulnerabilities.
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { TEXT_LIMITS } from '../../../domain/source/upstream-limits.ts'
import { FeedError, isRejected, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { addFileName } from '../../formats/file-error.ts'
import { readJsonElements } from '../../formats/json-elements.ts'
import { compileSchema, optionalOrNull, readText } from '../../schema-check.ts'
import type { Month } from './month.ts'

export interface DocumentFile {
  readonly path: string
  readonly name: string
}

export interface DocumentHeader {
  readonly month: Month
  readonly releasedAt: Date
  readonly revisedAt: Date
  readonly products: ReadonlyMap<string, NamedProduct>
}

export interface NamedProduct {
  readonly name: string
  readonly cpe: string | null
}

export interface MsrcRecord {
  readonly header: DocumentHeader
  readonly vulnerability: unknown
}

const MEBIBYTE = 1024 * 1024
/** Maximum size of a Microsoft document. The largest document of 2026 is 20 MB. */
export const MAX_DOCUMENT_BYTES = 256 * MEBIBYTE
/** Products, release notes and hundreds of revisions are outside the list of vulnerabilities. */
const ELEMENT_OPTIONS = { member: 'Vulnerability', maxOtherBytes: 8 * MEBIBYTE }
/** Maximum length of a product name. In 2026, Microsoft's product names have up to about 100 characters. */
const MAX_PRODUCT_NAME_LENGTH = 500
/** Microsoft lists its advisories among the vulnerabilities, under ids such as ADV990001 and without a CVE. */
const ADVISORY = /^ADV\d/i

const Head = Type.Object({
  DocumentTracking: Type.Object({
    Identification: Type.Object({ ID: Type.Object({ Value: Type.String() }) }),
    InitialReleaseDate: Type.String(),
    CurrentReleaseDate: Type.String(),
  }),
  ProductTree: optionalOrNull(
    Type.Object({
      FullProductName: optionalOrNull(
        Type.Array(
          Type.Object({
            ProductID: Type.String(),
            Value: optionalOrNull(Type.String()),
            CPE: optionalOrNull(Type.String()),
          }),
        ),
      ),
    }),
  ),
})
const HEAD = compileSchema(Head)

/**
 * Reads the whole document: products may come last, and a truncated document must be refused before anything is stored.
 */
export async function readDocumentHeader(
  file: DocumentFile,
  month: Month,
): Promise<{ readonly header: DocumentHeader; readonly count: number }> {
  try {
    await using document = await readJsonElements(openFile(file), ELEMENT_OPTIONS)
    let count = 0
    for await (const _ of document.elements) count += 1
    return { header: parseHeader(document.members(), month), count }
  } catch (error) {
    throw addFileName(file.name, error)
  }
}

export async function* readVulnerabilities(
  file: DocumentFile,
  header: DocumentHeader,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<MsrcRecord>> {
  try {
    await using document = await readJsonElements(openFile(file, onBytes), ELEMENT_OPTIONS)
    for await (const each of document.elements) yield* toRecords(each, header)
  } catch (error) {
    throw addFileName(file.name, error)
  }
}

function toRecords(reading: Reading<unknown>, header: DocumentHeader): readonly Reading<MsrcRecord>[] {
  if (isRejected(reading)) return [reading]
  return ADVISORY.test(readMsrcId(reading.raw) ?? '') ? [] : [{ raw: { header, vulnerability: reading.raw } }]
}

/** Lets a rejection name the vulnerability even if it does not match the schema. */
export function readMsrcId(vulnerability: unknown): string | undefined {
  return readText(vulnerability, 'CVE')
}

function openFile({ path }: DocumentFile, onBytes?: (count: number) => void): AsyncGenerator<Buffer, void, undefined> {
  return readDecompressed(path, { maxBytes: MAX_DOCUMENT_BYTES }, onBytes)
}

function parseHeader(members: unknown, month: Month): DocumentHeader {
  if (!HEAD.matches(members)) throw new FeedError(`it is not a monthly document: ${HEAD.describeMismatch(members)}`)
  const { Identification, InitialReleaseDate, CurrentReleaseDate } = members.DocumentTracking
  const id = Identification.ID.Value
  if (id.toLowerCase() !== month.id.toLowerCase())
    throw new FeedError(`it belongs to another month than ${month.name}: ${JSON.stringify(id.slice(0, 40))}`)
  return {
    month,
    releasedAt: parseInstant('InitialReleaseDate', InitialReleaseDate),
    revisedAt: parseInstant('CurrentReleaseDate', CurrentReleaseDate),
    products: parseProductTree(members),
  }
}

function parseInstant(member: string, text: string): Date {
  const instant = parseDateTime(text)
  if (!instant) throw new FeedError(`${member} is not a valid date-time: ${JSON.stringify(text.slice(0, 40))}`)
  return instant
}

function parseProductTree({ ProductTree }: Static<typeof Head>): ReadonlyMap<string, NamedProduct> {
  const products = ProductTree?.FullProductName ?? []
  return new Map(
    products.flatMap(({ ProductID, Value, CPE }) => {
      const cpe = CPE?.startsWith('cpe:') && CPE.length <= TEXT_LIMITS.id.max ? CPE : null
      return Value && Value.length <= MAX_PRODUCT_NAME_LENGTH ? [[ProductID, { name: Value, cpe }]] : []
    }),
  )
}
