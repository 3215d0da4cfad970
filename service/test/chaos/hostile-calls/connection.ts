// A keep-alive connection that sends calls, several in one write, and reads their responses strictly.
import { connect } from 'node:net'
import { parseResponses, type WireResponse } from '../../support/network/http-responses.ts'
import type { HostileCall } from './calls.ts'

export interface HostileConnection {
  readonly isClosed: boolean
  /**
   * Sends the pieces one after the other and returns the final responses: one for each call, or fewer if the service
   * closed the connection or did not answer in time. Throws an error for bytes that are no response.
   */
  send(calls: readonly HostileCall[], pieces: readonly string[]): Promise<readonly WireResponse[]>
  /** Closes the sending side, waits until the service closes the connection, and throws an error for further bytes. */
  finish(): Promise<void>
  close(): void
}

const TIMEOUT_MS = 20_000

export function openConnection(port: number): HostileConnection {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const received: Buffer[] = []
  const state = { isClosed: false, notify: () => {} }
  socket.on('data', (chunk) => {
    received.push(chunk)
    state.notify()
  })
  socket.on('error', () => {})
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      state.isClosed = true
      state.notify()
    })
  const waitForEvent = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, TIMEOUT_MS, false)
      state.notify = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  return {
    get isClosed() {
      return state.isClosed
    },
    send: async (calls, pieces) => {
      const methods = calls.map(({ method }) => method)
      const written = writePieces(pieces, (piece) => socket.writable && socket.write(piece, 'latin1'))
      for (;;) {
        const { responses, rest } = parseResponses(Buffer.concat(received), methods)
        const answers = responses.filter(({ status }) => status >= 200)
        if (answers.length >= calls.length || state.isClosed || !(await waitForEvent())) {
          received.length = 0
          // A response may come before the last piece is written. Bytes that arrive from now on are an error: the next
          // call on the connection finds them.
          await written
          if (rest.length > 0) throw new Error(`Bytes follow the last response: ${rest.toString('latin1', 0, 80)}`)
          return answers
        }
      }
    },
    finish: async () => {
      socket.end()
      while (!state.isClosed && (await waitForEvent()));
      if (!state.isClosed) throw new Error('The service did not close the connection.')
      const [extra] = received
      if (extra) throw new Error(`Bytes follow the last response: ${extra.toString('latin1', 0, 80)}`)
    },
    close: () => {
      state.isClosed = true
      socket.destroy()
    },
  }
}

/** Writes the pieces in different turns of the event loop, so that most of them become packets of their own. */
async function writePieces(pieces: readonly string[], write: (piece: string) => void): Promise<void> {
  for (const piece of pieces) {
    write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
