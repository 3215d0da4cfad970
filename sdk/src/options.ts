// What a caller can set: once for a client, and for a single call.

/** How a client reaches the service. */
export interface ClientOptions {
  /** Where the service is, such as `https://vis.example.org`. A path in it is kept. */
  readonly url: string
  /** Sent in the `X-API-Key` header, and nowhere else. */
  readonly apiKey: string
  /** Instead of the platform's own `fetch`: for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
  /** How often a call is tried again where that is safe. Default: 2. */
  readonly retries?: number
  /** How long one attempt may take. Default: 30,000. */
  readonly timeoutMs?: number
  /** Called after every answer, also after those that are tried again. What it throws, the call rejects with. */
  readonly onResponse?: (info: ResponseInfo) => void
}

/** What every call takes beside its own parameters. */
export interface CallOptions {
  /** Ends the call, its waiting and its further pages; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** One answer of the service. The key is in none of it. */
export interface ResponseInfo {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly status: number
  /** By this id the service finds the call in its log. */
  readonly correlationId: string | undefined
  /** On free plans only. */
  readonly rateLimit: RateLimit | undefined
  /** In how many seconds the service wants to be asked again. */
  readonly retryAfter: number | undefined
  /** From the call to the end of the answer, without the attempts before. */
  readonly durationMs: number
  /** 1 for the first. */
  readonly attempt: number
}

/** What is left of the free plan's rate window. */
export interface RateLimit {
  readonly remaining: number
  readonly resetAt: Date
}
