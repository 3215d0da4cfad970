// Handles the header `Expect: 100-continue`, with which a client asks for an interim response (100) before it sends the
// body of its request.
//
// Node would send the interim response at once. It would queue it while earlier responses of the connection are unsent,
// and would then write it after the headers of the final response, in the middle of that response. Here the interim
// response is sent when a handler starts to read the body and all earlier responses are sent; otherwise not at all. A
// client may send the body without waiting for it (RFC 9110, section 10.1.1).
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { noteArrival } from './one-at-a-time.ts'

/**
 * Response of each request that has the header and got no interim response. A WeakMap, so an entry is freed with its
 * request.
 */
const expecting = new WeakMap<IncomingMessage, ServerResponse>()

/** `handle` handles a request like every other request of the server. */
export function handleExpectations(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('checkContinue', (request, response) => {
    expecting.set(request, response)
    noteArrival(response)
    closeUnlessBodyIsComplete(request, response)
    // Waits until Node has parsed the rest of the packet, which often contains the body.
    setImmediate(handle, request, response)
  })
  // A request with an unknown Expect header is handled as if it had no such header, as RFC 9110 allows. Node's default
  // is a 417 response.
  server.on('checkExpectation', handle)
}

/** Asks the client for the body of its request if the client waits for an interim response. */
export function requestBody(request: IncomingMessage): void {
  const response = expecting.get(request)
  if (!response) return
  if (response.socket) sendContinue(request, response)
  // Node emits `socket` when all earlier responses of the connection are sent.
  else response.once('socket', () => sendContinue(request, response))
}

function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  // A client that has sent its body does not wait for the interim response.
  if (response.headersSent || request.complete || request.readableLength > 0) return
  expecting.delete(request)
  response.writeContinue()
}

/**
 * Closes the connection after the final response if the body has not arrived and no interim response was sent. Such a
 * client may omit the body, and the server would read its next request as the body.
 */
function closeUnlessBodyIsComplete(request: IncomingMessage, response: ServerResponse): void {
  const writeHead: (...args: never[]) => unknown = response.writeHead.bind(response)
  Object.assign(response, {
    // Node would close the connection after every response without an interim response, also if the body has arrived,
    // and would leave pipelined requests unanswered.
    _expect_continue: false,
    writeHead: (...args: never[]) => {
      if (!request.complete && expecting.has(request)) response.shouldKeepAlive = false
      return writeHead(...args)
    },
  })
}
