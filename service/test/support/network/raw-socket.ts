// Sends raw bytes over a socket, for requests that no HTTP client would send.
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** All bytes that were received until the server closed the connection or the timeout passed. */
  readonly text: string
}

const PAUSE_MS = 150

/** Sends one string at once, or the strings of an array as separate packets, 150 ms apart. */
export function sendRaw(port: number, bytes: string | readonly string[], timeoutMs = 10_000): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const pieces = typeof bytes === 'string' ? [bytes] : bytes
      for (const [index, piece] of pieces.entries())
        setTimeout(() => socket.writable && socket.write(piece), index * PAUSE_MS)
    })
    const chunks: Buffer[] = []
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')))
    })
  })
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const cut = line.indexOf(':')
      return [line.slice(0, cut).toLowerCase(), line.slice(cut + 1).trim()]
    }),
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), text }
}
