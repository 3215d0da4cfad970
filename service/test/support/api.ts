// A small HTTP client with full control of headers and target, whose every answer is judged against openapi.json.
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Judge } from './schema-assertions.ts'

interface Sent {
  /** null sends none. */
  readonly key?: string | null
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As it came, before decompression. */
  readonly raw: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers freely; their shape is judged by openapi.json.
  readonly json: any
}

export interface Api {
  get(path: string, sent?: Sent): Promise<ApiAnswer>
  send(method: string, path: string, sent?: Sent): Promise<ApiAnswer>
  readonly port: number
}

export function apiAt(port: number, defaultKey: () => string | undefined, judge: Judge): Api {
  const agent = new Agent({ keepAlive: false })
  const send = async (method: string, path: string, sent: Sent = {}): Promise<ApiAnswer> => {
    const key = sent.key === undefined ? defaultKey() : sent.key
    const headers = { ...(key ? { 'X-API-Key': key } : {}), ...sent.headers }
    const answer = await exchange({ agent, port, method, path, headers }, sent.body)
    judge({
      method,
      path: path.split('?', 1)[0] ?? '',
      status: answer.status,
      headers: answer.headers,
      json: answer.json,
    })
    return answer
  }
  return { port, send, get: (path, sent) => send('GET', path, sent) }
}

interface Target {
  readonly agent: Agent
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
}

function exchange(target: Target, body: string | Buffer | undefined): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ ...target, hostname: '127.0.0.1' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const raw = Buffer.concat(chunks)
        const isGzip = response.headers['content-encoding'] === 'gzip' && raw.length > 0
        const text = (isGzip ? gunzipSync(raw) : raw).toString('utf8')
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
        )
        resolve({ status: response.statusCode ?? 0, headers, raw, text, json: parse(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
