// Reads the list of a directory-based distribution: `changes.csv`, whose lines are `"2024/name.json","2024-05-06T07:08:09Z"`,
// or else `index.txt`, whose lines are only paths (sections 7.1.12 and 7.1.13 of CSAF 2.0).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDateTime } from '../../../../domain/instant.ts'
import { isFutureTime } from '../../../clock-skew.ts'
import type { DownloadContext, DownloadResult, Validators } from '../../../download.ts'
import { FeedError, MissingFileError, type Rejected } from '../../../feed.ts'
import { sanitizeText } from '../../../sanitize-text.ts'
import { type DocumentList, type ListedDocument, MAX_LIST_BYTES, MAX_LISTED, toListedDocument } from './listing.ts'
import type { Distribution } from './metadata.ts'
import { checkPath, type ProviderOptions } from './provider-url.ts'

const DAY_MS = 24 * 3_600_000
const LINE = /^"?([^",]*)"?,"?([^",]*)"?$/

interface ListRequest {
  readonly distribution: Distribution
  readonly validators: Validators | undefined
  /** Name of the file in the spool folder. */
  readonly name: string
}

/** Returns undefined if the list is unchanged. */
export async function fetchDirectory(
  request: ListRequest,
  options: ProviderOptions,
  context: DownloadContext,
): Promise<DocumentList | undefined> {
  try {
    return await fetchLines('changes.csv', parseChange, request, options, context)
  } catch (error) {
    if (!(error instanceof MissingFileError)) throw error
    const monday = findMonday(context.now)
    // The index has no times, so each document counts as changed at the beginning of each week.
    return fetchLines(
      'index.txt',
      (line) => ({ path: line, at: monday }),
      { ...request, validators: undefined },
      options,
      context,
    )
  }
}

interface Line {
  readonly path: string
  readonly at: Date | undefined
}

async function fetchLines(
  file: string,
  parse: (line: string) => Line,
  { distribution, validators, name }: ListRequest,
  { hosts }: ProviderOptions,
  context: DownloadContext,
): Promise<DocumentList | undefined> {
  const path = join(context.spool, name)
  const url = new URL(file, distribution.url).href
  const result: DownloadResult = await context.download.file(
    { url, maxBytes: MAX_LIST_BYTES, redirectHosts: hosts, ...(validators && { validators }) },
    path,
  )
  if (result.isUnchanged) return undefined
  const bytes = await readFile(path)
  // Counted before the text is split, because 64 MiB of line breaks would take gigabytes as a list of lines.
  const count = countLineBreaks(bytes)
  if (count > MAX_LISTED) throw new FeedError(`${url} has ${count} lines, at most ${MAX_LISTED} are allowed`)
  const lines = bytes
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const documents: ListedDocument[] = []
  const rejected: Rejected[] = []
  for (const line of lines) {
    const read = toDocument(parse(line), distribution.url, context.now)
    if (typeof read === 'string') rejected.push({ rejected: sanitizeText(line, 80), reason: `${file}: ${read}` })
    else documents.push(read)
  }
  return { documents, rejected, validators: file === 'changes.csv' ? result.validators : {} }
}

function countLineBreaks(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

function parseChange(line: string): Line {
  const [, path = '', date = ''] = LINE.exec(line) ?? []
  return { path, at: parseDateTime(date) }
}

function toDocument({ path, at }: Line, directory: URL, now: Date): ListedDocument | string {
  const issue = checkPath(path)
  if (issue) return issue
  if (!at) return 'the time of the change is not a valid date-time'
  if (isFutureTime(at, now)) return 'the time of the change is in the future'
  const url = new URL(path, directory)
  const beside = (suffix: string) => new URL(`${url.href}${suffix}`)
  return toListedDocument({
    at,
    url,
    hashes: [beside('.sha512'), beside('.sha256')],
    signature: beside('.asc'),
    areNamed: false,
  })
}

function findMonday(now: Date): Date {
  const day = Math.floor(now.getTime() / DAY_MS)
  // Day 0, 1970-01-01, was a Thursday.
  return new Date((day - ((day + 3) % 7)) * DAY_MS)
}
