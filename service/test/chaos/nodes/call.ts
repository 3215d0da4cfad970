// Sends one HTTP request with a timeout.
import { type Agent, get, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export interface CallOptions {
  readonly port: number
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  /** HTTP agent that keeps connections open; without an agent, every request opens a new connection. */
  readonly agent?: Agent
  readonly timeoutMs?: number
}

export interface CallResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export function call({ port, path, headers = {}, agent, timeoutMs = 30_000 }: CallOptions): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const outgoing = get({ host: '127.0.0.1', port, path, headers, agent: agent ?? false, signal }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject)
    })
    outgoing.on('error', reject)
  })
}
