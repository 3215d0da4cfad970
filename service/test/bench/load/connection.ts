// A keep-alive HTTP connection for load tests. To use little CPU, the client sends prepared bytes and does not keep
// response bodies.
import { connect, type Socket } from 'node:net'

export interface Connection {
  /**
   * Sends a request and resolves with the status, or with 0 if the connection broke. Only one request may be in flight
   * at a time.
   */
  send(request: string): Promise<number>
  close(): void
}

export function buildGetRequest(path: string, key: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${headers}\r\n`
}

export function buildPostRequest(path: string, key: string, body: string): string {
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${headers}\r\n${body}`
}

export function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(createConnection(socket)))
    socket.once('error', reject)
  })
}

/** Counts the bytes of response bodies instead of keeping the bodies; only response heads are decoded. */
function createConnection(socket: Socket): Connection {
  let onAnswer: ((status: number) => void) | undefined
  let head: Buffer = Buffer.alloc(0)
  let [status, remaining] = [0, 0]
  const readHead = (received: Buffer) => {
    head = head.length === 0 ? received : Buffer.concat([head, received])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const text = head.toString('latin1', 0, end)
    status = Number(text.slice(9, 12))
    remaining = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - end - 4)
    head = Buffer.alloc(0)
    if (remaining <= 0) onAnswer?.(status)
  }
  socket.on('data', (chunk: Buffer) => {
    if (remaining <= 0) return readHead(chunk)
    remaining -= chunk.length
    if (remaining <= 0) onAnswer?.(status)
  })
  const fail = () => onAnswer?.(0)
  socket.on('close', fail)
  socket.on('error', fail)
  return {
    send: (request) =>
      new Promise((resolve) => {
        onAnswer = resolve
        // A socket that is already closed emits no further event, so a new request on it must fail at once.
        if (socket.destroyed) fail()
        else socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}
