import { createIssue } from '../contract/request/validation-issue.ts'
import { ApiError, invalidParameters } from '../contract/response/errors.ts'

export const MAX_URL_BYTES = 8 * 1024

export interface ParserError {
  readonly message: string
  readonly code?: string
  readonly rawPacket?: unknown
}

export function translateParserError(error: ParserError): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongUrl(error.rawPacket)
        ? urlTooLong()
        : new ApiError('HEADERS_TOO_LARGE', 'The headers may have at most 16 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large; send none.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(
        'REQUEST_TIMEOUT',
        'The request did not arrive in time: headers within 10 s, the whole of it within 15 s.',
      )
    default:
      return malformedRequest(error.message)
  }
}

export function urlTooLong(): ApiError {
  return new ApiError(
    'URI_TOO_LONG',
    `The URL may have at most ${MAX_URL_BYTES} bytes: send fewer or shorter values. POST /api/v1/cve/batch takes a list of CVE ids in its body.`,
  )
}

export function malformedRequest(reason: string): ApiError {
  return invalidParameters([
    {
      ...createIssue('request', null, 'a well-formed HTTP/1.1 request'),
      message: `is not well-formed HTTP/1.1 (${reason})`,
    },
  ])
}

/**
 * Node's parser limits only the total size of URL and headers. `packet` is the last one received, and contains the URL
 * only if it starts with an HTTP method.
 */
function hasLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z-]+ /.test(packet.toString('latin1', 0, 20))) return false
  const lineEnd = packet.indexOf('\n')
  return (lineEnd === -1 ? packet.length : lineEnd) > MAX_URL_BYTES
}
