// Calls a function once the operating system has the whole response, or when the response can no longer be sent.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Node does not emit `close` for a pipelined response if the connection closes while earlier responses are still being
 * sent.
 */
const pendingCallbacks = new WeakMap<Socket, Set<() => void>>()

export function callWhenSent(response: ServerResponse, callback: () => void): void {
  const { socket } = response.req
  if (socket.destroyed || response.closed) {
    callback()
    return
  }
  const callbacks = pendingCallbacks.get(socket) ?? watch(socket)
  const finish = () => {
    if (callbacks.delete(finish)) callback()
  }
  callbacks.add(finish)
  response.once('close', finish)
}

function watch(socket: Socket): Set<() => void> {
  const callbacks = new Set<() => void>()
  pendingCallbacks.set(socket, callbacks)
  socket.once('close', () => {
    for (const callback of callbacks) callback()
  })
  return callbacks
}
