// One call: address, headers, attempts, and what became of them.
import { isVisError, VisError, type VisErrorCode } from './errors.ts'
import type { ClientOptions, RateLimit } from './options.ts'
import { sleep, waitBeforeRetryMs } from './retry.ts'

type QueryValue = string | number | boolean | readonly string[] | undefined

interface Call {
  readonly method: 'GET' | 'POST'
  /** From the root of the service, without a slash at its beginning. */
  readonly path: string
  /** Lists are sent with commas, and what is undefined is left out. */
  readonly query?: object
  readonly body?: unknown
  readonly signal: AbortSignal | undefined
  /** `/health` needs no key: it is then not shown to it either. */
  readonly isPublic?: boolean
}

interface Answer<Data> {
  readonly data: Data
  readonly headers: Headers
}

export type Send = <Data>(call: Call) => Promise<Answer<Data>>

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 30_000

/** Checks the options once, and keeps the key where nothing can print it. */
export function sender(options: ClientOptions): Send {
  const base = baseOf(options.url)
  const headers = headersFor(options.apiKey)
  const { retries = DEFAULT_RETRIES } = options
  return <Data>(call: Call) => {
    const address = addressOf(base, call)
    return persist(call, retries, (attempt) => attemptOnce<Data>({ ...options, call, address, headers, attempt }))
  }
}

async function persist<Result>(
  call: Call,
  retries: number,
  work: (attempt: number) => Promise<Result>,
  attempt = 1,
): Promise<Result> {
  try {
    return await work(attempt)
  } catch (error) {
    const mayRetry = isVisError(error) && attempt <= retries
    const waitMs = mayRetry ? waitBeforeRetryMs({ method: call.method, error, attempt }) : undefined
    if (waitMs === undefined) throw error
    await sleep(waitMs, call.signal)
  }
  return persist(call, retries, work, attempt + 1)
}

function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined
  if (!base || !/^https?:$/.test(base.protocol) || base.username || base.password) {
    throw new TypeError('url must be an http or https address without a user name, such as https://vis.example.org')
  }
  base.pathname = base.pathname.replace(/\/*$/, '/')
  return base
}

function headersFor(apiKey: string): Readonly<Record<string, string>> {
  // The platform would refuse it too, but in a message that repeats the key.
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new TypeError('apiKey holds a character that no key has; a line break at its end, perhaps?')
  }
  return apiKey === '' ? {} : { 'X-API-Key': apiKey }
}

function addressOf(base: URL, { path, query = {} }: Call): URL {
  const address = new URL(path, base)
  const parameters: readonly [string, QueryValue][] = Object.entries(query)
  for (const [name, value] of parameters) {
    if (value !== undefined) address.searchParams.set(name, String(value))
  }
  return address
}

interface Attempt extends ClientOptions {
  readonly call: Call
  readonly address: URL
  readonly headers: Readonly<Record<string, string>>
  readonly attempt: number
}

async function attemptOnce<Data>(wanted: Attempt): Promise<Answer<Data>> {
  const { call, address, attempt, onResponse } = wanted
  const started = performance.now()
  const { response, text } = await exchange(wanted)
  const { headers, status } = response
  const answered = {
    status,
    correlationId: headers.get('X-Correlation-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
  }
  onResponse?.({
    ...answered,
    method: call.method,
    path: address.pathname + address.search,
    rateLimit: rateLimitOf(headers),
    durationMs: performance.now() - started,
    attempt,
  })
  const body = parse(text)
  if (!response.ok || body === undefined || !('data' in body)) throw errorOf(answered, body)
  // Earned: openapi.json says so, and the service is tested against it.
  return { data: body['data'] as Data, headers }
}

async function exchange({ call, address, headers, ...options }: Attempt) {
  const { fetch = globalThis.fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, {
      method: call.method,
      headers: {
        Accept: 'application/json',
        ...(call.isPublic ? {} : headers),
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
      credentials: 'omit',
      // A redirection would take the key to whoever it leads to.
      redirect: 'error',
    })
    return { response, text: await response.text() }
  } catch (cause) {
    if (call.signal?.aborted) throw call.signal.reason
    if (timeout.aborted) {
      throw new VisError({ code: 'TIMEOUT', message: `${address.host} did not answer within ${timeoutMs} ms`, cause })
    }
    throw new VisError({ code: 'NETWORK_ERROR', message: `${address.host} could not be reached`, cause })
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Answered {
  readonly status: number
  readonly correlationId: string | undefined
  readonly retryAfter: number | undefined
}

function errorOf(answered: Answered, body: Readonly<Record<string, unknown>> | undefined): VisError {
  const error = body?.['error']
  if (!isObject(error) || typeof error['code'] !== 'string') {
    const message = `something that is not the service answered, with status ${answered.status}`
    return new VisError({ ...answered, code: 'INVALID_RESPONSE', message })
  }
  const { code, message, parameter, value, details } = error
  return new VisError({
    ...answered,
    // Earned: openapi.json lists the codes.
    code: code as VisErrorCode,
    message: String(message),
    parameter: typeof parameter === 'string' ? parameter : undefined,
    value,
    details: isObject(details) ? details : undefined,
  })
}

function retryAfterOf(headers: Headers): number | undefined {
  const seconds = headers.get('Retry-After')
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined
}

function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [remaining, reset] = [headers.get('X-Rate-Limit-Remaining'), headers.get('X-Rate-Limit-Reset')]
  if (remaining === null || reset === null) return undefined
  return { remaining: Number(remaining), resetAt: new Date(Number(reset) * 1000) }
}
