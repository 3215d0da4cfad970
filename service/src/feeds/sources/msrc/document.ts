// What Microsoft says in a month: a CVRF document in JSON, of which the vulnerabilities are the large part.
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, isRejected, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { cutElements } from '../../formats/json-elements.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import type { Month } from './month.ts'

export interface DocumentFile {
  readonly path: string
  /** For people. */
  readonly name: string
}

/** What the vulnerabilities of a document have in common. */
export interface Issue {
  readonly month: Month
  readonly releasedAt: Date
  readonly revisedAt: Date
  /** By their ids, which the vulnerabilities refer to. */
  readonly products: ReadonlyMap<string, NamedProduct>
}

export interface NamedProduct {
  readonly name: string
  readonly cpe: string | null
}

/** One vulnerability, as it stands there, with what is needed to understand it. */
export interface MsrcRecord {
  readonly issue: Issue
  readonly said: unknown
}

const MEBIBYTE = 1024 * 1024
/** The largest of 2026 has 20 MB. */
export const MAX_DOCUMENT_BYTES = 256 * MEBIBYTE
/** The products of a month, its release notes, and hundreds of revisions. */
const CUT = { member: 'Vulnerability', maxOtherBytes: 8 * MEBIBYTE }
/** Real ones have a hundred characters. */
const MAX_PRODUCT_NAME_LENGTH = 500
/** Advisories stand among the vulnerabilities, under an id of Microsoft's own: they are of no CVE. */
const ADVISORY = /^ADV\d/i

const Head = Type.Object({
  DocumentTracking: Type.Object({
    Identification: Type.Object({ ID: Type.Object({ Value: Type.String() }) }),
    InitialReleaseDate: Type.String(),
    CurrentReleaseDate: Type.String(),
  }),
  ProductTree: orNull(
    Type.Object({
      FullProductName: orNull(
        Type.Array(Type.Object({ ProductID: Type.String(), Value: orNull(Type.String()), CPE: orNull(Type.String()) })),
      ),
    }),
  ),
})
const HEAD = shapeOf(Head)

/**
 * Reads a document to its end before anything in it is believed: the products may stand after the vulnerabilities, and
 * one that is cut off is none.
 */
export async function openDocument(
  file: DocumentFile,
  month: Month,
): Promise<{ readonly issue: Issue; readonly count: number }> {
  try {
    await using document = await cutElements(contentOf(file), CUT)
    let count = 0
    for await (const _ of document.elements) count += 1
    return { issue: issueOf(document.members(), month), count }
  } catch (error) {
    throw named(file, error)
  }
}

export async function* recordsOf(
  file: DocumentFile,
  issue: Issue,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<MsrcRecord>> {
  try {
    await using document = await cutElements(contentOf(file, onBytes), CUT)
    for await (const each of document.elements) yield* recordIn(each, issue)
  } catch (error) {
    throw named(file, error)
  }
}

function recordIn(reading: Reading<unknown>, issue: Issue): readonly Reading<MsrcRecord>[] {
  if (isRejected(reading)) return [reading]
  return ADVISORY.test(msrcIdOf(reading.raw) ?? '') ? [] : [{ raw: { issue, said: reading.raw } }]
}

/** What a vulnerability calls itself, whatever else may be wrong with it. */
export function msrcIdOf(said: unknown): string | undefined {
  const id = typeof said === 'object' && said !== null && 'CVE' in said ? said.CVE : undefined
  return typeof id === 'string' ? id : undefined
}

function contentOf({ path }: DocumentFile, onBytes?: (count: number) => void): AsyncGenerator<Buffer, void, undefined> {
  return openFile(path, { maxBytes: MAX_DOCUMENT_BYTES }, onBytes)
}

function issueOf(members: unknown, month: Month): Issue {
  if (!HEAD.fits(members)) throw new FeedError(`it is no document of a month: ${HEAD.fault(members)}`)
  const { Identification, InitialReleaseDate, CurrentReleaseDate } = members.DocumentTracking
  const id = Identification.ID.Value
  if (id.toLowerCase() !== month.id.toLowerCase())
    throw new FeedError(`it is of another month than ${month.name}: ${JSON.stringify(id.slice(0, 40))}`)
  return {
    month,
    releasedAt: instantOf('InitialReleaseDate', InitialReleaseDate),
    revisedAt: instantOf('CurrentReleaseDate', CurrentReleaseDate),
    products: productsOf(members),
  }
}

function instantOf(member: string, text: string): Date {
  const instant = parseDateTime(text)
  if (!instant) throw new FeedError(`its ${member} is no date: ${JSON.stringify(text.slice(0, 40))}`)
  return instant
}

function productsOf({ ProductTree }: Static<typeof Head>): ReadonlyMap<string, NamedProduct> {
  const named = ProductTree?.FullProductName ?? []
  return new Map(
    named.flatMap(({ ProductID, Value, CPE }) => {
      const cpe = CPE?.startsWith('cpe:') ? CPE : null
      return Value && Value.length <= MAX_PRODUCT_NAME_LENGTH ? [[ProductID, { name: Value, cpe }]] : []
    }),
  )
}

function named({ name }: DocumentFile, error: unknown): unknown {
  const isNameless = error instanceof FeedError && !error.message.includes(name)
  return isNameless ? new FeedError(`${name} cannot be used: ${error.message}.`, { cause: error }) : error
}
