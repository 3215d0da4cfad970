// A keep-alive connection that sends finished bytes and counts answers: cheap enough to leave the machine to the server.
import { connect, type Socket } from 'node:net'

export interface Connection {
  /** Resolves to the status. One at a time. */
  ask(request: string): Promise<number>
  close(): void
}

export function requestText(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n\r\n`
}

export function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(speaking(socket)))
    socket.once('error', reject)
  })
}

function speaking(socket: Socket): Connection {
  let [received, answered]: [string, ((status: number) => void) | undefined] = ['', undefined]
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < headEnd + 4 + length) return
    const status = Number(received.slice(9, 12))
    received = received.slice(headEnd + 4 + length)
    answered?.(status)
  })
  const fail = () => answered?.(0)
  socket.on('close', fail)
  socket.on('error', fail)
  return {
    ask: (request) =>
      new Promise((resolve) => {
        answered = resolve
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 100) / 100
}
