// One HTTP call with a deadline, over whatever agent the caller brings.
import { type Agent, get, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Call {
  readonly port: number
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  /** Without one, the connection is used once. */
  readonly agent?: Agent
  readonly deadlineMs?: number
}

export interface Called {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export function call({ port, path, headers = {}, agent, deadlineMs = 30_000 }: Call): Promise<Called> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(deadlineMs)
    const outgoing = get({ host: '127.0.0.1', port, path, headers, agent: agent ?? false, signal }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject)
    })
    outgoing.on('error', reject)
  })
}
