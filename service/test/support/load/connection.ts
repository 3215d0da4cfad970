// A keep-alive HTTP connection for load tests. To use little CPU, the client sends prepared bytes and does not keep
// response bodies.
import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Connection {
  /**
   * Sends a request and resolves with the status, or with 0 if the connection broke. Only one request may be in flight
   * at a time.
   */
  send(request: string): Promise<number>
  /** Sends a request like `send`, but also resolves with the details of a refusal. */
  exchange(request: string): Promise<Answer>
  close(): void
}

export interface Answer {
  /** HTTP status, or 0 if the connection broke. */
  readonly status: number
  readonly retryAfter: string | undefined
  /** Body of an answer that is not 2xx; empty otherwise. */
  readonly body: string
}

export function buildGetRequest(path: string, key: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${headers}\r\n`
}

export function buildPostRequest(path: string, key: string, body: string, headers = ''): string {
  const ownHeaders = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}`
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${ownHeaders}\r\n${body}`
}

/** Opens a connection, from the given loopback address if there is one. */
export function openConnection(port: number, localAddress = '127.0.0.1'): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const target = { port, host: '127.0.0.1', localAddress, noDelay: true }
    const socket = connect(target, () => resolve(createConnection(socket)))
    socket.once('error', reject)
  })
}

/** Counts the bytes of response bodies instead of keeping the bodies; only heads and refusals are decoded. */
function createConnection(socket: Socket): Connection {
  let onAnswer: ((status: number) => void) | undefined
  let head: Buffer = Buffer.alloc(0)
  let [status, remaining, headText] = [0, 0, '']
  let refusal: Buffer[] = []
  const readHead = (received: Buffer) => {
    head = head.length === 0 ? received : Buffer.concat([head, received])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    headText = head.toString('latin1', 0, end)
    status = Number(headText.slice(9, 12))
    remaining = Number(/content-length: (\d+)/i.exec(headText)?.[1] ?? 0) - (head.length - end - 4)
    refusal = status < 300 ? [] : [head.subarray(end + 4)]
    head = Buffer.alloc(0)
    if (remaining <= 0) onAnswer?.(status)
  }
  socket.on('data', (chunk: Buffer) => {
    if (remaining <= 0) return readHead(chunk)
    remaining -= chunk.length
    if (status >= 300) refusal.push(chunk)
    if (remaining <= 0) onAnswer?.(status)
  })
  const fail = () => onAnswer?.(0)
  socket.on('close', fail)
  socket.on('error', fail)
  const send = (request: string) =>
    new Promise<number>((resolve) => {
      onAnswer = resolve
      // A socket that is already closed emits no further event, so a new request on it must fail at once.
      if (socket.destroyed) fail()
      else socket.write(request)
    })
  return {
    send,
    exchange: async (request) => {
      const answered = await send(request)
      if (answered === 0) return { status: 0, retryAfter: undefined, body: 'The connection broke.' }
      const isGzip = /^content-encoding: gzip$/im.test(headText) && refusal.some(({ length }) => length > 0)
      const body = Buffer.concat(refusal)
      return {
        status: answered,
        retryAfter: /^retry-after: (.*)$/im.exec(headText)?.[1],
        body: (isGzip ? gunzipSync(body) : body).toString('utf8'),
      }
    },
    close: () => socket.destroy(),
  }
}
