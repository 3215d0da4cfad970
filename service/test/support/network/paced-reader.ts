// A client that sends one HTTP request and reads the response in steps of fixed size and time.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /** Number of bytes to read in each step. */
  readonly bytes: number
  readonly everyMs: number
}

export interface PacedReader {
  /** All bytes that were read so far, headers included. */
  readonly received: readonly Buffer[]
  /** Number of bytes that were read so far. */
  readonly bytes: number
  /** True after the connection was closed by either side. */
  readonly isClosed: boolean
  /** Resolves when the connection is closed. Rejects after `timeoutMs`. */
  waitUntilClosed(timeoutMs: number): Promise<void>
  setPace(pace: Pace): void
  close(): void
}

/** Reads everything at once. */
export const AT_FULL_SPEED: Pace = { bytes: Number.POSITIVE_INFINITY, everyMs: 5 }

/** Sends the request over a new connection. The request should contain the header `Connection: close`. */
export async function openPacedReader(port: number, request: string, pace: Pace): Promise<PacedReader> {
  const socket = connect({ host: '127.0.0.1', port })
  const received: Buffer[] = []
  let [bytes, isClosed] = [0, false]
  let timer: NodeJS.Timeout
  const readStep = (limit: number) => {
    for (let left = limit; left > 0; ) {
      const chunk: Buffer | null = socket.read(Math.min(left, socket.readableLength)) ?? null
      if (chunk === null) return
      received.push(chunk)
      bytes += chunk.length
      left -= chunk.length
    }
  }
  const setPace = ({ bytes: limit, everyMs }: Pace) => {
    clearInterval(timer)
    timer = setInterval(() => readStep(limit), everyMs)
  }
  // A reset connection reports an error in addition to `close`.
  socket.on('error', () => {})
  // The listener keeps the socket from reading on its own; bytes are read only in steps.
  socket.on('readable', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      clearInterval(timer)
      resolve()
    })
  })
  await once(socket, 'connect')
  socket.write(request)
  setPace(pace)
  return {
    received,
    get bytes() {
      return bytes
    },
    get isClosed() {
      return isClosed
    },
    setPace,
    waitUntilClosed: (timeoutMs) =>
      Promise.race([
        closed,
        sleep(timeoutMs).then(() => {
          throw new Error(`The connection is still open after ${timeoutMs} ms.`)
        }),
      ]),
    close: () => void socket.destroy(),
  }
}
