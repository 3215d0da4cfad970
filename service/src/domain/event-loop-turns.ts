// Runs the processing of large responses (encoding, hashing, writing) one step per event loop iteration, so that the
// event loop serves all other requests in between. Otherwise the steps of several large responses could run in the same
// iteration, and every other request would wait for all of them.
//
// The state is in the memory of this process and only orders its own work.
import { setImmediate as waitForEventLoop } from 'node:timers/promises'

let latestTurn = Promise.resolve()

/** Resolves in a later event loop iteration, after all earlier callers, one caller per iteration. */
export function waitForEventLoopTurn(): Promise<void> {
  latestTurn = latestTurn.then(() => waitForEventLoop())
  return latestTurn
}
