// What NVD wraps its records in, the same in files and in pages: how many there are, in which format, as of when.
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { cutElements } from '../../formats/json-elements.ts'

/** Of unpacked JSON. The largest file of 2026 has 300 MB. */
export const MAX_JSON_BYTES = 2 * 1024 ** 3

export interface ContainerFile {
  readonly path: string
  /** For people. */
  readonly name: string
}

const LIMITS = { maxBytes: MAX_JSON_BYTES }
const LIST = { member: 'vulnerabilities' }

export type Members = Readonly<Record<string, unknown>>

/** A whole file: as many records as it says, and at least one. */
export async function* recordsOf(
  file: ContainerFile,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  let count = 0
  const atEnd = (members: Members) => refuseIncomplete(file, members, count)
  for await (const reading of wrappedRecords(file, onBytes, atEnd)) {
    count += 1
    yield reading
  }
}

function refuseIncomplete(file: ContainerFile, members: Members, count: number): void {
  const total = numberOf(file, members, 'totalResults')
  if (total !== count) throw new FeedError(`${file.name} is incomplete: it says ${total} records, and has ${count}.`)
  // There was always something to list, so an empty list is a breakdown, and never news.
  if (count === 0) throw new FeedError(`${file.name} lists no record at all, which NVD never meant.`)
}

/** The records as they stand there, and what surrounds them, once all of them have been read. */
export async function* wrappedRecords(
  file: ContainerFile,
  onBytes: (count: number) => void,
  atEnd: (members: Members) => void,
): AsyncGenerator<Reading<unknown>> {
  try {
    await using container = await cutElements(openFile(file.path, LIMITS, onBytes), LIST)
    refuseForeignHeader(file, container.header)
    for await (const reading of container.elements) yield reading
    const members = container.members()
    refuseForeignFormat(file, members)
    atEnd(members)
  } catch (error) {
    throw named(file, error)
  }
}

/** When NVD made the file, by its own word; only its beginning is read. */
export async function timestampOf(file: ContainerFile): Promise<Date | undefined> {
  try {
    await using container = await cutElements(openFile(file.path, LIMITS), LIST)
    return instantOf(container.header)
  } catch (error) {
    throw named(file, error)
  }
}

export function instantOf({ timestamp }: Members): Date | undefined {
  // The files give NVD's local time without saying so. Read as UTC it is some hours too old, but never too new.
  return typeof timestamp === 'string' ? parseDateTime(timestamp) : undefined
}

export function numberOf(file: ContainerFile, members: Members, name: string): number {
  const value = members[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new FeedError(`${file.name} has no usable "${name}": ${JSON.stringify(value) ?? 'it is missing'}.`)
}

/** These members usually come before the records: then a foreign file is not read to its end. */
function refuseForeignHeader(file: ContainerFile, header: Members): void {
  if ('format' in header && 'version' in header) refuseForeignFormat(file, header)
}

function refuseForeignFormat(file: ContainerFile, { format, version }: Members): void {
  if (format === 'NVD_CVE' && version === '2.0') return
  const found = JSON.stringify({ format, version })
  throw new FeedError(`${file.name} is not in the format NVD_CVE, version 2.0, but says ${found}.`)
}

/** Whoever reads the record of a run sees many files, and should not have to guess. */
function named({ name }: ContainerFile, error: unknown): unknown {
  const isNameless = error instanceof FeedError && !error.message.includes(name)
  return isNameless ? new FeedError(`${name}: ${error.message}`, { cause: error }) : error
}
