// Serves the requests of one connection one after the other. A client may send requests before it has read earlier answers
// (pipelining). Without this rule, calls whose answers cannot be sent, because nobody reads an earlier one, would hold slots
// and memory of the node.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { callWhenSent } from './call-when-sent.ts'

const latestResponses = new WeakMap<Socket, ServerResponse>()
/** The unsent response before each response that has arrived; undefined if there is none any more. */
const earlierResponses = new WeakMap<ServerResponse, ServerResponse | undefined>()

/** Notes the place of a response among those of its connection. Must be called in the order in which requests arrive. */
export function noteArrival(response: ServerResponse): void {
  if (earlierResponses.has(response)) return
  const { socket } = response.req
  const latest = latestResponses.get(socket)
  earlierResponses.set(response, latest?.closed ? undefined : latest)
  latestResponses.set(socket, response)
}

/** Calls `start` when all earlier responses of the connection are sent, or the connection is closed. */
export function startAfterEarlier(response: ServerResponse, start: () => void): void {
  noteArrival(response)
  const earlier = earlierResponses.get(response)
  if (earlier)
    callWhenSent(earlier, () => {
      // Otherwise each response of a long connection would keep all earlier ones in memory.
      earlierResponses.set(response, undefined)
      start()
    })
  else start()
}
