// Cancels the statement that a connection is running. PostgreSQL accepts the request on a separate connection, which
// needs no login: the process id and the secret of the first connection prove the right to cancel.
import { connect, type NetConnectOpts } from 'node:net'
import { DatabaseError, type PoolClient } from 'pg'

/** Code of the CancelRequest message in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102
const MESSAGE_BYTES = 16
const TIMEOUT_MS = 1000

/** Members of pg's client that its type does not declare. */
interface CancelTarget {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
}

/**
 * Resolves after the server has signalled the statement. Errors are ignored: the statement then ends by its timeout.
 */
export function cancelStatement(client: PoolClient): Promise<void> {
  // The cast is safe: every connected pg client has these members.
  const target = client as unknown as CancelTarget
  return new Promise((resolve) => {
    const socket = connect(toAddress(target))
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
    socket.once('connect', () => socket.end(buildRequest(target)))
    socket.on('error', () => {})
    socket.once('close', () => resolve())
    socket.resume()
  })
}

function toAddress({ host, port }: CancelTarget): NetConnectOpts {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

function buildRequest({ processID, secretKey }: CancelTarget): Buffer {
  const message = Buffer.alloc(MESSAGE_BYTES)
  message.writeInt32BE(MESSAGE_BYTES, 0)
  message.writeInt32BE(CANCEL_REQUEST, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  return message
}

/** Returns whether a statement ended because of a cancel request rather than its own timeout. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '57014' && error.message.includes('user request')
}
