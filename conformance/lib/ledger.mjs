// The ledger tests the rules that hold for every answer and adds up the expected price of the run in credits. The
// checks in checks/invariants.mjs read it at the end of the run.

import { findOperation, OPERATIONS } from './contract.mjs'
import { parseCsv } from './csv.mjs'

const CORRELATION_ID = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const ANY_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/
const MAX_TIME_LENGTH = 40
const PAID_KEYS = new Set(['pro', 'enterprise', 'exhausted'])
const COMPANION_HEADERS = { 401: 'WWW-Authenticate', 405: 'Allow', 429: 'Retry-After', 503: 'Retry-After' }
export const CODES = {
  400: ['INVALID_PARAMETER'],
  401: ['UNAUTHORIZED'],
  403: ['FORBIDDEN'],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  409: ['CONFLICT'],
  410: ['GONE'],
  413: ['PAYLOAD_TOO_LARGE'],
  414: ['URI_TOO_LONG'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  429: ['RATE_LIMIT_EXCEEDED', 'CREDIT_LIMIT_EXCEEDED'],
  431: ['HEADERS_TOO_LARGE'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE', 'NOT_READY', 'QUERY_TIMEOUT'],
}

/** Returns whether the answer is a file without an envelope: a part of a snapshot, an export or a feed of a watch. */
const FILE_TYPES = ['application/gzip', 'text/csv', 'application/atom+xml', 'application/feed+json']
const isFile = (answer) => answer.status === 200 && FILE_TYPES.includes(answer.header('Content-Type')?.split(';')[0])

/** The rows of an export that its price is for. The suite exports few CVEs. */
const ROWS_PER_UNIT = 100

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the price of a 2xx answer to this request, in half credits (decision A9). A detail answer without a record is
 * refunded (decision A9).
 */
function priceInHalves(operation, answer) {
  if (!operation || answer.header('X-Blob-Status') === 'missing') return 0
  if (operation.operationId === 'exportCves' && answer.request.method !== 'HEAD') {
    const rows = parseCsv(answer.text).length - 1
    return operation['x-credits'] * 2 * Math.max(1, Math.ceil(rows / ROWS_PER_UNIT))
  }
  return operation['x-credits'] * 2
}

/** Returns every string that looks like a date-time but is not of the form 2026-01-31T12:00:00Z. */
function findOddTimes(value, found = []) {
  if (typeof value === 'string') {
    if (value.length < MAX_TIME_LENGTH && ANY_TIME.test(value) && !WHOLE_SECONDS.test(value)) found.push(value)
  } else if (value && typeof value === 'object') {
    for (const item of Object.values(value)) findOddTimes(item, found)
  }
  return found
}

/** Endpoints that answer only a member who is signed in to the console. The suite calls with keys. */
const OF_MEMBERS = new Set(['markSeen', 'mark-seen'])

export class Ledger {
  answers = 0
  halves = 0
  faults = new Map()
  #ids = new Set()
  #answered = new Set()

  /** Returns the endpoints in the contract that gave no 2xx answer. */
  listUnanswered() {
    const expected = OPERATIONS.filter(({ operationId }) => !OF_MEMBERS.has(operationId))
    return expected.filter((each) => !this.#answered.has(each)).map(({ method, path }) => `${method} ${path}`)
  }

  record(answer) {
    const { request, status } = answer
    this.answers += 1
    if (status >= 200 && status < 300) {
      const operation = findOperation(request.method, request.path)
      if (request.keyName === 'pro') this.halves += priceInHalves(operation, answer)
      if (request.method !== 'HEAD') this.#answered.add(operation)
    }
    // A server under load may answer 503, so the ledger does not report it. A check that expects another status still
    // fails.
    if (status >= 500 && status !== 503) this.#addFault('server error', answer, answer.text.slice(0, 200))
    this.#testHeaders(answer)
    if (request.method !== 'HEAD' && ![204, 304].includes(status) && !isFile(answer)) this.#testBody(answer)
  }

  #addFault(rule, answer, what) {
    const list = this.faults.get(rule) ?? []
    list.push(`${answer}: ${what}`)
    this.faults.set(rule, list)
  }

  #testHeaders(answer) {
    const names = Object.keys(answer.headers)
    if (names.some((name) => name.startsWith('x-quota'))) this.#addFault('quota header', answer, 'has X-Quota-*')
    if (names.some((name) => name.startsWith('x-rate-limit')) && PAID_KEYS.has(answer.request.keyName))
      this.#addFault('rate header', answer, 'has X-Rate-Limit-*')
    this.#testCorrelationId(answer)
    const companion = COMPANION_HEADERS[answer.status]
    if (companion && !answer.header(companion)) this.#addFault('companion header', answer, `no ${companion}`)
  }

  #testCorrelationId(answer) {
    const id = answer.header('X-Correlation-Id')
    if (!CORRELATION_ID.test(id ?? '')) this.#addFault('correlation header', answer, `X-Correlation-Id is ${id}`)
    else if (this.#ids.has(id)) this.#addFault('correlation unique', answer, `${id} was used before`)
    this.#ids.add(id)
  }

  #testBody(answer) {
    const contentType = answer.header('Content-Type') ?? ''
    if (!/^application\/json\b/.test(contentType)) this.#addFault('content type', answer, contentType)
    // The service sends a 431 before it has read Accept-Encoding, so the body of a 431 is not compressed.
    if (answer.status !== 431) this.#testEncoding(answer)
    if (!isObject(answer.json)) {
      this.#addFault('envelope', answer, `body is ${answer.text.slice(0, 80)}`)
      return
    }
    this.#testMeta(answer)
    if (answer.status >= 400) this.#testErrorBody(answer)
    else if (!('data' in answer.json) || 'error' in answer.json)
      this.#addFault('envelope', answer, `keys ${Object.keys(answer.json)}`)
    const oddTimes = findOddTimes(answer.status < 400 ? answer.json : answer.meta)
    if (oddTimes.length > 0) this.#addFault('time format', answer, oddTimes.slice(0, 3).join(', '))
  }

  #testEncoding(answer) {
    if (!answer.headerItems('Vary').includes('accept-encoding'))
      this.#addFault('vary', answer, `Vary: ${answer.header('Vary')}`)
    const asksForGzip = answer.request.headers['Accept-Encoding'] === 'gzip'
    if (asksForGzip && answer.header('Content-Encoding') !== 'gzip') this.#addFault('gzip', answer, 'not compressed')
  }

  #testMeta(answer) {
    const { meta } = answer
    if (!isObject(meta)) {
      this.#addFault('envelope', answer, 'no meta')
      return
    }
    const isComplete = WHOLE_SECONDS.test(meta.timestamp ?? '') && meta.version === 'v1'
    if (!isComplete) this.#addFault('meta', answer, JSON.stringify(meta))
    if (meta.correlationId !== answer.header('X-Correlation-Id'))
      this.#addFault('correlation equal', answer, `${meta.correlationId} in the body`)
  }

  #testErrorBody(answer) {
    const { error } = answer
    if (!isObject(error) || 'data' in answer.json) {
      this.#addFault('envelope', answer, `keys ${Object.keys(answer.json)}`)
      return
    }
    if (typeof error.message !== 'string' || error.message === '') this.#addFault('error body', answer, 'no message')
    if ('details' in error && !isObject(error.details)) this.#addFault('error body', answer, 'details is not an object')
    if (!(CODES[answer.status] ?? []).includes(error.code)) this.#addFault('error code', answer, `code ${error.code}`)
  }
}
