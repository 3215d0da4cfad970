// With `Expect: 100-continue`, a client asks for an interim response (100) before it sends the body.
//
// Node would send it at once or, while earlier responses on the connection are unsent, in the middle of the final
// response. Here it is sent only once a handler starts to read the body and all earlier responses have been sent. A
// client may send the body without waiting for it (RFC 9110, section 10.1.1).
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { noteArrival } from './one-at-a-time.ts'

/** Requests with the header that have not had an interim response yet. */
const expecting = new WeakMap<IncomingMessage, ServerResponse>()

/** `handle` is the server's usual request handler. */
export function handleExpectations(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('checkContinue', (request, response) => {
    expecting.set(request, response)
    noteArrival(response)
    closeUnlessBodyIsComplete(request, response)
    // Node first parses the rest of the packet, which often contains the body.
    setImmediate(handle, request, response)
  })
  // An unknown expectation is ignored, as RFC 9110 allows. Node's default is 417.
  server.on('checkExpectation', handle)
}

/** Sends the interim response if the client is waiting for one. */
export function requestBody(request: IncomingMessage): void {
  const response = expecting.get(request)
  if (!response) return
  if (response.socket) sendContinue(request, response)
  // Node emits `socket` when all earlier responses have been sent.
  else response.once('socket', () => sendContinue(request, response))
}

function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  // A client that has sent its body is no longer waiting.
  if (response.headersSent || request.complete || request.readableLength > 0) return
  expecting.delete(request)
  response.writeContinue()
}

/**
 * Closes the connection after the response if the body has not arrived and no interim response was sent: the client may
 * omit the body, and the server would then read its next request as the body.
 */
function closeUnlessBodyIsComplete(request: IncomingMessage, response: ServerResponse): void {
  const writeHead: (...args: never[]) => unknown = response.writeHead.bind(response)
  Object.assign(response, {
    // Otherwise Node would close the connection after every response without an interim one, even if the body has
    // arrived, and leave pipelined requests unanswered.
    _expect_continue: false,
    writeHead: (...args: never[]) => {
      if (!request.complete && expecting.has(request)) response.shouldKeepAlive = false
      return writeHead(...args)
    },
  })
}
