// The work of one call: reading the database, comparing, building the answer. It is aborted when the client closes the
// connection or the answer takes too long, and it has ended only when every part of it has settled. Whoever guards a
// resource of the node, such as a turn or a slot, releases it then, and not when an error was answered (decision E41).
import type { Socket } from 'node:net'
import { ApiError, unavailable } from '../contract/response/errors.ts'

export interface CallWork {
  /** Aborts when nobody waits for the answer any longer. Its reason is the error of the call. */
  readonly signal: AbortSignal
  /**
   * Runs a part of the work. The promise is rejected as soon as the call is aborted, while the part may need some time to
   * end. With `timeoutMs`, the call is aborted if the part takes longer.
   */
  readonly run: <T>(part: () => Promise<T>, timeoutMs?: number) => Promise<T>
  /** Calls `onEnd` when no part runs any more. No part may begin after this call. */
  whenEnded(onEnd: () => void): void
}

export function openCallWork(socket: Socket): CallWork {
  const controller = new AbortController()
  const { signal } = controller
  const parts = new Set<Promise<unknown>>()
  const abort = () => controller.abort(connectionClosed())
  if (socket.destroyed) abort()
  else socket.once('close', abort)
  return {
    signal,
    run: (part, timeoutMs) => {
      if (signal.aborted) return Promise.reject(signal.reason)
      const running = part()
      const settled = running.then(ignore, ignore).finally(() => parts.delete(settled))
      parts.add(settled)
      return raceAbort(running, controller, timeoutMs)
    },
    whenEnded: (onEnd) => {
      socket.off('close', abort)
      if (parts.size === 0) onEnd()
      else void Promise.all(parts).then(() => onEnd())
    },
  }
}

const ignore = () => {}

function raceAbort<T>(running: Promise<T>, controller: AbortController, timeoutMs: number | undefined): Promise<T> {
  const { signal } = controller
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(tookTooLong()), timeoutMs)
    signal.addEventListener('abort', abort, { once: true })
    running.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  })
}

const tookTooLong = () => unavailable('The answer took too long.')

/** Thrown for a call that nobody waits for: its client has closed the connection. */
export class ConnectionClosedError extends ApiError {
  constructor() {
    super('REQUEST_TIMEOUT', 'The client closed the connection.')
  }
}

export const connectionClosed = () => new ConnectionClosedError()
