// Sends one HTTP request with a timeout.
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface CallOptions {
  readonly port: number
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  /** HTTP agent that keeps connections open; without an agent, every request opens a new connection. */
  readonly agent?: Agent
  readonly timeoutMs?: number
  /** JSON text, which is sent with POST. Without a body, the request is a GET. */
  readonly body?: string | undefined
}

export interface CallResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export function call({ port, path, headers = {}, agent, timeoutMs = 60_000, body }: CallOptions): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      agent: agent ?? false,
      signal: AbortSignal.timeout(timeoutMs),
    }
    const outgoing = request(options, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
