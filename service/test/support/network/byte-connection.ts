// A connection that collects the bytes sent by the server, without parsing them as HTTP.
import { connect, type Socket } from 'node:net'

export interface ByteConnection {
  readonly socket: Socket
  readonly received: Buffer[]
  readonly isClosed: boolean
  /** Waits until bytes arrive or the connection closes. Returns false if neither happens in time. */
  waitForEvent(ms: number): Promise<boolean>
  /** Writes text as latin1: one character is one byte. */
  write(text: string): void
  destroy(): void
}

export function openByteConnection(port: number): ByteConnection {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const received: Buffer[] = []
  const state = { isClosed: false, notify: () => {} }
  const close = () => {
    state.isClosed = true
    state.notify()
  }
  socket.on('data', (chunk) => {
    received.push(chunk)
    state.notify()
  })
  // A reset connection is also closed. The bytes that arrived before the reset count.
  socket.on('error', () => {})
  socket.on('end', close).on('close', close)
  return {
    socket,
    received,
    get isClosed() {
      return state.isClosed
    },
    waitForEvent: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms, false)
        state.notify = () => {
          clearTimeout(timer)
          resolve(true)
        }
      }),
    write: (text) => void (socket.writable && socket.write(text, 'latin1')),
    destroy: () => {
      state.isClosed = true
      socket.destroy()
    },
  }
}
