// Serves the requests of one connection one after the other. A client may send requests before it has read earlier answers
// (pipelining). Without this rule, calls whose answers cannot be sent, because nobody reads an earlier one, would hold slots
// and memory of the node.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { callWhenSent } from './call-when-sent.ts'

const latestResponses = new WeakMap<Socket, ServerResponse>()
/** The unsent response before a response whose place was noted before its turn to start; undefined if there is none. */
const notedPlaces = new WeakMap<ServerResponse, ServerResponse | undefined>()

/** Notes the place of a response that starts later than it arrived. */
export function noteArrival(response: ServerResponse): void {
  notedPlaces.set(response, takePlace(response))
}

/**
 * Calls `start` when all earlier responses of the connection are sent, or the connection is closed. Responses must come in
 * the order in which their requests arrived, except those whose place was noted.
 */
export function startAfterEarlier(response: ServerResponse, start: () => void): void {
  // Few responses are noted: an entry for each one would cost more at every garbage collection than all of this.
  const earlier = notedPlaces.has(response) ? notedPlaces.get(response) : takePlace(response)
  notedPlaces.delete(response)
  if (earlier) callWhenSent(earlier, start)
  else start()
}

/** Makes the response the latest of its connection. Returns the one before it, unless that is sent. */
function takePlace(response: ServerResponse): ServerResponse | undefined {
  const { socket } = response.req
  const latest = latestResponses.get(socket)
  latestResponses.set(socket, response)
  return latest?.closed ? undefined : latest
}
