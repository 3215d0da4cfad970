// Options of a client and of a single call.

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Base URL of the service, such as `https://vis.example.org`. A path in the URL is kept. */
  readonly url: string
  /** API key. The client sends it in the `X-API-Key` header and nowhere else. */
  readonly apiKey: string
  /** Replacement for the platform's `fetch`, for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
  /** Maximum number of retries of a call. Only safe retries are made. Default: 2. */
  readonly retries?: number
  /** Timeout of one attempt in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  /** Called after every response, including responses that lead to a retry. If it throws, the call rejects. */
  readonly onResponse?: (info: ResponseInfo) => void
}

/** Options of {@link createSessionClient}: those of {@link createClient} without the API key. */
export type SessionClientOptions = Omit<ClientOptions, 'apiKey'>

/** Options that every call accepts in addition to its specific ones. */
export interface CallOptions {
  /** Aborts the call, its retries and any further pages. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Information about one response from the service. It never contains the API key. */
export interface ResponseInfo {
  readonly method: 'GET' | 'POST'
  /** Path with query string. */
  readonly path: string
  readonly status: number
  /** Id of the call in the service's log. */
  readonly correlationId: string | undefined
  /** Remaining calls under the rate limit, which only free plans have. */
  readonly rateLimit: RateLimit | undefined
  /** Seconds to wait before the next call, from the `Retry-After` header. */
  readonly retryAfter: number | undefined
  /** Duration of this attempt in milliseconds, until the end of the response body. */
  readonly durationMs: number
  /** Number of the attempt, starting at 1. */
  readonly attempt: number
}

/** State of the free plan's rate limit. */
export interface RateLimit {
  /** Calls left in the current window. */
  readonly remaining: number
  /** Start of the next window. */
  readonly resetAt: Date
}
