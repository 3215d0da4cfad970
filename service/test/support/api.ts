// A small HTTP client for tests. The client sends any header and path, and checks every response against openapi.json.
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { AnswerValidator } from './schema-assertions.ts'

interface RequestOptions {
  /** API key of the request; null sends no key, undefined sends the default key. */
  readonly key?: string | null
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Response body as received, before decompression. */
  readonly raw: Buffer
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of a response; openapi.json checks its shape.
  readonly json: any
}

export interface Api {
  get(path: string, options?: RequestOptions): Promise<ApiAnswer>
  send(method: string, path: string, options?: RequestOptions): Promise<ApiAnswer>
  readonly port: number
}

export function createApiClient(port: number, defaultKey: () => string | undefined, validate: AnswerValidator): Api {
  const agent = new Agent({ keepAlive: false })
  const send = async (method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer> => {
    const key = options.key === undefined ? defaultKey() : options.key
    const headers = { ...(key ? { 'X-API-Key': key } : {}), ...options.headers }
    const answer = await sendRequest({ agent, port, method, path, headers }, options.body)
    validate({
      method,
      path: path.split('?', 1)[0] ?? '',
      status: answer.status,
      headers: answer.headers,
      json: answer.json,
    })
    return answer
  }
  return { port, send, get: (path, options) => send('GET', path, options) }
}

interface RequestTarget {
  readonly agent: Agent
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
}

function sendRequest(target: RequestTarget, body: string | Buffer | undefined): Promise<ApiAnswer> {
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
        resolve({ status: response.statusCode ?? 0, headers, raw, text, json: parseJson(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
