// Reads the JSON object that contains NVD's records. Files and API pages contain the same object: format, timestamp,
// counts and records.
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { readJsonElements } from '../../formats/json-elements.ts'

/** Maximum size of unpacked JSON. NVD's largest file of 2026 is 300 MB. */
export const MAX_JSON_BYTES = 2 * 1024 ** 3

export interface ContainerFile {
  readonly path: string
  readonly name: string
}

const FILE_LIMITS = { maxBytes: MAX_JSON_BYTES }

/** Files and pages differ in the format that they name and in the member that holds the list. */
export interface ContainerKind {
  readonly format: string
  readonly member: string
}

export const RECORDS: ContainerKind = { format: 'NVD_CVE', member: 'vulnerabilities' }

export type Members = Readonly<Record<string, unknown>>

/** Throws at the end unless the file has as many records as it announces, and at least one. */
export async function* readRecords(
  file: ContainerFile,
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  let count = 0
  const onMembers = (members: Members) => assertComplete(file, members, count)
  for await (const reading of readContainer(file, onBytes, onMembers)) {
    count += 1
    yield reading
  }
}

function assertComplete(file: ContainerFile, members: Members, count: number): void {
  const total = readCount(file, members, 'totalResults')
  if (total !== count)
    throw new FeedError(`${file.name} is incomplete: it announces ${total} records and has ${count}.`)
  // NVD's files always list some records, so an empty list means that NVD is broken.
  if (count === 0) throw new FeedError(`${file.name} lists no records; NVD seems to be broken.`)
}

/** After the last record, `onMembers` receives the other members of the JSON object. */
export async function* readContainer(
  file: ContainerFile,
  onBytes: (count: number) => void,
  onMembers: (members: Members) => void,
  kind = RECORDS,
): AsyncGenerator<Reading<unknown>> {
  const options = { member: kind.member }
  try {
    await using container = await readJsonElements(readDecompressed(file.path, FILE_LIMITS, onBytes), options)
    // Format and version usually come first, so another format is refused before its records are read.
    const { header } = container
    if ('format' in header && 'version' in header) assertFormat(file, header, kind)
    for await (const reading of container.elements) yield reading
    const members = container.members()
    assertFormat(file, members, kind)
    onMembers(members)
  } catch (error) {
    throw addFileName(file, error)
  }
}

export async function readTimestamp(file: ContainerFile): Promise<Date | undefined> {
  return parseTimestamp(await readHeader(file))
}

/** Returns the number of records that the file announces; undefined if it does not do so before the first record. */
export async function readAnnouncedCount(file: ContainerFile): Promise<number | undefined> {
  const header = await readHeader(file)
  return 'totalResults' in header ? readCount(file, header, 'totalResults') : undefined
}

async function readHeader(file: ContainerFile): Promise<Members> {
  try {
    await using container = await readJsonElements(readDecompressed(file.path, FILE_LIMITS), {
      member: RECORDS.member,
    })
    return container.header
  } catch (error) {
    throw addFileName(file, error)
  }
}

export function parseTimestamp({ timestamp }: Members): Date | undefined {
  // The timestamp is NVD's local time without a zone. Parsed as UTC, it is a few hours too early, but never too late.
  return typeof timestamp === 'string' ? parseDateTime(timestamp) : undefined
}

export function readCount(file: ContainerFile, members: Members, name: string): number {
  const value = members[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new FeedError(`${file.name} has no valid "${name}": ${JSON.stringify(value) ?? 'it is missing'}.`)
}

function assertFormat(file: ContainerFile, { format, version }: Members, kind = RECORDS): void {
  if (format === kind.format && version === '2.0') return
  const found = JSON.stringify({ format, version })
  throw new FeedError(`${file.name} is not in the format ${kind.format} version 2.0: ${found}.`)
}

/** The run log covers many files, so each error names its file. */
function addFileName({ name }: ContainerFile, error: unknown): unknown {
  const lacksName = error instanceof FeedError && !error.message.includes(name)
  return lacksName ? new FeedError(`${name}: ${error.message}`, { cause: error }) : error
}
