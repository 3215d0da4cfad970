// Reads JSON from callers who may be hostile. Size, depth and number of values are limited before parsing; otherwise a
// 10 MiB document could become gigabytes of objects.
import { gunzipSync } from 'node:zlib'
import type { SentDocument } from '../../contract/endpoint.ts'
import { createIssue } from '../../contract/request/validation-issue.ts'
import { type ApiError, invalidParameters, payloadTooLarge } from '../../contract/response/errors.ts'

/** Components may be nested 100 levels deep, and each level is an object in an array. */
const MAX_DEPTH = 500
/** A 10 MiB SBOM with 5,000 components has about 300,000 values. */
const MAX_VALUES = 1_000_000

export function readJson({ bytes, isGzip }: SentDocument, maxBytes: number): unknown {
  const plain = isGzip ? inflate(bytes, maxBytes) : bytes
  checkShape(plain)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain))
  } catch (error) {
    // The parser's message quotes the document, so the response names only the position.
    const position = /at position \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    throw malformed(position ? `is not JSON in UTF-8 (look ${position})` : 'is not JSON in UTF-8')
  }
}

/** `maxOutputLength` stops decompression at the limit, so that a small body cannot fill the memory. */
function inflate(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? payloadTooLarge(maxBytes) : malformed('is not valid gzip data, as Content-Encoding says')
  }
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Limits depth and values by counting brackets and commas outside strings. JSON.parse finds the syntax errors. */
function checkShape(bytes: Uint8Array): void {
  let [depth, values] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = findEndOfString(bytes, at)
    else if (byte === COMMA) values += 1
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1
      values += 1
      if (depth > MAX_DEPTH) throw malformed(`has more than ${MAX_DEPTH} levels of objects and arrays`)
    }
    if (values > MAX_VALUES) throw malformed(`has more than ${MAX_VALUES} values`)
  }
}

function findEndOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}

function malformed(message: string): ApiError {
  return invalidParameters([{ ...createIssue('body', null, 'a CycloneDX or SPDX document in JSON'), message }])
}
