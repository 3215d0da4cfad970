// The work of one call. It is aborted when the client hangs up or the answer takes too long, but it ends only when
// every part has settled. Slots and other resources are released then, not when an error is sent (decision E41).
import type { Socket } from 'node:net'
import { ApiError, unavailable } from '../contract/response/errors.ts'

export interface CallWork {
  /** Its reason is the error with which the call fails. */
  readonly signal: AbortSignal
  /** Rejects as soon as the call is aborted, even if the part takes longer to end. `timeoutMs` aborts the call. */
  readonly run: <T>(part: () => Promise<T>, timeoutMs?: number) => Promise<T>
  /** Calls the function once no part is running. No part may begin after that. */
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

/** No one is waiting for the answer any longer. */
export class ConnectionClosedError extends ApiError {
  constructor() {
    super('REQUEST_TIMEOUT', 'The client closed the connection.')
  }
}

export const connectionClosed = () => new ConnectionClosedError()
