// Serves the requests on a connection one after the other. A client may send requests before it has read earlier
// answers (pipelining); otherwise unread answers would hold slots and memory.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { callWhenSent } from './call-when-sent.ts'

const latestResponses = new WeakMap<Socket, ServerResponse>()
/** For each response passed to `noteArrival`, the unsent response before it. */
const notedPlaces = new WeakMap<ServerResponse, ServerResponse | undefined>()

/** Records the position of a response that starts later than its request arrived. */
export function noteArrival(response: ServerResponse): void {
  notedPlaces.set(response, takePlace(response))
}

/** Must be called in the order in which the requests arrived, except for responses passed to `noteArrival`. */
export function startAfterEarlier(response: ServerResponse, start: () => void): void {
  // Few responses are passed to `noteArrival`: map entries for all responses would cost more at every garbage
  // collection than the rest of this function.
  const earlier = notedPlaces.has(response) ? notedPlaces.get(response) : takePlace(response)
  notedPlaces.delete(response)
  if (earlier) callWhenSent(earlier, start)
  else start()
}

/** Returns the previous response on the connection, unless it has been sent. */
function takePlace(response: ServerResponse): ServerResponse | undefined {
  const { socket } = response.req
  const latest = latestResponses.get(socket)
  latestResponses.set(socket, response)
  return latest?.closed ? undefined : latest
}
