// Checks the status and headers of an HTTP response and saves its body to a file.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { type DownloadError, permanent, toDiskError, transient } from '../../outbound/request-error.ts'
import type { Exchange } from '../../outbound/send-request.ts'
import type { DownloadRequest, DownloadResult, Validators } from '../download.ts'
import { parseRetryAfterMs } from './retry.ts'

const THROTTLE_STATUSES = [429, 503]
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]
const HTML_TYPE = /^\s*(text\/html|application\/xhtml\+xml)\b/i
/** Start of an HTML page, possibly after a byte order mark. Mirrors have sent HTML error pages labelled as data. */
const HTML_BEGINNING = /^(ï»¿)?\s*<(!doctype\s+html|html)\b/i
const HTML_PAGE = 'the server sent an HTML page instead of data'

export function findRedirect(response: IncomingMessage, requested: URL): URL | undefined {
  if (!REDIRECT_STATUSES.includes(response.statusCode ?? 0)) return undefined
  const { location } = response.headers
  const target = location === undefined ? null : URL.parse(location, requested.href)
  if (!target) throw permanent(`the server answered ${formatStatus(response)} without a valid location`)
  return target
}

export function checkResponseHead(
  response: IncomingMessage,
  request: DownloadRequest,
  now: Date,
): 'data' | 'unchanged' {
  const { statusCode = 0, headers } = response
  if (statusCode === 304) {
    if (request.validators?.etag === undefined && request.validators?.lastModified === undefined)
      throw permanent('the server answered 304 Not Modified to an unconditional request, expected data')
    return 'unchanged'
  }
  if (statusCode !== 200) throw toStatusError(response, request, now)
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (!isExpectedEncoding(encoding, request.url))
    throw permanent(`the server encoded its response as ${JSON.stringify(encoding.slice(0, 40))}, expected no encoding`)
  if (HTML_TYPE.test(headers['content-type'] ?? '') && !acceptsHtml(request)) throw permanent(HTML_PAGE)
  const length = readContentLength(response)
  if (length !== undefined && length > request.maxBytes)
    throw permanent(`the server announced ${length} bytes, expected at most ${request.maxBytes}`)
  return 'data'
}

function toStatusError(
  response: IncomingMessage,
  { throttleStatuses = [] }: DownloadRequest,
  now: Date,
): DownloadError {
  const { statusCode = 0, headers } = response
  const waitMs = parseRetryAfterMs(headers['retry-after'], now)
  if ([...THROTTLE_STATUSES, ...throttleStatuses].includes(statusCode))
    return transient(`the server asks to retry later (${formatStatus(response)})`, { waitMs })
  const message = `the server answered ${formatStatus(response)}, expected 200 OK`
  return statusCode >= 500 ? transient(message, { waitMs }) : permanent(message, { status: statusCode })
}

/** Uses the standard reason phrase, because the one that the server sent is untrusted. */
function formatStatus({ statusCode = 0 }: IncomingMessage): string {
  return `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trim()
}

/** Some servers wrongly label a .gz file as gzip-encoded and send the file as it is. */
function isExpectedEncoding(encoding: string, url: string): boolean {
  if (encoding === '' || encoding === 'identity') return true
  return /^(x-)?gzip$/.test(encoding) && new URL(url).pathname.endsWith('.gz')
}

function acceptsHtml({ headers = {} }: DownloadRequest): boolean {
  return Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/html'))
}

function readContentLength({ headers }: IncomingMessage): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
}

/** The body goes to a temporary file, which is renamed when complete and deleted on failure. */
export async function saveBody(response: IncomingMessage, options: SaveOptions): Promise<DownloadResult> {
  const part = `${options.path}.part`
  try {
    const file = await open(part, 'w').catch(throwDiskError)
    const bytes = await copyAndClose(response, file, options)
    options.exchange.signal.throwIfAborted()
    await rename(part, options.path).catch(throwDiskError)
    return { isUnchanged: false, bytes, validators: readValidators(response), ...readLink(response) }
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

export interface SaveOptions {
  readonly path: string
  readonly request: DownloadRequest
  readonly exchange: Exchange
}

async function copyAndClose(response: IncomingMessage, file: FileHandle, options: SaveOptions): Promise<number> {
  try {
    return await copyBody(response, file, options)
  } finally {
    await file.close().catch(throwDiskError)
  }
}

async function copyBody(
  response: IncomingMessage,
  file: FileHandle,
  { request, exchange }: SaveOptions,
): Promise<number> {
  let bytes = 0
  for await (const chunk of readChunks(response)) {
    if (bytes === 0 && isHtml(chunk) && !acceptsHtml(request)) throw permanent(HTML_PAGE)
    bytes += chunk.length
    exchange.timers.received(chunk.length)
    request.onBytes?.(bytes)
    if (bytes > request.maxBytes)
      throw permanent(`the server sent more than ${request.maxBytes} bytes, which is the limit`)
    await file.writeFile(chunk).catch(throwDiskError)
  }
  if (bytes === 0) throw permanent('the server sent an empty response, expected data')
  return bytes
}

/** Node itself throws for a response that is shorter or longer than its announced length. */
async function* readChunks(response: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const raw of response) {
      const chunk: Buffer = raw
      bytes += chunk.length
      yield chunk
    }
  } catch (error) {
    throw isConnectionReset(error) ? createTruncationError(bytes, readContentLength(response), error) : error
  }
}

function isHtml(beginning: Buffer): boolean {
  return HTML_BEGINNING.test(beginning.subarray(0, 256).toString('latin1'))
}

function isConnectionReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
}

function createTruncationError(bytes: number, length: number | undefined, cause: unknown): DownloadError {
  const announced = length === undefined ? '' : ` of ${length} announced bytes`
  return transient(`the response was truncated after ${bytes} bytes${announced}`, { cause })
}

function throwDiskError(error: unknown): never {
  throw toDiskError(error)
}

/** Joins repeated Link headers into one header with the same meaning. */
function readLink({ headers }: IncomingMessage): { readonly link?: string } {
  const { link } = headers
  return link === undefined ? {} : { link: Array.isArray(link) ? link.join(', ') : link }
}

function readValidators({ headers }: IncomingMessage): Validators {
  return {
    ...(headers.etag === undefined ? {} : { etag: headers.etag }),
    ...(headers['last-modified'] === undefined ? {} : { lastModified: headers['last-modified'] }),
  }
}
