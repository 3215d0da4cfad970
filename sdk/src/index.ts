// The client that grows from here: one call for now, the rest follows the endpoints.

export interface ClientOptions {
  /** Where the service is, such as `https://vis.example.org`. */
  readonly baseUrl: string
  /** Sent in the `X-API-Key` header, and nowhere else. */
  readonly apiKey: string
}

export interface PingLite {
  readonly status: 'ok' | 'degraded'
  readonly timestamp: string
}

/** An answer that was not 2xx, with the code and the sentence of the service. */
export class VisError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'VisError'
    this.status = status
    this.code = code
  }
}

/**
 * Asks whether the service is there and the key is good. Free of charge.
 *
 * ```ts
 * const { status } = await pingLite({ baseUrl: 'http://127.0.0.1:3000', apiKey })
 * ```
 */
export async function pingLite({ baseUrl, apiKey }: ClientOptions): Promise<PingLite> {
  const response = await fetch(new URL('/api/v1/ping-lite', baseUrl), { headers: { 'X-API-Key': apiKey } })
  const body = (await response.json()) as { data: PingLite } | { error: { code: string; message: string } }
  if ('error' in body) throw new VisError(response.status, body.error.code, body.error.message)
  return body.data
}
