// What may be believed of an answer, and its way into a file.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Downloaded, DownloadRequest, Validators } from '../download.ts'
import { toDiskError, lasting, passing, type Trouble } from './download-error.ts'
import { retryAfterMs } from './retry.ts'
import type { Exchange } from './send-request.ts'

const THROTTLED = [429, 503]
const REDIRECTED = [301, 302, 303, 307, 308]
const HTML_TYPE = /^\s*(text\/html|application\/xhtml\+xml)\b/i
/** Mirrors have sent error pages under the type of the data; the first bytes tell, a byte order mark aside. */
const HTML_BEGINNING = /^(ï»¿)?\s*<(!doctype\s+html|html)\b/i
const HTML_PAGE = 'the server sent an HTML page instead of data'

/** Where a redirect leads; undefined if the answer is none. */
export function redirectOf(answer: IncomingMessage, asked: URL): URL | undefined {
  if (!REDIRECTED.includes(answer.statusCode ?? 0)) return undefined
  const { location } = answer.headers
  const target = location === undefined ? null : URL.parse(location, asked.href)
  if (!target) throw lasting(`the server answered ${statusOf(answer)} without saying where to go`)
  return target
}

/** Throws unless the answer is the data, as far as its head can tell. */
export function checkHead(answer: IncomingMessage, request: DownloadRequest, now: Date): 'data' | 'unchanged' {
  const { statusCode = 0, headers } = answer
  if (statusCode === 304) {
    if (request.validators?.etag === undefined && request.validators?.lastModified === undefined)
      throw lasting('the server says that nothing changed, but we have no copy and did not ask that, expected data')
    return 'unchanged'
  }
  if (statusCode !== 200) throw toStatusError(answer, request, now)
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (!isExpectedEncoding(encoding, request.url))
    throw lasting(`the server encoded its answer as ${JSON.stringify(encoding.slice(0, 40))}, expected no encoding`)
  if (HTML_TYPE.test(headers['content-type'] ?? '') && !wantsHtml(request)) throw lasting(HTML_PAGE)
  const length = lengthOf(answer)
  if (length !== undefined && length > request.maxBytes)
    throw lasting(`the server announces ${length} bytes, expected at most ${request.maxBytes}`)
  return 'data'
}

function toStatusError(answer: IncomingMessage, { throttledBy = [] }: DownloadRequest, now: Date): Trouble {
  const { statusCode = 0, headers } = answer
  const waitMs = retryAfterMs(headers['retry-after'], now)
  if ([...THROTTLED, ...throttledBy].includes(statusCode))
    return passing(`the server wants us to come back later (${statusOf(answer)})`, { waitMs })
  const words = `the server answered ${statusOf(answer)}, expected 200 OK`
  return statusCode >= 500 ? passing(words, { waitMs }) : lasting(words)
}

/** By the code alone: the server's own wording is its own. */
function statusOf({ statusCode = 0 }: IncomingMessage): string {
  return `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim()
}

/** Some servers call a .gz file encoded, though it is the file itself that was asked for. */
function isExpectedEncoding(encoding: string, url: string): boolean {
  if (encoding === '' || encoding === 'identity') return true
  return /^(x-)?gzip$/.test(encoding) && new URL(url).pathname.endsWith('.gz')
}

function wantsHtml({ headers = {} }: DownloadRequest): boolean {
  return Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/html'))
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
}

/** Into a file that gets its name when it is complete, and is gone otherwise. */
export async function saveBody(answer: IncomingMessage, saving: Saving): Promise<Downloaded> {
  const part = `${saving.path}.part`
  try {
    const file = await open(part, 'w').catch(refuseDisk)
    const bytes = await copyAndClose(answer, file, saving)
    saving.exchange.signal.throwIfAborted()
    await rename(part, saving.path).catch(refuseDisk)
    return { isUnchanged: false, bytes, validators: validatorsOf(answer), ...linkOf(answer) }
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

export interface Saving {
  readonly path: string
  readonly request: DownloadRequest
  readonly exchange: Exchange
}

async function copyAndClose(answer: IncomingMessage, file: FileHandle, saving: Saving): Promise<number> {
  try {
    return await copyBody(answer, file, saving)
  } finally {
    await file.close().catch(refuseDisk)
  }
}

async function copyBody(answer: IncomingMessage, file: FileHandle, { request, exchange }: Saving): Promise<number> {
  let bytes = 0
  for await (const piece of piecesOf(answer)) {
    if (bytes === 0 && isHtml(piece) && !wantsHtml(request)) throw lasting(HTML_PAGE)
    bytes += piece.length
    exchange.watch.received(piece.length)
    if (bytes > request.maxBytes) throw lasting(`the server sent more than the ${request.maxBytes} bytes expected`)
    await file.writeFile(piece).catch(refuseDisk)
  }
  if (bytes === 0) throw lasting('the server sent an empty answer, expected data')
  return bytes
}

/** The platform itself reports an answer that is shorter or longer than it announced. */
async function* piecesOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of answer) {
      const piece: Buffer = chunk
      bytes += piece.length
      yield piece
    }
  } catch (error) {
    throw isCut(error) ? cutShort(bytes, lengthOf(answer), error) : error
  }
}

function isHtml(beginning: Buffer): boolean {
  return HTML_BEGINNING.test(beginning.subarray(0, 256).toString('latin1'))
}

function isCut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

function cutShort(bytes: number, length: number | undefined, cause: unknown): Trouble {
  const announced = length === undefined ? '' : ` of the ${length} that it announced`
  return passing(`the answer was cut off before its end, ${bytes} bytes${announced} were read`, { cause })
}

function refuseDisk(error: unknown): never {
  throw toDiskError(error)
}

/** Several headers of this name mean the same as one. */
function linkOf({ headers }: IncomingMessage): { readonly link?: string } {
  const { link } = headers
  return link === undefined ? {} : { link: Array.isArray(link) ? link.join(', ') : link }
}

function validatorsOf({ headers }: IncomingMessage): Validators {
  return {
    ...(headers.etag === undefined ? {} : { etag: headers.etag }),
    ...(headers['last-modified'] === undefined ? {} : { lastModified: headers['last-modified'] }),
  }
}
