// Reads a ROLIE feed (RFC 8322 in JSON form, section 7.1.15 of CSAF 2.0), which names the document, its hash and its
// signature in each entry.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { parseDateTime } from '../../../../domain/instant.ts'
import { isFutureTime } from '../../../clock-skew.ts'
import type { DownloadContext, Validators } from '../../../download.ts'
import { FeedError, type Rejected } from '../../../feed.ts'
import { hasMoreValues } from '../../../formats/count-values.ts'
import { parseRecord } from '../../../formats/parse-json.ts'
import { sanitizeText } from '../../../sanitize-text.ts'
import { compileSchema } from '../../../schema-check.ts'
import { type DocumentList, type ListedDocument, MAX_LIST_BYTES, MAX_LISTED, toListedDocument } from './listing.ts'
import type { Distribution } from './metadata.ts'
import { checkUrl, isDocumentName, type ProviderOptions, readFileName } from './provider-url.ts'

/** An entry has about 25 values; BSI's feed, the largest known, has 14,000 entries. */
const MAX_VALUES = 2_000_000

const FEED = compileSchema(Type.Object({ feed: Type.Object({ entry: Type.Optional(Type.Array(Type.Unknown())) }) }))

const Entry = Type.Object({
  id: Type.String(),
  updated: Type.String(),
  link: Type.Optional(Type.Array(Type.Object({ rel: Type.String(), href: Type.String() }))),
  content: Type.Optional(Type.Object({ src: Type.Optional(Type.String()) })),
})

const ENTRY = compileSchema(Entry)
/** Stands for an address that is not a URL, and is on none of the provider's hosts. */
const INVALID = new URL('https://address.invalid/')

interface FeedRequest {
  readonly distribution: Distribution
  readonly validators: Validators | undefined
  /** Name of the file in the spool folder. */
  readonly name: string
}

/** Returns undefined if the feed is unchanged. */
export async function fetchRolie(
  { distribution, validators, name }: FeedRequest,
  options: ProviderOptions,
  context: DownloadContext,
): Promise<DocumentList | undefined> {
  const path = join(context.spool, name)
  const { href: url } = distribution.url
  const result = await context.download.file(
    { url, maxBytes: MAX_LIST_BYTES, redirectHosts: options.hosts, ...(validators && { validators }) },
    path,
  )
  if (result.isUnchanged) return undefined
  const entries = parseEntries(await readFile(path), url)
  const documents: ListedDocument[] = []
  const rejected: Rejected[] = []
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry, distribution.url, options, context.now)
    if ('reason' in read) rejected.push({ rejected: read.rejected || `entry[${index}]`, reason: read.reason })
    else documents.push(read)
  }
  return { documents, rejected, validators: result.validators }
}

function parseEntries(bytes: Buffer, url: string): readonly unknown[] {
  if (hasMoreValues(bytes, MAX_VALUES))
    throw new FeedError(`${url} has more than ${MAX_VALUES} values, which is the limit`)
  const parsed = parseRecord(bytes)
  if ('error' in parsed) throw new FeedError(`${url} cannot be used: ${parsed.error}`)
  if (!FEED.matches(parsed.value)) throw new FeedError(`${url} cannot be used: ${FEED.describeMismatch(parsed.value)}`)
  const { entry = [] } = parsed.value.feed
  if (entry.length > MAX_LISTED)
    throw new FeedError(`${url} has ${entry.length} entries, at most ${MAX_LISTED} are allowed`)
  return entry
}

function readEntry(raw: unknown, feed: URL, options: ProviderOptions, now: Date): ListedDocument | Rejected {
  if (!ENTRY.matches(raw)) return { rejected: '', reason: ENTRY.describeMismatch(raw) }
  const reject = (reason: string) => ({ rejected: sanitizeText(raw.id, 80), reason })
  const at = parseDateTime(raw.updated)
  if (!at) return reject('the time of the change is not a valid date-time')
  if (isFutureTime(at, now)) return reject('the time of the change is in the future')
  const [url, hash512, hash256, signature] = [
    raw.content?.src ?? findLinks(raw, 'self')[0],
    findLinks(raw, 'hash').find((href) => href.endsWith('.sha512')),
    findLinks(raw, 'hash').find((href) => href.endsWith('.sha256')),
    findLinks(raw, 'signature')[0],
  ].map((href) => (href === undefined ? undefined : (URL.parse(href, feed) ?? INVALID)))
  if (url === undefined) return reject('the entry names no document')
  const issue = [url, hash512, hash256, signature].map((each) => each && checkUrl(each, options)).find(Boolean)
  if (issue) return reject(issue)
  if (!isDocumentName(readFileName(url))) return reject('the name of the document is not of the form NAME.json')
  return toListedDocument({
    at,
    url,
    hashes: [hash512, hash256].filter((each) => each !== undefined),
    signature,
    areNamed: true,
  })
}

function findLinks({ link = [] }: Static<typeof Entry>, rel: string): string[] {
  return link.filter((each) => each.rel === rel).map(({ href }) => href)
}
