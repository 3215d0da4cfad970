// A keep-alive connection that sends calls, several in one write, and reads their responses strictly.
import { openByteConnection } from '../../support/network/byte-connection.ts'
import { parseResponses, type WireResponse } from '../../support/network/http-responses.ts'
import type { HostileCall } from './calls.ts'

export interface HostileConnection {
  readonly isClosed: boolean
  /**
   * Sends the pieces one after the other and returns the final responses: one for each call, or fewer if the service
   * closed the connection or did not answer in time. Throws an error for bytes that are not a response.
   */
  send(calls: readonly HostileCall[], pieces: readonly string[]): Promise<readonly WireResponse[]>
  /** Closes the sending side, waits until the service closes the connection, and throws an error for further bytes. */
  finish(): Promise<void>
  close(): void
}

const TIMEOUT_MS = 100_000

export function openConnection(port: number): HostileConnection {
  const connection = openByteConnection(port)
  const { received, socket } = connection
  return {
    get isClosed() {
      return connection.isClosed
    },
    send: async (calls, pieces) => {
      const methods = calls.map(({ method }) => method)
      const written = writePieces(pieces, connection.write)
      for (;;) {
        const { responses, rest } = parseResponses(Buffer.concat(received), methods)
        const answers = responses.filter(({ status }) => status >= 200)
        if (answers.length >= calls.length || connection.isClosed || !(await connection.waitForEvent(TIMEOUT_MS))) {
          received.length = 0
          // A response may arrive before the last piece is written. Bytes that arrive from now on are an error: the
          // next call on the connection finds them.
          await written
          if (rest.length > 0) throw new Error(`Bytes follow the last response: ${rest.toString('latin1', 0, 80)}`)
          return answers
        }
      }
    },
    finish: async () => {
      socket.end()
      while (!connection.isClosed && (await connection.waitForEvent(TIMEOUT_MS)));
      if (!connection.isClosed) throw new Error('The service did not close the connection.')
      const [extra] = received
      if (extra) throw new Error(`Bytes follow the last response: ${extra.toString('latin1', 0, 80)}`)
    },
    close: connection.destroy,
  }
}

/** Writes the pieces in separate event loop iterations, so that most of them become separate packets. */
async function writePieces(pieces: readonly string[], write: (piece: string) => void): Promise<void> {
  for (const piece of pieces) {
    write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
