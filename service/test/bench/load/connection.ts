// A keep-alive connection that sends finished bytes and counts answers: cheap enough to leave the machine to the server.
import { connect, type Socket } from 'node:net'

export interface Connection {
  /** Resolves to the status; 0 when the connection broke. One at a time. */
  ask(request: string): Promise<number>
  close(): void
}

export function requestText(path: string, key: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${headers}\r\n`
}

export function postText(path: string, key: string, body: string): string {
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n${headers}\r\n${body}`
}

export function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(speaking(socket)))
    socket.once('error', reject)
  })
}

/** Bodies are counted, not kept: only heads become text. */
function speaking(socket: Socket): Connection {
  let answered: ((status: number) => void) | undefined
  let head: Buffer = Buffer.alloc(0)
  let [status, missing] = [0, 0]
  const begin = (received: Buffer) => {
    head = head.length === 0 ? received : Buffer.concat([head, received])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const text = head.toString('latin1', 0, end)
    status = Number(text.slice(9, 12))
    missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - end - 4)
    head = Buffer.alloc(0)
    if (missing <= 0) answered?.(status)
  }
  socket.on('data', (chunk: Buffer) => {
    if (missing <= 0) return begin(chunk)
    missing -= chunk.length
    if (missing <= 0) answered?.(status)
  })
  const fail = () => answered?.(0)
  socket.on('close', fail)
  socket.on('error', fail)
  return {
    ask: (request) =>
      new Promise((resolve) => {
        answered = resolve
        // When it was closed before, it told nobody.
        if (socket.destroyed) fail()
        else socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}
